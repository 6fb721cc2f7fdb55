// Curves over time, with uPlot: linked cursors, zoom by dragging, stick and slip behind them.
bristle.timeChart = (() => {
  const { clock, format, values, colour, element } = bristle;
  const dashes = [[], [7, 3], [2, 3], [8, 3, 2, 3]];
  // of curves on each other the lowest is wide and the others are dashed, as in the plots of a run
  const covering = [[10, 8], [4, 8], [4, 14]];
  const ownDash = [4, 3];
  const dashOf = (curve) => (curve.style === "dashed" ? ownDash : curve.on > 0 ? covering[Math.min(curve.on, 3) - 1] : dashes[Math.floor(curve.entry / 8) % 4]);
  const widthOf = (curve) => (curve.style === "thin" ? 0.8 : curve.covered ? 3.2 : 1.6);
  const font = () => `12px ${getComputedStyle(document.body).fontFamily}`;
  const bandColours = { stick: "stick", slip: "slip", open: "open" };

  function extent(columns) {
    let largest = 0;
    for (const column of columns) for (const v of column) if (Math.abs(v) > largest && isFinite(v)) largest = Math.abs(v);
    return largest;
  }

  // an axis with its unit, scaled by the size of the numbers
  function axis({ label, unit, scale, whole }, magnitude, side) {
    const linear = scale === "linear";
    const by = format.scale(linear ? magnitude : 1, unit);
    const name = by.unit ? `${label} (${by.unit})` : label;
    const room = (u, texts) => {
      if (side !== 3 || !texts) return side === 3 ? 50 : 34;
      u.ctx.font = font();
      return 16 + Math.max(...texts.map((t) => u.ctx.measureText(t).width / devicePixelRatio));
    };
    // between two counts there is nothing to mark
    const counts = whole ? { incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9] } : {};
    return {
      ...counts, side, label: name, labelSize: 22, labelFont: font(), font: font(), size: room, labelGap: 0,
      stroke: () => colour("soft"),
      grid: { stroke: () => colour("grid"), width: 1 },
      ticks: { stroke: () => colour("line"), width: 1, size: 5 },
      values: (u, splits) => linear ? format.ticks(splits, by.factor) : splits.map(format.power),
      space: side === 3 ? 36 : 64,
    };
  }

  // the scale of an axis: by decades, or by decades on either side of the smallest value
  function spread(axis, columns) {
    if (axis.scale === "log") return { distr: 3 };
    if (axis.scale !== "signed") return {};
    let smallest = Infinity;
    for (const column of columns) for (const v of column) if (v !== 0 && Math.abs(v) < smallest) smallest = Math.abs(v);
    return { distr: 4, asinh: isFinite(smallest) ? smallest : 1 };
  }

  // stick and slip of a contact as a strip along the foot of the plot, and slip as a tint behind it
  function drawBands(u, bands) {
    const { ctx, bbox } = u;
    const strip = 5 * devicePixelRatio;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    for (const { from, to, kind } of bands) {
      if (to < u.scales.x.min || from > u.scales.x.max) continue;
      const x0 = u.valToPos(from, "x", true), x1 = u.valToPos(to, "x", true);
      ctx.fillStyle = colour(bandColours[kind]);
      if (kind === "slip") {
        ctx.globalAlpha = 0.09;
        ctx.fillRect(x0, bbox.top, x1 - x0, bbox.height);
      }
      ctx.globalAlpha = 0.85;
      ctx.fillRect(x0, bbox.top + bbox.height - strip, Math.max(x1 - x0, 1), strip);
    }
    ctx.restore();
  }

  // curves on different grids of time are laid on their union; uPlot knows how to join them
  function aligned(curves) {
    const same = curves.every((c) => c.x === curves[0].x);
    if (same) return [values(curves[0].x), ...curves.map((c) => values(c.y))];
    return uPlot.join(curves.map((c) => [values(c.x), values(c.y)]));
  }

  function zoomBy(u, factor, about) {
    const { min, max } = u.scales.x;
    const low = about - (about - min) * factor, high = about + (max - about) * factor;
    if (high - low > 1e-12 * Math.max(Math.abs(high), 1e-300)) setSpan(u, low, high);
  }

  function setSpan(u, low, high) {
    const xs = u.data[0];
    low = Math.max(low, xs[0]);
    high = Math.min(high, xs[xs.length - 1]);
    if (high > low) u.setScale("x", { min: low, max: high });
  }

  function keys(u, event) {
    const { min, max } = u.scales.x;
    const middle = u.cursor.idx != null ? u.data[0][u.cursor.idx] : 0.5 * (min + max);
    const step = (max - min) / (event.shiftKey ? 10 : 100);
    const move = (dt) => {
      const t = Math.min(Math.max((u.cursor.idx != null ? middle : clock.t) + dt, min), max);
      u.setCursor({ left: u.valToPos(t, "x"), top: u.over.clientHeight / 2 });
    };
    const actions = {
      ArrowLeft: () => move(-step), ArrowRight: () => move(step),
      "+": () => zoomBy(u, 0.7, middle), "=": () => zoomBy(u, 0.7, middle), "-": () => zoomBy(u, 1 / 0.7, middle),
      0: () => setSpan(u, -Infinity, Infinity), Escape: () => setSpan(u, -Infinity, Infinity),
      Enter: () => clock.setTime(middle),
    };
    if (actions[event.key] && !event.ctrlKey && !event.metaKey) {
      actions[event.key]();
      event.preventDefault();
    }
  }

  function make(host, chart, bands) {
    const data = aligned(chart.curves);
    const entry = (i) => chart.curves[i].entry;
    const magnitude = extent(data.slice(1));
    const linked = chart.x.unit === "s";
    const resetButton = element("button", { type: "button", className: "reset", hidden: true }, "Show all");
    const now = element("div", { className: "now", hidden: true });
    const options = {
      width: host.clientWidth, height: 300, padding: [12, 14, 0, 0],
      scales: {
        x: { time: false, range: (u, low, high) => wide(low, high), ...spread(chart.x, [data[0]]) },
        y: { range: (u, low, high) => padded(low, high), ...spread(chart.y, data.slice(1)) },
      },
      cursor: {
        sync: linked ? { key: "time", setSeries: false, scales: ["x", null] } : undefined,
        drag: { x: true, y: false, dist: 4 },
        points: { size: 7, width: 2, stroke: () => colour("card"), fill: (u, i) => seriesColour(entry(i - 1)) },
      },
      legend: { live: true, markers: { width: 0, fill: (u, i) => seriesColour(entry(i - 1)) } },
      axes: [axis(chart.x, linked ? 1 : extent([data[0]]), 2), axis(chart.y, magnitude, 3)],
      series: [
        { label: chart.x.label, value: (u, v) => format.quantity(v, chart.x.unit) },
        ...chart.curves.map((curve, i) => ({
          label: curve.label, ...(curve.label ? {} : { class: "goes-on" }), width: widthOf(curve), spanGaps: true,
          // rounded to pixels a line that rises slowly has stairs
          pxAlign: 0, stroke: () => seriesColour(entry(i)), dash: dashOf(curve),
          value: (u, v) => format.quantity(v, curve.unit), ...marks(curve.style, () => seriesColour(entry(i))),
        })),
      ],
      hooks: {
        drawClear: [(u) => bands && drawBands(u, bands)],
        draw: [(u) => place(u)],
        setScale: [(u, key) => {
          if (key !== "x" || !u.data) return;
          const xs = u.data[0], { min, max } = u.scales.x;
          const whole = min <= xs[0] && max >= xs[xs.length - 1];
          resetButton.hidden = whole;
          if (linked) clock.setSpan(whole ? null : min, max);
        }],
      },
    };
    const place = (u) => {
      const { min, max } = u.scales.x;
      now.hidden = !bristle.data.scene || !linked || clock.t < min || clock.t > max;
      if (!now.hidden) now.style.transform = `translateX(${u.valToPos(clock.t, "x")}px)`;
    };
    const u = new uPlot(options, data, host);
    u.entries = chart.curves.map((curve) => curve.entry);
    u.over.append(now);
    host.append(resetButton);
    resetButton.addEventListener("click", () => setSpan(u, -Infinity, Infinity));
    attach(u, linked, chart.title);
    if (linked) clock.on("time", () => place(u));
    place(u);
    return u;
  }

  // data are points without a line
  function marks(style, stroke) {
    if (style !== "points") return { points: { show: false } };
    return { paths: () => null, points: { show: true, size: 5, width: 1.4, stroke, fill: "transparent" } };
  }

  // the legend keeps the colours it was made with
  function recolour(u) {
    u.root.querySelectorAll(".u-legend .u-series").forEach((row, i) => {
      const marker = row.querySelector(".u-marker");
      if (marker && i > 0) marker.style.background = seriesColour(u.entries[i - 1]);
    });
  }

  // a span that the axis can still divide
  function wide(low, high) {
    if (low == null) return [0, 1];
    const least = 1e-11 * Math.max(Math.abs(low), Math.abs(high), 1e-300);
    return high - low > least ? [low, high] : [low - least, high + least];
  }

  // room above and below, and a picture for a constant
  function padded(low, high) {
    if (low == null) return [0, 1];
    // differences that are rounding are none, and no axis could show them
    const size = Math.max(Math.abs(low), Math.abs(high));
    if (high - low <= 1e-11 * size) {
      const half = size > 0 ? 0.1 * size : 1;
      return [low - half, high + half];
    }
    const room = 0.06 * (high - low);
    return [low - room, high + room];
  }

  const seriesColour = (i) => colour(`c${((i % 8) + 8) % 8}`);

  function attach(u, linked, title) {
    const wrap = u.root.querySelector(".u-wrap");
    wrap.tabIndex = 0;
    wrap.setAttribute("role", "img");
    wrap.setAttribute("aria-label", `${title}. Arrow keys move the cursor, plus and minus zoom, 0 shows all.`);
    wrap.addEventListener("keydown", (event) => keys(u, event));
    u.over.addEventListener("wheel", (event) => {
      // a plain wheel scrolls the page
      if (!event.ctrlKey && !event.shiftKey && !event.altKey) return;
      event.preventDefault();
      const about = u.posToVal(event.offsetX, "x");
      zoomBy(u, (event.deltaY || event.deltaX) > 0 ? 1.2 : 1 / 1.2, about);
    }, { passive: false });
    let pressed = 0;
    u.over.addEventListener("mousedown", (event) => { pressed = event.clientX; });
    u.over.addEventListener("click", (event) => {
      if (linked && Math.abs(event.clientX - pressed) < 4) clock.setTime(u.posToVal(u.cursor.left, "x"));
    });
    for (const row of u.root.querySelectorAll(".u-legend .u-series th")) {
      row.tabIndex = 0;
      row.setAttribute("role", "button");
      row.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") { row.click(); event.preventDefault(); }
      });
    }
  }

  return { make, recolour, axis, spread, padded, extent, seriesColour, dashOf, widthOf, setSpan };
})();
