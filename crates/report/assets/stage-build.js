// The things on the stage: bodies, planes, points, arrows, springs, as three.js objects.
bristle.stageBuild = (() => {
  const { values, indexAt, colour } = bristle;
  const palette = ["c5", "c4", "c2", "c3", "c7"];

  // the scene's columns, each interpolated at the moment that is shown
  function track(scene) {
    const times = values(scene.t);
    const at = { k: 0, next: 0, part: 0 };
    return {
      times,
      seek(t) {
        at.k = indexAt(times, t);
        at.next = Math.min(at.k + 1, times.length - 1);
        const step = times[at.next] - times[at.k];
        at.part = step > 0 ? Math.min(Math.max((t - times[at.k]) / step, 0), 1) : 0;
      },
      get(name) {
        const column = values(scene.columns[name]);
        return column[at.k] + at.part * (column[at.next] - column[at.k]);
      },
      // a state such as stick holds until the next row
      held(name) { return values(scene.columns[name])[at.k]; },
      has(name) { return name in scene.columns; },
      first(name) { return values(scene.columns[name])[0]; },
      column(name) { return values(scene.columns[name]); },
    };
  }

  function quaternion([w, x, y, z]) { return new THREE.Quaternion(x, y, z, w); }

  // where a body is: with its motion since the start magnified by a factor
  function poser(body, track) {
    const { position, orientation } = body.pose;
    const read = (get, pose) => (pose.channels ? pose.channels.map(get) : pose.fixed);
    const start = {
      p: new THREE.Vector3(...read((n) => track.first(n), position)),
      q: quaternion(read((n) => track.first(n), orientation)).normalize(),
    };
    const p = new THREE.Vector3(), q = new THREE.Quaternion(), turn = new THREE.Quaternion();
    return (group, magnify) => {
      p.fromArray(read((n) => track.get(n), position));
      q.copy(quaternion(read((n) => track.get(n), orientation))).normalize();
      if (magnify !== 1) {
        p.sub(start.p).multiplyScalar(magnify).add(start.p);
        turn.copy(start.q).invert().premultiply(q);
        magnifyTurn(turn, magnify);
        q.copy(turn).multiply(start.q);
      }
      group.position.copy(p);
      group.quaternion.copy(q);
    };
  }

  function magnifyTurn(turn, factor) {
    if (turn.w < 0) turn.set(-turn.x, -turn.y, -turn.z, -turn.w);
    const length = Math.hypot(turn.x, turn.y, turn.z);
    const angle = 2 * Math.atan2(length, turn.w) * factor;
    const by = length > 0 ? Math.sin(angle / 2) / length : 0;
    turn.set(turn.x * by, turn.y * by, turn.z * by, Math.cos(angle / 2));
  }

  function solid(shape, marker) {
    const { box, sphere, cylinder, inertia } = shape;
    if (box) return [new THREE.BoxGeometry(...box.edges), box.centre];
    if (inertia) return [new THREE.BoxGeometry(...inertia.edges), inertia.centre];
    if (sphere) return [new THREE.SphereGeometry(sphere.radius, 40, 24), sphere.centre];
    if (cylinder) {
      const geometry = new THREE.CylinderGeometry(cylinder.radius, cylinder.radius, cylinder.length, 48);
      return [geometry.rotateX(Math.PI / 2), cylinder.centre];
    }
    return [new THREE.BoxGeometry(...marker.edges), marker.centre];
  }

  // a body without a shape: a slab behind its contact points, or a small block
  function markerOf(index, stage, size) {
    const points = stage.contacts.filter((c) => c.body === index).flatMap((c) => c.points);
    const low = [0, 1, 2].map((k) => Math.min(...points.map((p) => p[k]))), high = [0, 1, 2].map((k) => Math.max(...points.map((p) => p[k])));
    const edge = 0.16 * size;
    if (!points.length) return { edges: [edge, edge, edge * 0.6], centre: [0, 0, 0] };
    const edges = [0, 1, 2].map((k) => Math.max(high[k] - low[k], k === 2 ? edge * 0.6 : edge));
    return { edges, centre: [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, high[2] + edges[2] / 2] };
  }

  function bodyGroup(body, index, stage, size) {
    const group = new THREE.Group();
    // a plate is seen by the grid of its plane
    const plate = stage.contacts.some((c) => c.plane.body === index) && !stage.contacts.some((c) => c.body === index);
    const shapes = body.shapes.length || plate ? body.shapes : [{}];
    const paint = colour(palette[index % palette.length]);
    for (const shape of shapes) {
      const [geometry, centre] = solid(shape, markerOf(index, stage, size));
      const material = new THREE.MeshLambertMaterial({ color: paint, transparent: true, opacity: 0.5, depthWrite: false });
      const mesh = new THREE.Mesh(geometry, material);
      if (shape.sphere) group.add(stripes(shape.sphere));
      if (shape.inertia) group.add(stem(shape.inertia));
      const edges = new THREE.LineSegments(new THREE.EdgesGeometry(geometry, 30), new THREE.LineBasicMaterial({ color: colour("ink"), transparent: true, opacity: 0.55 }));
      for (const part of [mesh, edges]) {
        part.position.fromArray(centre);
        if (shape.inertia) part.quaternion.copy(quaternion(shape.inertia.orientation));
      }
      group.add(mesh, edges);
    }
    return group;
  }

  // from the origin of a body, where its joint is, to the box that stands for it
  function stem({ centre }) {
    const geometry = new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(), new THREE.Vector3(...centre)]);
    return new THREE.Line(geometry, new THREE.LineBasicMaterial({ color: colour("ink"), transparent: true, opacity: 0.75 }));
  }

  // three great circles on a ball, each two lines wide, so that one sees it roll
  function stripes({ radius, centre }) {
    const places = [], count = 96, out = 1.002 * radius;
    for (const axis of [0, 1, 2]) {
      for (const side of [-0.04, 0.04]) {
        for (let i = 0; i < count; i++) {
          for (const k of [i, i + 1]) {
            const angle = (2 * Math.PI * k) / count, ring = Math.sqrt(1 - side * side);
            const point = [side, ring * Math.cos(angle), ring * Math.sin(angle)];
            places.push(...[0, 1, 2].map((j) => out * point[(j - axis + 3) % 3]));
          }
        }
      }
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(places), 3));
    const lines = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color: colour("ink"), transparent: true, opacity: 0.75 }));
    lines.position.fromArray(centre);
    return lines;
  }

  // the ground below a machine that stands on no plane: a faint grid in the world
  function ground(size, centre, height) {
    const cell = 10 ** Math.round(Math.log10(size / 4)), count = 2 * Math.max(2, Math.round((1.5 * size) / cell));
    const grid = new THREE.GridHelper(count * cell, count, colour("line"), colour("line"));
    grid.rotateX(Math.PI / 2);
    grid.material.transparent = true;
    grid.material.opacity = 0.6;
    // on whole cells of the world, so that its lines are places
    const snap = (x) => Math.round(x / cell) * cell;
    grid.position.set(snap(centre.x), snap(centre.y), height);
    return { grid, cell };
  }

  // the directions of the world, as the camera sees them, in a corner of the picture
  function triad(canvas, camera) {
    const side = 64 * devicePixelRatio, context = canvas.getContext("2d");
    const axes = ["x", "y", "z"].map((name, k) => ({ name, to: new THREE.Vector3(...[0, 1, 2].map((i) => (i === k ? 1 : 0))), paint: ["c1", "c2", "c0"][k] }));
    const turned = new THREE.Vector3(), view = new THREE.Quaternion();
    canvas.width = canvas.height = side;
    return () => {
      view.copy(camera.quaternion).invert();
      context.clearRect(0, 0, side, side);
      context.font = `600 ${11 * devicePixelRatio}px ${getComputedStyle(document.body).fontFamily}`;
      context.textAlign = "center";
      context.textBaseline = "middle";
      context.lineWidth = 2 * devicePixelRatio;
      const ends = axes.map((axis) => ({ ...axis, at: turned.copy(axis.to).applyQuaternion(view).toArray() }));
      // the nearest one last
      for (const { name, at: [x, y], paint } of ends.sort((a, b) => a.at[2] - b.at[2])) {
        const end = (length) => [side * (0.5 + length * x), side * (0.5 - length * y)];
        context.strokeStyle = context.fillStyle = colour(paint);
        context.beginPath();
        context.moveTo(side / 2, side / 2);
        context.lineTo(...end(0.31));
        context.stroke();
        context.fillText(name, ...end(0.42));
      }
    };
  }

  // a plane: a grid in its own axes
  function planeGroup(plane, size) {
    const group = new THREE.Group();
    const normal = new THREE.Vector3(...plane.normal), tangent = new THREE.Vector3(...plane.tangent);
    const second = new THREE.Vector3().crossVectors(normal, tangent);
    const extent = plane.body == null ? 6 * size : 1.6 * size;
    const cell = 10 ** Math.round(Math.log10(size / 4));
    const count = Math.min(Math.max(2, 2 * Math.round(extent / cell / 2)), 120);
    const grid = new THREE.GridHelper(count * cell, count, colour("line"), colour("line"));
    grid.rotateX(Math.PI / 2);
    grid.material.transparent = true;
    grid.material.opacity = 0.75;
    const sheet = new THREE.Mesh(
      new THREE.PlaneGeometry(count * cell, count * cell),
      new THREE.MeshBasicMaterial({ color: colour("card"), transparent: true, opacity: 0.4, side: THREE.DoubleSide, depthWrite: false }));
    sheet.position.z = -1e-3 * size;
    group.add(sheet, grid);
    group.setRotationFromMatrix(new THREE.Matrix4().makeBasis(tangent, second, normal));
    group.position.fromArray(plane.point);
    return { group, cell };
  }

  // the axes of a surface in those of its body
  function surfaceAxes({ plane }) {
    const z = new THREE.Vector3(...plane.normal), x = new THREE.Vector3(...plane.tangent);
    return new THREE.Matrix4().makeBasis(x, new THREE.Vector3().crossVectors(z, x), z).setPosition(...plane.point);
  }

  // a curved surface: its net of lines
  function surfaceGroup(contact) {
    const group = new THREE.Group();
    const material = new THREE.LineBasicMaterial({ color: colour("line"), transparent: true, opacity: 0.75 });
    for (const line of contact.surface.lines) {
      group.add(new THREE.Line(new THREE.BufferGeometry().setFromPoints(line.map((p) => new THREE.Vector3(...p))), material));
    }
    group.applyMatrix4(surfaceAxes(contact));
    return group;
  }

  // the side of a closed curve whose middle is nearest
  function nearestSide(outline, x, y) {
    let best = 1, least = Infinity;
    for (let i = 1; i < outline.length; i++) {
      const [a, b] = [outline[i - 1], outline[i]];
      const distance = Math.hypot((a[0] + b[0]) / 2 - x, (a[1] + b[1]) / 2 - y);
      if (distance < least) [best, least] = [i, distance];
    }
    return [outline[best - 1], outline[best]];
  }

  // the normal of the triangle whose middle is nearest
  function nearestNormal(faces, at) {
    let best = [0, 0, 1], least = Infinity;
    for (const [middle, normal] of faces) {
      const distance = Math.hypot(middle[0] - at.x, middle[1] - at.y, middle[2] - at.z);
      if (distance < least) [best, least] = [normal, distance];
    }
    return best;
  }

  // puts the normal of a curved surface below a point of the world into a vector
  function normalOf(contact) {
    const axes = surfaceAxes(contact), world = new THREE.Matrix4(), back = new THREE.Matrix4();
    const { shape: { sphere, capsule, cone, cam, mesh }, inside } = contact.surface;
    return (at, carrier, out) => {
      world.multiplyMatrices(carrier, axes);
      out.copy(at).applyMatrix4(back.copy(world).invert());
      if (mesh) out.set(...nearestNormal(mesh.faces, out));
      else if (cam) {
        const side = nearestSide(cam.outline, out.x, out.y);
        out.set(side[1][1] - side[0][1], side[0][0] - side[1][0], 0);
      } else if (capsule) out.z -= Math.min(Math.max(out.z, -capsule.length / 2), capsule.length / 2);
      else if (!sphere) out.z = 0;
      out.normalize();
      if (cone) out.multiplyScalar(Math.cos(cone.half_angle)).setZ(-Math.sin(cone.half_angle));
      if (inside) out.negate();
      out.transformDirection(world);
    };
  }

  // an arrow that keeps its thickness on the stage: shaft and head of unit length along y
  function arrow(paint, thickness) {
    const group = new THREE.Group();
    // seen through bodies: what happens in a contact is below them
    const material = new THREE.MeshBasicMaterial({ color: paint, depthTest: false, transparent: true });
    const shaft = new THREE.Mesh(new THREE.CylinderGeometry(thickness, thickness, 1, 12).translate(0, 0.5, 0), material);
    const head = new THREE.Mesh(new THREE.ConeGeometry(2.8 * thickness, 7 * thickness, 18).translate(0, -3.5 * thickness, 0), material);
    shaft.renderOrder = head.renderOrder = 2;
    group.add(shaft, head);
    group.visible = false;
    const up = new THREE.Vector3(0, 1, 0), direction = new THREE.Vector3();
    return {
      group,
      material,
      // from a point along a vector, whose length is that of the arrow
      point(from, vector) {
        const length = vector.length();
        group.visible = length > thickness;
        if (!group.visible) return;
        group.position.copy(from);
        group.quaternion.setFromUnitVectors(up, direction.copy(vector).divideScalar(length));
        const neck = Math.max(length - 7 * thickness, 0.05 * length);
        shaft.scale.set(1, neck, 1);
        head.position.y = length;
        head.scale.setScalar(Math.min(1, length / (7 * thickness)));
      },
    };
  }

  // an arrow around an axis: part of a ring of unit angle by angle, with a head at its end
  function arc(paint, thickness, radius) {
    const corners = 8, stations = 73, whole = 2 * Math.PI, step = whole / (stations - 1);
    const places = [], index = [];
    for (let s = 0; s < stations; s++) {
      for (let c = 0; c < corners; c++) {
        const out = radius + thickness * Math.cos((whole * c) / corners);
        places.push(out * Math.cos(s * step), out * Math.sin(s * step), thickness * Math.sin((whole * c) / corners));
        const next = (c + 1) % corners, a = s * corners;
        if (s + 1 < stations) index.push(a + c, a + corners + c, a + next, a + next, a + corners + c, a + corners + next);
      }
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(places), 3));
    geometry.setIndex(index);
    const material = new THREE.MeshBasicMaterial({ color: paint, depthTest: false, transparent: true, side: THREE.DoubleSide });
    const ring = new THREE.Mesh(geometry, material);
    const head = new THREE.Mesh(new THREE.ConeGeometry(2.8 * thickness, 7 * thickness, 18).translate(0, 3.5 * thickness, 0), material);
    const group = new THREE.Group();
    ring.renderOrder = head.renderOrder = 2;
    group.add(ring, head);
    group.visible = false;
    const up = new THREE.Vector3(0, 0, 1), axis = new THREE.Vector3();
    return {
      group,
      material,
      // around a point by an angle about a unit vector
      turn(at, about, angle) {
        const size = Math.min(Math.abs(angle), 0.9 * whole);
        group.visible = size > 0.02;
        if (!group.visible) return;
        group.position.copy(at);
        group.quaternion.setFromUnitVectors(up, axis.copy(about).multiplyScalar(Math.sign(angle)));
        const shown = Math.max(1, Math.round(size / step));
        geometry.setDrawRange(0, shown * corners * 6);
        head.position.set(radius * Math.cos(shown * step), radius * Math.sin(shown * step), 0);
        head.rotation.z = shown * step;
      },
    };
  }

  // a coil between two points
  function coil(paint, turns = 9) {
    const count = 220;
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(3 * count), 3));
    const line = new THREE.Line(geometry, new THREE.LineBasicMaterial({ color: paint }));
    line.frustumCulled = false;
    const along = new THREE.Vector3(), first = new THREE.Vector3(), second = new THREE.Vector3(), p = new THREE.Vector3();
    return {
      line,
      stretch(from, to, radius) {
        along.subVectors(to, from);
        first.set(Math.abs(along.z) < 0.9 * along.length() ? 0 : 1, 0, Math.abs(along.z) < 0.9 * along.length() ? 1 : 0).cross(along).normalize();
        second.crossVectors(along, first).normalize();
        for (let i = 0; i < count; i++) {
          const s = i / (count - 1), inside = s > 0.08 && s < 0.92 ? radius : 0;
          const angle = ((s - 0.08) / 0.84) * turns * 2 * Math.PI;
          p.copy(from).addScaledVector(along, s).addScaledVector(first, inside * Math.cos(angle)).addScaledVector(second, inside * Math.sin(angle));
          p.toArray(geometry.attributes.position.array, 3 * i);
        }
        geometry.attributes.position.needsUpdate = true;
      },
    };
  }

  return { track, poser, bodyGroup, planeGroup, surfaceGroup, normalOf, ground, triad, arrow, arc, coil, magnifyTurn };
})();
