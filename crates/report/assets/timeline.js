// Stick and slip as bands over time.
bristle.timeline = (() => {
  const { clock, colour, element, format } = bristle;
  const names = { stick: "sticks", slip: "slips", open: "apart" };

  // paints bands over the span [start, end] into a canvas of its own size
  function paint(canvas, bands, start, end) {
    const width = Math.round(canvas.clientWidth * devicePixelRatio), height = Math.round(canvas.clientHeight * devicePixelRatio);
    if (!width || !height) return;
    canvas.width = width;
    canvas.height = height;
    const context = canvas.getContext("2d");
    for (const { from, to, kind } of bands) {
      if (to < start || from > end) continue;
      const x0 = ((from - start) / (end - start)) * width, x1 = ((to - start) / (end - start)) * width;
      context.fillStyle = colour(kind);
      // a short slip stays visible
      context.fillRect(x0, 0, Math.max(x1 - x0, kind === "slip" ? 1 : 0), height);
    }
  }

  function key() {
    const items = ["stick", "slip", "open"].map((kind) => element("li", { style: `--colour: var(--${kind})` }, names[kind]));
    return element("ul", { className: "key" }, ...items);
  }

  function describe(label, bands) {
    const slips = bands.filter((band) => band.kind === "slip");
    const shown = slips.slice(0, 3).map((b) => `${format.quantity(b.from, "s")} to ${format.quantity(b.to, "s")}`);
    const more = slips.length > 3 ? ` and ${slips.length - 3} more` : "";
    return `${label}: ${slips.length ? "slips " + shown.join(", ") + more : "never slips"}`;
  }

  function make(host, timeline) {
    const canvases = [];
    for (const row of timeline.rows) {
      const canvas = element("canvas", { role: "img", "aria-label": describe(row.label, row.bands) });
      const now = element("div", { className: "now", hidden: true });
      const track = element("div", { className: "track", title: describe(row.label, row.bands) }, canvas, now);
      const thin = timeline.rows.length > 8;
      host.append(element("div", { className: thin ? "row thin" : "row" }, element("span", { className: "name", title: row.label }, row.label), track));
      canvases.push({ canvas, row, track, now });
      track.addEventListener("click", (event) => {
        const [start, end] = span();
        clock.setTime(start + (event.offsetX / track.clientWidth) * (end - start));
      });
    }
    const from = element("span"), to = element("span");
    host.append(element("div", { className: "row" }, element("span"), element("div", { className: "ends" }, from, to)), key());
    const span = () => clock.span ?? [timeline.start, timeline.end];
    const draw = () => {
      const [start, end] = span();
      for (const { canvas, row } of canvases) paint(canvas, row.bands, start, end);
      from.textContent = format.quantity(start, "s");
      to.textContent = format.quantity(end, "s");
      place();
    };
    const place = () => {
      const [start, end] = span();
      for (const { track, now } of canvases) {
        now.hidden = !bristle.data.scene || clock.t < start || clock.t > end;
        now.style.transform = `translateX(${((clock.t - start) / (end - start)) * track.clientWidth}px)`;
      }
    };
    new ResizeObserver(draw).observe(host);
    clock.on("span", draw);
    clock.on("theme", draw);
    clock.on("time", place);
  }

  return { make, paint, key };
})();
