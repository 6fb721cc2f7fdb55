// What the report's animation takes from three.js, bundled into one script that makes a global THREE.
export {
  AmbientLight, ArrowHelper, BoxGeometry, BufferAttribute, BufferGeometry, Color, CylinderGeometry,
  DirectionalLight, DoubleSide, DynamicDrawUsage, EdgesGeometry, GridHelper, Group, HemisphereLight,
  ConeGeometry, InstancedMesh, Line, LineBasicMaterial, LineSegments, Matrix4, Mesh,
  MeshBasicMaterial, MeshLambertMaterial, Object3D, PerspectiveCamera, PlaneGeometry, Quaternion,
  Scene, SphereGeometry, Vector3, WebGLRenderer,
} from "three";
export { OrbitControls } from "three/addons/controls/OrbitControls.js";
