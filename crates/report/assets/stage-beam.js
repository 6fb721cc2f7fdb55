// A beam: its section swept along the cubic through its nodes, or a line where there is no section.
bristle.stageBeam = (() => {
  const { colour } = bristle;
  const parts = 10; // of each element

  // ring of corners at every station, with a lid at both ends
  function faces(corners, stations) {
    const index = [];
    for (let s = 0; s + 1 < stations; s++) {
      for (let c = 0; c < corners; c++) {
        const a = s * corners + c, b = s * corners + ((c + 1) % corners);
        index.push(a, a + corners, b, b, a + corners, b + corners);
      }
    }
    const last = (stations - 1) * corners;
    for (let c = 1; c + 1 < corners; c++) index.push(0, c + 1, c, last, last + c, last + c + 1);
    return index;
  }

  // lines along the corners and around both ends; around the ends only if the section is round
  function edges(corners, stations) {
    const index = [], last = (stations - 1) * corners;
    for (let c = 0; c < corners; c++) {
      const next = (c + 1) % corners;
      index.push(c, next, last + c, last + next);
      if (corners <= 8) for (let s = 0; s + 1 < stations; s++) index.push(s * corners + c, (s + 1) * corners + c);
    }
    return index;
  }

  function make(chain, root) {
    const solid = chain.outline.length > 2;
    const stations = solid ? (chain.points.length - 1) * parts + 1 : chain.points.length;
    const corners = solid ? chain.outline.length : 1;
    const position = new THREE.BufferAttribute(new Float32Array(3 * stations * corners), 3);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", position);
    const add = (object) => { object.frustumCulled = false; root.add(object); };
    if (solid) {
      geometry.setIndex(faces(corners, stations));
      add(new THREE.Mesh(geometry, new THREE.MeshLambertMaterial({ color: colour("c4"), flatShading: true, transparent: true, opacity: 0.75, side: THREE.DoubleSide })));
      const frame = new THREE.BufferGeometry();
      frame.setAttribute("position", position);
      frame.setIndex(edges(corners, stations));
      add(new THREE.LineSegments(frame, new THREE.LineBasicMaterial({ color: colour("ink"), transparent: true, opacity: 0.55 })));
    } else {
      add(new THREE.Line(geometry, new THREE.LineBasicMaterial({ color: colour("ink") })));
    }
    return { ...chain, geometry, position, solid };
  }

  const vector = () => new THREE.Vector3();
  const [p, e1, e2, e3] = [vector(), vector(), vector(), vector()];

  function place(chain, groupOf) {
    const nodes = chain.points.map(({ body, point, along, across }) => {
      const world = groupOf(body).matrixWorld;
      const turned = (v) => vector().fromArray(v).transformDirection(world);
      return { at: vector().fromArray(point).applyMatrix4(world), along: chain.solid && turned(along), across: chain.solid && turned(across) };
    });
    const array = chain.position.array;
    if (!chain.solid) nodes.forEach(({ at }, i) => at.toArray(array, 3 * i));
    else sweep(chain, nodes, array);
    chain.position.needsUpdate = true;
  }

  function sweep(chain, nodes, array) {
    let k = 0;
    for (let i = 0; i + 1 < nodes.length; i++) {
      const [a, b] = [nodes[i], nodes[i + 1]];
      const length = a.at.distanceTo(b.at);
      for (let s = 0; s < parts + (i + 2 === nodes.length ? 1 : 0); s++) {
        const x = s / parts, y = 1 - x;
        // Hermite's cubic through both ends with their directions, and its tangent
        p.copy(a.at).multiplyScalar(y * y * (1 + 2 * x)).addScaledVector(b.at, x * x * (1 + 2 * y))
          .addScaledVector(a.along, length * x * y * y).addScaledVector(b.along, -length * x * x * y);
        e1.subVectors(b.at, a.at).multiplyScalar(6 * x * y / length)
          .addScaledVector(a.along, y * (1 - 3 * x)).addScaledVector(b.along, x * (1 - 3 * y)).normalize();
        e2.copy(a.across).multiplyScalar(y).addScaledVector(b.across, x);
        e2.addScaledVector(e1, -e1.dot(e2)).normalize();
        e3.crossVectors(e1, e2);
        for (const [u, v] of chain.outline) {
          array[k++] = p.x + u * e2.x + v * e3.x;
          array[k++] = p.y + u * e2.y + v * e3.y;
          array[k++] = p.z + u * e2.z + v * e3.z;
        }
      }
    }
  }

  return { make, place };
})();
