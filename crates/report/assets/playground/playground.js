// Puts it together: the law that is chosen, its parameters, and the pictures that follow them.
bristle.playground = (() => {
  const { element, format } = bristle;
  const bench = {};
  const conditions = [
    { name: "normalForce", label: "normal force", symbol: "N", unit: "N", value: 10, minimum: 0 },
    { name: "topSpeed", label: "largest slip velocity", unit: "m/s", value: 0.01, minimum: 1e-6, maximum: 10 },
    { name: "rampTime", label: "time to reach it", unit: "s", value: 0.2, minimum: 1e-4, maximum: 100 },
    { name: "amplitude", label: "amplitude of the loop", unit: "m", value: 24e-6, minimum: 1e-9, maximum: 0.1 },
    { name: "loopSpeed", label: "speed along the loop", unit: "m/s", value: 1e-6, minimum: 1e-9, maximum: 1 },
    { name: "mass", label: "mass of the block", symbol: "m", unit: "kg", value: 1, minimum: 1e-3, maximum: 1e3 },
    { name: "stiffness", label: "spring", symbol: "k", unit: "N/m", value: 20, minimum: 1e-2, maximum: 1e6 },
    { name: "drawingSpeed", label: "speed of its far end", unit: "m/s", value: 0.1, minimum: 1e-6, maximum: 10 },
    { name: "lagSpeed", label: "mean speed of the lag test", unit: "m/s", value: 1.5e-3, minimum: 1e-6, maximum: 1 },
    { name: "frequency", label: "its angular frequency", unit: "rad/s", value: 25, minimum: 1e-3, maximum: 1e4 },
  ];
  const results = {};
  let cards = [], card = null, values = {}, queued = false, late = 0;
  const at = (id) => document.getElementById(id);

  const written = (value) => (Array.isArray(value) ? `[${value.join(", ")}]` : typeof value === "string" ? JSON.stringify(value) : String(value));
  const lawFile = () => [`law = "${card.name}"`, ...Object.entries(values).map(([name, value]) => `${name} = ${written(value)}`)].join("\n") + "\n";

  function notice(text) {
    const list = text ? [element("li", { className: "notice bad" }, element("p", {}, text))] : [];
    at("notices").replaceChildren(...list);
    at("badge").className = `badge ${text ? "bad" : "good"}`;
    at("badge").textContent = text ? "not a law" : card.name;
  }

  function draw(id, law) {
    const picture = bristle.pictures.all[id], host = at(id).querySelector(".plot");
    try {
      const result = picture.make(law, bench);
      results[id] = result;
      const chart = { ...picture, curves: result.curves };
      host.replaceChildren();
      result.plot = bristle.pathChart.make(host, chart);
    } catch (error) {
      delete results[id];
      host.replaceChildren(element("p", { className: "failed" }, `Not to be had: ${error.message}`));
    }
  }

  // the largest force on the way, which tells how far a load must grow
  function level() {
    const forces = ["velocity", "presliding"].flatMap((id) => results[id]?.motion ? [...results[id].motion.F] : []);
    return forces.reduce((most, f) => Math.max(most, Math.abs(f)), 0) || bench.normalForce;
  }

  function compute(isLate) {
    let law;
    const toml = lawFile();
    at("law-file").textContent = toml;
    try {
      law = bristle.laws.law(toml);
      notice("");
    } catch (error) {
      notice(error.message.replace(/^law:\d+:\d+: /, ""));
      return;
    }
    for (const [id, picture] of Object.entries(bristle.pictures.all)) if (Boolean(picture.late) === isLate) {
      if (isLate) bench.level = level();
      draw(id, law);
    }
    law.free();
    document.documentElement.dataset.shown = String(Number(document.documentElement.dataset.shown ?? 0) + 1);
  }

  // once for each frame; what takes longer waits until the slider rests
  function refresh() {
    clearTimeout(late);
    late = setTimeout(() => compute(true), 150);
    if (queued) return;
    queued = true;
    requestAnimationFrame(() => { queued = false; compute(false); });
  }

  function choose(name) {
    card = cards.find((own) => own.name === name) ?? cards[0];
    values = structuredClone(card.standard);
    at("law").value = card.name;
    at("about").textContent = card.summary;
    at("equation-list").replaceChildren(...card.equations.map((text) => element("p", {}, text)));
    const dials = card.parameters.filter((own) => own.name in values).map((own) => bristle.dials.make(
      { ...own, value: values[own.name], curves: card.curves.filter((name) => name !== "table") },
      (parameter, value) => { values[parameter] = value; refresh(); }));
    at("parameters").replaceChildren(...dials);
    refresh();
  }

  function save(name, text) {
    const link = element("a", { href: URL.createObjectURL(new Blob([text], { type: "text/plain" })), download: name });
    link.click();
    URL.revokeObjectURL(link.href);
  }
  function motionFile(id) {
    const { t, v, N } = results[id].motion;
    return ["t,v,N", ...Array.from(t, (time, i) => `${time},${v[i]},${N[i]}`)].join("\n") + "\n";
  }

  async function start(first) {
    try {
      cards = await bristle.laws.load();
    } catch (error) {
      card = { name: "" };
      notice(`The laws cannot be loaded in this browser: ${error.message}`);
      return;
    }
    at("law").replaceChildren(...cards.map((own) => element("option", { value: own.name }, `${own.name} – ${own.title}`)));
    at("law").addEventListener("change", () => choose(at("law").value));
    at("reset").addEventListener("click", () => choose(card.name));
    at("panel").addEventListener("submit", (event) => event.preventDefault());
    for (const own of conditions) bench[own.name] = own.value;
    at("conditions").replaceChildren(...conditions.map((own) => bristle.dials.make(own, (name, value) => {
      // a number beyond what the bench can do is not taken
      if (value >= own.minimum && value <= (own.maximum ?? Infinity)) { bench[name] = value; refresh(); }
    })));
    document.querySelectorAll(".save").forEach((button) => button.addEventListener("click", () => {
      if (results[button.dataset.picture]) save(`${button.dataset.picture}.csv`, motionFile(button.dataset.picture));
    }));
    at("copy").addEventListener("click", () => navigator.clipboard?.writeText(lawFile()));
    bristle.clock.on("theme", () => Object.values(results).forEach(({ plot }) => {
      if (!plot) return;
      plot.redraw(true, true);
      bristle.timeChart.recolour(plot);
    }));
    new ResizeObserver(() => Object.values(results).forEach(({ plot }) => {
      const host = plot?.root.parentElement;
      if (host?.clientWidth && host.clientWidth !== plot.width) plot.setSize({ width: host.clientWidth, height: plot.height });
    })).observe(at("main"));
    at("bench").open = innerWidth > 800;
    choose(first);
  }

  return { start, choose, lawFile, motionFile, results, bench, cards: () => cards };
})();
