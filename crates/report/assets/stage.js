// The animation: plays the motion, colours contacts by stick and slip, draws forces as arrows.
bristle.stage = (() => {
  const { data, clock, colour, element, format } = bristle;
  const speeds = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30];
  const magnifications = [1, 10, 100, 1e3, 1e4];

  function make(host, scene) {
    const build = bristle.stageBuild, stage = scene.stage;
    const view = element("div", { className: "view", tabIndex: 0, role: "application", "aria-label": "Animation of the machine. Space plays and stops; arrow keys move in time; drag to turn, pinch or ctrl and wheel to come nearer." });
    const canvas = element("canvas");
    view.append(canvas);
    host.append(view);
    let renderer;
    try {
      renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true });
    } catch {
      view.replaceWith(element("p", { className: "failed" }, "This browser offers no WebGL, which the animation needs. Everything else on this page works without it."));
      return;
    }
    const track = build.track(scene);
    const world = populate(scene, track);
    const camera = new THREE.PerspectiveCamera(32, 1, 1e-3 * world.size, 1e3 * world.size);
    camera.up.set(0, 0, 1);
    const controls = new THREE.OrbitControls(camera, canvas);
    controls.enableZoom = false;
    view.addEventListener("wheel", (event) => { controls.enableZoom = event.ctrlKey || event.shiftKey || document.activeElement === view; }, { capture: true });
    const aim = () => {
      controls.target.copy(world.centre);
      camera.position.set(1.5, -2.6, 1.35).multiplyScalar(world.size * 0.95).add(world.centre);
      controls.update();
    };
    aim();
    const ui = controlsOf(host, view, world, aim);
    const axes = element("canvas", { className: "triad", role: "img", "aria-label": "Directions of the world: x, y, z" });
    view.append(axes);
    const triad = build.triad(axes, camera);
    still(view, canvas, () => { world.show(clock.t, ui); renderer.render(world.root, camera); });
    let dirty = true, slow = 0, ratio = Math.min(devicePixelRatio, 2);
    const invalidate = () => { dirty = true; };
    controls.addEventListener("change", invalidate);
    ui.onChange = invalidate;
    clock.on("time", invalidate);
    clock.on("theme", () => { world.recolour(); invalidate(); });
    new ResizeObserver(() => {
      const { clientWidth: w, clientHeight: h } = view;
      if (!w || !h) return;
      renderer.setPixelRatio(ratio);
      renderer.setSize(w, h, false);
      camera.aspect = w / h;
      camera.updateProjectionMatrix();
      ui.repaint();
      invalidate();
    }).observe(view);

    let last = performance.now(), seen = true;
    new IntersectionObserver(([entry]) => { seen = entry.isIntersecting; }).observe(view);
    // a computer without a graphics card draws fewer pixels, so that the motion stays a motion
    const spare = (passed) => {
      slow = 0.9 * slow + 0.1 * passed;
      if (slow < 0.045 || ratio <= 0.5) return;
      ratio = Math.max(0.7 * ratio, 0.5);
      slow = 0;
      renderer.setPixelRatio(ratio);
    };
    const frame = (now) => {
      const passed = Math.min((now - last) / 1000, 0.1);
      last = now;
      if (ui.playing && seen) spare(passed);
      if (ui.playing) {
        const t = clock.t + passed * ui.speed;
        clock.setTime(t >= clock.end ? (ui.playing = false, clock.end) : t);
        if (!ui.playing) ui.show();
      }
      if (dirty && seen) {
        dirty = false;
        world.show(clock.t, ui);
        if (ui.follow) { controls.target.copy(world.followed()); camera.position.add(world.moved()); controls.update(); }
        ui.tell(world);
        renderer.render(world.root, camera);
        triad();
        api.frames += 1;
      }
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    api.world = world;
    api.ui = ui;
  }

  // a picture for paper: what WebGL has drawn is gone by the time the page is printed
  function still(view, canvas, draw) {
    const picture = element("canvas", { className: "still", hidden: true });
    view.append(picture);
    addEventListener("beforeprint", () => {
      draw();
      picture.width = canvas.width;
      picture.height = canvas.height;
      picture.getContext("2d").drawImage(canvas, 0, 0);
      picture.hidden = false;
    });
    addEventListener("afterprint", () => { picture.hidden = true; });
  }

  // the whole stage with what moves on it
  function populate(scene, track) {
    const build = bristle.stageBuild, stage = scene.stage;
    const root = new THREE.Scene();
    const sun = new THREE.DirectionalLight(0xffffff, 1.7);
    sun.position.set(2, -3, 5);
    root.add(new THREE.HemisphereLight(0xffffff, 0x9aa4ae, 1.6), sun);
    track.seek(clock.start);
    const { size } = extentOf(stage, track);
    const bodies = stage.bodies.map((body, i) => {
      const group = build.bodyGroup(body, i, stage, size);
      root.add(group);
      return { group, pose: build.poser(body, track), chained: stage.chains.some((c) => c.points.some((p) => p.body === i)) && !body.shapes.length };
    });
    bodies.forEach((body) => { if (body.chained) body.group.visible = false; });
    const groupOf = (index) => (index == null ? root : bodies[index].group);
    const seen = new Set();
    const floors = [];
    let cell = 0;
    // many planes are pieces of one surface
    const grounds = new Set(stage.contacts.filter((c) => c.plane.body == null && !c.surface).map((c) => JSON.stringify(c.plane)));
    const sheet = grounds.size > 3 ? 0.04 * size : size;
    for (const contact of stage.contacts) {
      const key = JSON.stringify([contact.plane, contact.surface?.shape]);
      if (seen.has(key)) continue;
      seen.add(key);
      if (contact.surface) {
        groupOf(contact.plane.body).add(build.surfaceGroup(contact));
        continue;
      }
      const plane = build.planeGroup(contact.plane, sheet);
      groupOf(contact.plane.body).add(plane.group);
      if (contact.plane.body == null) {
        cell = plane.cell;
        if (sheet === size) floors.push(floorOf(plane.group, plane.cell));
      }
    }
    const loads = contactsOf(stage, track, root, groupOf, size);
    const arrows = arrowsOf(stage, track, root, groupOf, size);
    const springs = stage.springs.map((spring) => {
      const coil = build.coil(colour("soft"));
      root.add(coil.line);
      return { ...spring, coil };
    });
    const chains = stage.chains.map((chain) => bristle.stageBeam.make(chain, root));
    // friction is often far below the normal force: it is then drawn larger, and the legend says by how much
    const pushes = loads.largest("normal_force"), friction = Math.max(loads.largest("friction"), arrows.largest((a) => a.friction && !a.moment));
    // an applied force may be three times as long as what the contacts answer
    const largest = Math.max(pushes, friction, arrows.largest((a) => !a.friction && !a.moment) / (pushes || friction ? 3 : 1)) || 1;
    const lift = friction > 0 ? 10 ** Math.floor(Math.log10(Math.max(largest / friction, 1)) + 0.2) : 1;
    // a machine that travels far is followed by the camera from the start
    const travels = Math.max(...stage.bodies.map(({ pose: { position } }) => position.channels
      ? Math.max(...position.channels.map((n) => { const c = track.column(n); let low = Infinity, high = -Infinity; for (const v of c) { if (v < low) low = v; if (v > high) high = v; } return high - low; })) : 0)) > 1.2 * size;
    const from = new THREE.Vector3(), to = new THREE.Vector3();
    const off = new THREE.Vector3(), centre = new THREE.Vector3(), before = new THREE.Vector3(), now = new THREE.Vector3(), below = new THREE.Vector3();

    function show(t, ui) {
      track.seek(t);
      bodies.forEach(({ group, pose }) => pose(group, ui.magnify));
      root.updateMatrixWorld(true);
      const metres = (0.42 * size * ui.arrows) / largest;
      loads.show(metres, lift);
      arrows.show(metres, lift, ui.arrows, loads.states);
      for (const spring of springs) {
        from.fromArray(spring.from).applyMatrix4(groupOf(spring.from_body).matrixWorld);
        to.fromArray(spring.to).applyMatrix4(groupOf(spring.to_body).matrixWorld);
        spring.coil.stretch(from, to, spring.is_cable ? 0 : 0.035 * size);
      }
      chains.forEach((chain) => bristle.stageBeam.place(chain, groupOf));
      floors.forEach((floor) => floor(middle(below)));
    }
    // the camera looks at the middle of the bodies
    const middle = (out) => {
      out.set(0, 0, 0);
      bodies.forEach(({ group }) => out.add(group.position));
      return out.divideScalar(Math.max(bodies.length, 1)).add(off);
    };
    track.seek(clock.t);
    bodies.forEach(({ group, pose }) => pose(group, 1));
    // bodies may lie beside their origins
    const whole = extentOf(stage, track).centre;
    off.copy(whole.sub(middle(centre)));
    middle(centre);
    if (!stage.contacts.some((c) => c.plane.body == null && !c.surface)) {
      const { grid, cell: edge } = build.ground(size, centre, lowest(stage, track));
      root.add(grid);
      cell = edge;
      floors.push(floorOf(grid, edge));
    }
    before.copy(centre);
    return {
      root, stage, size, centre, cell, bodies, track, show, lift, travels, arrows: arrows.all,
      states: loads.states,
      followed: () => middle(now),
      moved: () => { const step = now.clone().sub(before); before.copy(now); return step; },
      recolour: () => bristle.stageColours?.(root),
    };
  }

  // a floor without end: its grid moves by whole cells to where the machine is
  function floorOf(grid, cell) {
    const from = grid.position.clone(), way = new THREE.Vector3();
    const axes = [new THREE.Vector3(1, 0, 0), new THREE.Vector3(0, 1, 0)];
    if (grid.isLineSegments) axes[1].set(0, 0, 1);
    for (const axis of axes) axis.applyQuaternion(grid.quaternion);
    return (middle) => {
      way.subVectors(middle, from);
      grid.position.copy(from);
      for (const axis of axes) grid.position.addScaledVector(axis, cell * Math.round(way.dot(axis) / cell));
    };
  }

  // the size of the machine and its middle: those of its bodies and points, not of the way it goes
  function extentOf(stage, track) {
    const at = new THREE.Group(), place = new THREE.Vector3(), turn = new THREE.Quaternion();
    const places = [];
    for (const body of stage.bodies) {
      bristle.stageBuild.poser(body, track)(at, 1);
      at.updateMatrixWorld(true);
      places.push(at.position.toArray());
      for (const shape of body.shapes) {
        const { edges, centre, orientation } = sidesOf(shape);
        for (const corner of corners) {
          place.fromArray(corner.map((side, k) => (side * edges[k]) / 2));
          if (orientation) place.applyQuaternion(turn.set(...orientation.slice(1), orientation[0]));
          place.set(...place.toArray().map((x, k) => x + centre[k])).applyMatrix4(at.matrixWorld);
          places.push(place.toArray());
        }
      }
    }
    const ends = (list, k) => [Math.min(...list.map((p) => p[k])), Math.max(...list.map((p) => p[k]))];
    const across = (list) => (list.length < 2 ? 0 : Math.hypot(...[0, 1, 2].map((k) => { const [low, high] = ends(list, k); return high - low; })));
    const size = Math.max(across(places), across(stage.contacts.flatMap((c) => c.points)));
    const middle = places.length ? [0, 1, 2].map((k) => { const [low, high] = ends(places, k); return (low + high) / 2; }) : [0, 0, 0];
    return { size: size > 0 ? size : 1, centre: new THREE.Vector3().fromArray(middle) };
  }

  const corners = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => [x, y, z])));

  // the box about a shape
  function sidesOf({ box, inertia, sphere, cylinder }) {
    if (sphere) return { edges: [2 * sphere.radius, 2 * sphere.radius, 2 * sphere.radius], centre: sphere.centre };
    if (cylinder) return { edges: [2 * cylinder.radius, 2 * cylinder.radius, cylinder.length], centre: cylinder.centre };
    return box ?? inertia;
  }

  // where the ground is drawn: below everything that moves
  function lowest(stage, track) {
    const reach = (shape) => {
      const { edges, centre } = sidesOf(shape);
      return Math.hypot(...centre) + (shape.sphere ? shape.sphere.radius : Math.hypot(...edges) / 2);
    };
    const low = stage.bodies.map(({ shapes, pose: { position } }) => {
      const heights = position.channels ? track.column(position.channels[2]) : [position.fixed[2]];
      return heights.reduce((a, b) => Math.min(a, b), Infinity) - Math.max(0, ...shapes.map(reach));
    });
    return low.length ? Math.min(...low) : 0;
  }

  function contactsOf(stage, track, root, groupOf, size) {
    const build = bristle.stageBuild, thickness = 0.007 * size;
    const points = [];
    for (const contact of stage.contacts) {
      contact.points.forEach((place, i) => {
        const prefix = `contact.${contact.name}.point${i + 1}`;
        if (!track.has(`${prefix}.normal_force`)) return;
        const ball = new THREE.Mesh(new THREE.SphereGeometry(0.02 * size, 20, 14), new THREE.MeshBasicMaterial({ depthTest: false, transparent: true }));
        ball.renderOrder = 3;
        const friction = build.arrow(colour("slip"), thickness), normal = build.arrow(colour("c2"), thickness);
        root.add(ball, friction.group, normal.group);
        const stands = contact.surface && build.normalOf(contact);
        points.push({ contact, place, radius: contact.radii[i] ?? 0, prefix, ball, friction, normal, stands });
      });
    }
    const at = new THREE.Vector3(), force = new THREE.Vector3(), axis = new THREE.Vector3();
    const states = new Map();
    function show(metres, lift) {
      states.clear();
      for (const { contact, place, radius, prefix, ball, friction, normal, stands } of points) {
        const press = track.held(`${prefix}.normal_force`);
        const slips = track.held(`${prefix}.slip_speed`) >= contact.slip_speed;
        const kind = press > 0 ? (slips ? "slip" : "stick") : "open";
        const count = states.get(contact.name) ?? { stick: 0, slip: 0, open: 0 };
        count[kind] += 1;
        states.set(contact.name, count);
        at.fromArray(place).applyMatrix4(groupOf(contact.body).matrixWorld);
        const carrier = groupOf(contact.plane.body).matrixWorld;
        if (stands) stands(at, carrier, axis);
        else axis.fromArray(contact.plane.normal).transformDirection(carrier);
        at.addScaledVector(axis, -radius);
        ball.position.copy(at);
        ball.material.color.set(colour(kind));
        // the law's friction is along the slip; the body with the points feels the opposite
        force.set(-track.get(`${prefix}.friction.x`), -track.get(`${prefix}.friction.y`), -track.get(`${prefix}.friction.z`)).multiplyScalar(metres * lift);
        friction.material.color.set(colour(kind));
        friction.point(at, force);
        normal.material.color.set(colour("c2"));
        normal.point(at, axis.multiplyScalar(contact.pushes ? track.get(`${prefix}.normal_force`) * metres : 0));
      }
    }
    const largest = (what) => {
      const columns = points.flatMap(({ contact, prefix }) => {
        if (what === "friction") return ["x", "y", "z"].map((axis) => track.column(`${prefix}.friction.${axis}`));
        return contact.pushes ? [track.column(`${prefix}.normal_force`)] : [];
      });
      return usual(columns);
    };
    return { show, largest, states };
  }

  // arrows are scaled by the forces of most of the run: a short impact may point off the stage
  function usual(columns) {
    const sizes = [];
    for (const column of columns) {
      const step = Math.max(1, Math.floor(column.length / 300));
      for (let i = 0; i < column.length; i += step) if (column[i] !== 0) sizes.push(Math.abs(column[i]));
    }
    sizes.sort((a, b) => a - b);
    return sizes[Math.floor(0.98 * (sizes.length - 1))] ?? 0;
  }

  // loads, and the friction of joints in the colours of stick and slip; moments are arcs
  function arrowsOf(stage, track, root, groupOf, size) {
    const build = bristle.stageBuild;
    const all = stage.arrows.filter((a) => track.has(a.channel)).map((a) => {
      const paint = colour("c3");
      const arrow = a.moment ? build.arc(paint, 0.007 * size, (a.friction ? 0.24 : 0.17) * size) : build.arrow(paint, (a.friction ? 0.007 : 0.009) * size);
      root.add(arrow.group);
      return { ...a, arrow };
    });
    const largest = (suits) => usual(all.filter(suits).map((a) => track.column(a.channel)));
    // friction is often far below what drives: each to a scale of its own
    const most = [false, true].map((rubs) => largest((a) => a.moment && !!a.friction === rubs) || 1);
    const at = new THREE.Vector3(), vector = new THREE.Vector3();
    const kindOf = ({ load, velocity, slip_speed }) => {
      if (!(track.held(load) > 0)) return "open";
      return Math.abs(track.held(velocity)) >= slip_speed ? "slip" : "stick";
    };
    return {
      all, largest,
      show(metres, lift, factor, states) {
        for (const { name, body, point, direction, turns, channel, moment, friction, arrow } of all) {
          const group = groupOf(body), kind = friction && kindOf(friction);
          at.fromArray(point).applyMatrix4(group.matrixWorld);
          vector.fromArray(direction);
          if (turns) vector.transformDirection(group.matrixWorld);
          arrow.material.color.set(colour(kind || "c3"));
          if (kind) states.set(name, { stick: 0, slip: 0, open: 0, [kind]: 1 });
          const value = track.get(channel);
          // the largest moment goes round by three quarters
          if (moment) arrow.turn(at, vector, (1.5 * Math.PI * factor * value) / most[friction ? 1 : 0]);
          else arrow.point(at, vector.multiplyScalar(value * metres * (friction ? lift : 1)));
        }
      },
    };
  }

  function controlsOf(host, view, world, aim) {
    const now = element("div", { className: "clock" }), state = element("div", { className: "state", "aria-live": "off" });
    const home = element("button", { type: "button", title: "Look from the front again" }, "Reset view");
    const axes = element("div", { className: "axes" }, world.cell ? `grid ${format.quantity(world.cell, "m")}` : "");
    view.append(now, state, element("div", { className: "corner" }, home), axes);
    const play = element("button", { type: "button", className: "play primary" }, "▶ Play");
    const scrub = element("input", { type: "range", min: 0, max: 10000, step: 1, value: 0, "aria-label": "Time" });
    const band = element("canvas");
    const select = (label, options, value) => {
      const list = element("select", {}, ...options.map(([v, text]) => element("option", { value: v, selected: v === value }, text)));
      return [element("label", {}, label, list), list];
    };
    const span = Math.max(clock.end - clock.start, 1e-300);
    // about eight seconds for the whole run
    const natural = speeds.reduce((best, s) => (Math.abs(Math.log(span / 8 / s)) < Math.abs(Math.log(span / 8 / best)) ? s : best), 1);
    const [speedLabel, speed] = select("Speed", speeds.map((s) => [s, `${s}×`]), natural);
    const [magnifyLabel, magnify] = select("Magnify", magnifications.map((m) => [m, `${m.toLocaleString("en")}×`]), 1);
    const [arrowLabel, arrows] = select("Forces", [[0, "hidden"], [0.3, "small"], [1, "medium"], [3, "large"]], 1);
    const follow = element("input", { type: "checkbox", checked: world.travels });
    host.append(
      element("div", { className: "controls" }, play,
        element("div", { className: "scrub" }, scrub, element("div", { className: "band" }, band)),
        speedLabel, magnifyLabel, arrowLabel, element("label", {}, follow, "Follow")),
      key(world));
    const ui = {
      playing: false, speed: natural, magnify: 1, arrows: 1, follow: world.travels, onChange() {},
      toggle() {
        if (!ui.playing && clock.t >= clock.end) clock.setTime(clock.start);
        ui.playing = !ui.playing;
        ui.show();
      },
      show() { play.textContent = ui.playing ? "❚❚ Pause" : "▶ Play"; play.setAttribute("aria-pressed", ui.playing); },
      tell(shown) {
        now.textContent = captionOf(shown.stage) ?? `t = ${format.quantity(clock.t, "s")}`;
        if (document.activeElement !== scrub || ui.playing) scrub.value = Math.round((10000 * (clock.t - clock.start)) / span);
        scrub.setAttribute("aria-valuetext", now.textContent);
        state.textContent = shown.states.size > 8 ? sum(shown.states) : [...shown.states].map(([name, n]) => `${name}: ${words(n)}`).join(" · ");
      },
      repaint: () => bristle.timeline.paint(band, mainBands(), clock.start, clock.end),
    };
    clock.on("theme", ui.repaint);
    play.addEventListener("click", ui.toggle);
    scrub.addEventListener("input", () => clock.setTime(clock.start + (span * Number(scrub.value)) / 10000));
    speed.addEventListener("change", () => { ui.speed = Number(speed.value); });
    magnify.addEventListener("change", () => { ui.magnify = Number(magnify.value); ui.onChange(); });
    arrows.addEventListener("change", () => { ui.arrows = Number(arrows.value); ui.onChange(); });
    follow.addEventListener("change", () => { ui.follow = follow.checked; world.followed(); world.moved(); ui.onChange(); });
    home.addEventListener("click", aim);
    view.addEventListener("keydown", (event) => {
      const step = ((event.shiftKey ? 0.1 : 0.01) * (clock.span ? clock.span[1] - clock.span[0] : span));
      const actions = { " ": ui.toggle, ArrowLeft: () => clock.setTime(clock.t - step), ArrowRight: () => clock.setTime(clock.t + step), Home: () => clock.setTime(clock.start), End: () => clock.setTime(clock.end) };
      if (actions[event.key] && event.target === view) { actions[event.key](); event.preventDefault(); }
    });
    // space plays from anywhere that has no use of its own for it
    document.addEventListener("keydown", (event) => {
      if (event.key === " " && event.target === document.body) { ui.toggle(); event.preventDefault(); }
    });
    return ui;
  }

  // what the stage is called at this time, if it has titles
  function captionOf({ captions = [] }) {
    return captions.findLast(([t]) => t <= clock.t)?.[1];
  }

  // of many contacts and joints how many there are of each kind
  function sum(states) {
    const all = [...states.values()];
    const count = (kind) => all.filter((n) => n[kind] > 0 && n[kind] === n.stick + n.slip + n.open).length;
    const [stick, slip, open] = [count("stick"), count("slip"), count("open")];
    const mixed = all.length - stick - slip - open;
    const parts = [[stick, "stick"], [slip, "slip"], [mixed, "stick in part"], [open, "apart"]];
    return `of ${all.length}: ${parts.filter(([n]) => n).map(([n, word]) => `${n} ${word}`).join(", ")}`;
  }

  // slip of any contact, over stick
  function mainBands() {
    const all = Object.values(data.pairs).flat();
    return [...all.filter((b) => b.kind === "stick"), ...all.filter((b) => b.kind === "slip")];
  }

  function words({ stick, slip, open }) {
    const total = stick + slip + open;
    if (slip === total) return "slips";
    if (stick === total) return "sticks";
    if (open === total) return "apart";
    return [[stick, "stick"], [slip, "slip"], [open, "apart"]].filter(([n]) => n).map(([n, word]) => `${n} ${word}`).join(", ");
  }

  // what is on the stage, and nothing else
  function key({ lift, stage, arrows }) {
    const more = lift > 1 ? ` (drawn ${lift}× larger)` : "";
    const has = (suits) => arrows.some(suits);
    const contacts = stage.contacts.length > 0, joints = has((a) => a.friction);
    const where = [contacts && "the contact", joints && "the joint"].filter(Boolean).join(" or ");
    const entries = [
      where && ["stick", `friction where ${where} sticks${more}`],
      where && ["slip", `friction where it slips${more}`],
      contacts && ["open", "apart"],
      stage.contacts.some((c) => c.pushes) && ["c2", "normal force"],
      has((a) => !a.friction) && ["c3", has((a) => !a.friction && !a.moment) ? "applied force" : "applied moment"],
      has((a) => a.moment) && ["soft", `arcs are moments, the longer the larger${has((a) => a.moment && a.friction) && has((a) => a.moment && !a.friction) ? "; friction to a scale of its own" : ""}`],
    ];
    return element("ul", { className: "key" }, ...entries.filter(Boolean).map(([name, text]) => element("li", { style: `--colour: var(--${name})` }, text)));
  }

  const api = { make, frames: 0 };
  return api;
})();
