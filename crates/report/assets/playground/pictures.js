// What the test bench shows of a law: motions, and the curves that come of them.
bristle.pictures = (() => {
  const span = (n, f) => Float64Array.from({ length: n }, (_, i) => f(i / (n - 1)));
  const constant = (n, value) => new Float64Array(n).fill(value);
  const curve = (label, x, y, entry, more = {}) => ({ label, x, y, entry, on: 0, ...more });

  // from rest to a speed, to the opposite one, and back to the first, at a constant change of speed
  function ramp(bench) {
    const corners = [0, 1, 0, -1, 0, 1], each = 120, n = each * (corners.length - 1) + 1;
    const t = span(n, (s) => s * (corners.length - 1) * bench.rampTime);
    const v = Float64Array.from(t, (_, i) => {
      const k = Math.min(Math.floor(i / each), corners.length - 2), s = i / each - k;
      return bench.topSpeed * (corners[k] + s * (corners[k + 1] - corners[k]));
    });
    return { t, v, N: constant(n, bench.normalForce) };
  }

  function velocity(law, bench) {
    const curves = [];
    const v = span(401, (s) => bench.topSpeed * (2 * s - 1) ** 3);
    // at rest any force between the two levels holds: the curve goes through both
    const half = Float64Array.from(v, (x) => (x === 0 ? NaN : law.steady(Math.abs(x), bench.normalForce) ?? NaN));
    const steady = [...v].map((x, i) => [x, Math.sign(x) * half[i]]).filter(([, f]) => Number.isFinite(f));
    if (steady.length > 300) curves.push(curve("steady sliding", steady.map(([x]) => x), steady.map(([, f]) => f), 0));
    const motion = ramp(bench), F = law.drive(motion);
    curves.push(curve("speed up and down", motion.v, F, 1, { t: motion.t, style: curves.length ? "dashed" : undefined }));
    return { curves, motion: { ...motion, F } };
  }

  // through 0, 1, −0.5, 0.3, −0.5 and 1 times the amplitude, at a constant speed
  function loops(law, bench) {
    const turns = [1, -0.5, 0.3, -0.5, 1], samples = 60, slow = bench.loopSpeed;
    const t = [0], v = [0], x = [0];
    let time = 0, place = 0;
    for (const turn of turns) {
      const length = turn * bench.amplitude - place, duration = Math.abs(length) / slow, speed = slow * Math.sign(length);
      // a change of speed takes this part of the time of a branch
      time += 1e-6 * duration;
      t.push(time); v.push(speed); x.push(place);
      for (let i = 1; i <= samples; i++) {
        t.push(time + (i / samples) * duration); v.push(speed); x.push(place + (i / samples) * length);
      }
      time += duration;
      place = turn * bench.amplitude;
    }
    const motion = { t: Float64Array.from(t), v: Float64Array.from(v), N: constant(t.length, bench.normalForce) };
    const F = law.drive(motion);
    return { curves: [curve("", Float64Array.from(x), F, 0, { t: motion.t })], motion: { ...motion, F } };
  }

  // a speed that swings about a mean one: force rising and falling differ by the lag
  function lag(law, bench) {
    const swing = (omega, periods) => {
      const before = 100 * periods, last = 400, n = before + last + 1;
      const phase = Float64Array.from({ length: n }, (_, i) => 2 * Math.PI * (i <= before ? i / 100 : periods + (i - before) / last));
      const motion = { t: phase.map((p) => p / omega), v: phase.map((p) => bench.lagSpeed * (1 + (2 / 3) * Math.cos(p))), N: constant(n, bench.normalForce) };
      const F = law.drive(motion);
      return { before, motion: { ...motion, F } };
    };
    const slow = swing(bench.frequency / 25, 1), fast = swing(bench.frequency, 12);
    const late = ({ before, motion }, label, entry) => curve(label, motion.v.slice(before), motion.F.slice(before), entry, { t: motion.t.slice(before) });
    const rate = (omega) => `${bristle.format.significant(omega, 3)} rad/s`;
    return { curves: [late(slow, rate(bench.frequency / 25), 0), late(fast, rate(bench.frequency), 1)], motion: fast.motion };
  }

  function stickSlip(law, bench) {
    const period = 2 * Math.PI * Math.sqrt(bench.mass / bench.stiffness);
    const t = span(1201, (s) => s * 10 * period);
    const motion = law.draw({ mass: bench.mass, normalForce: bench.normalForce, loadRate: 0, stiffness: bench.stiffness, speed: bench.drawingSpeed, t });
    return { curves: [curve("block", t, motion.v, 0), curve("far end of the spring", [0, t[t.length - 1]], [bench.drawingSpeed, bench.drawingSpeed], 7, { style: "thin" })], run: motion };
  }

  // the largest friction force under a load that grows, until the block has moved 1 mm
  function breakAway(law, bench) {
    const rates = [], peaks = [];
    for (let i = 0; i <= 8; i++) {
      const loadRate = bench.normalForce * 10 ** (-1 + i / 4);
      // beyond this level the block has gone, and accelerates
      let end = (2 * bench.level) / loadRate + Math.sqrt((2e-3 * bench.mass) / Math.max(bench.level, 1e-9));
      const motion = law.draw({ mass: bench.mass, normalForce: bench.normalForce, loadRate, stiffness: 0, speed: 0, t: span(801, (s) => s * end) });
      let peak = 0;
      for (let k = 0; k < motion.t.length && (k === 0 || motion.x[k - 1] < 1e-3); k++) peak = Math.max(peak, motion.F[k]);
      rates.push(loadRate); peaks.push(peak);
    }
    return { curves: [curve("peak", rates, peaks, 0)] };
  }

  const axis = (label, unit, scale = "linear") => ({ label, unit, scale });
  const all = {
    velocity: { make: velocity, title: "Force over slip velocity", x: axis("slip velocity", "m/s"), y: axis("friction force", "N") },
    presliding: { make: loops, title: "Presliding loop", x: axis("displacement", "m"), y: axis("friction force", "N") },
    "stick-slip": { make: stickSlip, title: "Stick–slip", x: axis("time", "s"), y: axis("velocity", "m/s") },
    lag: { make: lag, title: "Frictional lag", x: axis("slip velocity", "m/s"), y: axis("friction force", "N") },
    "break-away": { make: breakAway, title: "Break-away force", x: axis("rate of the load", "N/s", "log"), y: axis("largest friction force", "N"), late: true },
  };
  return { all };
})();
