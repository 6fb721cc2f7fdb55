// Paths in the plane, such as friction loops: uPlot's axes and zoom, own lines, the nearest point under the cursor.
bristle.pathChart = (() => {
  const { clock, format, values, colour, element, indexAt } = bristle;
  const { axis, spread, padded, extent, seriesColour, dashOf, widthOf } = bristle.timeChart;

  function drawPath(u, index, curve) {
    const [xs, ys] = u.data[index];
    const { ctx, bbox } = u;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.strokeStyle = ctx.fillStyle = seriesColour(curve.entry);
    if (curve.style === "points") {
      for (let i = 0; i < xs.length; i++) {
        ctx.beginPath();
        ctx.arc(u.valToPos(xs[i], "x", true), u.valToPos(ys[i], "y", true), 2.6 * devicePixelRatio, 0, 7);
        ctx.fill();
      }
      ctx.restore();
      return null;
    }
    ctx.lineWidth = widthOf(curve) * devicePixelRatio;
    ctx.setLineDash(dashOf(curve).map((part) => part * devicePixelRatio));
    ctx.lineJoin = "round";
    ctx.beginPath();
    for (let i = 0; i < xs.length; i++) {
      const x = u.valToPos(xs[i], "x", true), y = u.valToPos(ys[i], "y", true);
      if (i === 0) ctx.moveTo(x, y); else ctx.lineTo(x, y);
    }
    ctx.stroke();
    ctx.restore();
    return null;
  }

  // the lines x = 0 and y = 0, where the loops turn
  function drawZero(u) {
    const { ctx, bbox } = u;
    ctx.save();
    ctx.strokeStyle = colour("line");
    ctx.lineWidth = devicePixelRatio;
    ctx.beginPath();
    if (u.scales.x.min < 0 && u.scales.x.max > 0) {
      const x = u.valToPos(0, "x", true);
      ctx.moveTo(x, bbox.top); ctx.lineTo(x, bbox.top + bbox.height);
    }
    if (u.scales.y.min < 0 && u.scales.y.max > 0) {
      const y = u.valToPos(0, "y", true);
      ctx.moveTo(bbox.left, y); ctx.lineTo(bbox.left + bbox.width, y);
    }
    ctx.stroke();
    ctx.restore();
  }

  function nearest(u, left, top) {
    let best = null;
    for (let s = 1; s < u.data.length; s++) {
      if (!u.series[s].show) continue;
      const [xs, ys] = u.data[s];
      for (let i = 0; i < xs.length; i++) {
        const x = u.valToPos(xs[i], "x"), y = u.valToPos(ys[i], "y");
        const distance = (x - left) ** 2 + (y - top) ** 2;
        if (!best || distance < best.distance) best = { s, i, x, y, distance };
      }
    }
    return best && best.distance < 40 ** 2 ? best : null;
  }

  // room at the ends: a share of a decade where the axis counts decades
  const room = (axis) => (u, low, high) => (axis.scale === "log" && low > 0 ? [low / 1.1, high * 1.1] : padded(low, high));

  function make(host, chart) {
    const data = [null, ...chart.curves.map((c) => [values(c.x), values(c.y)])];
    const entries = chart.curves.map((curve) => curve.entry);
    const size = (k) => extent(data.slice(1).map((pair) => pair[k]));
    const resetButton = element("button", { type: "button", className: "reset", hidden: true }, "Show all");
    let all = null;
    const options = {
      mode: 2, width: host.clientWidth, height: 330, padding: [12, 14, 0, 0],
      scales: {
        x: { time: false, range: room(chart.x), ...spread(chart.x, data.slice(1).map(([x]) => x)) },
        y: { range: room(chart.y), ...spread(chart.y, data.slice(1).map(([, y]) => y)) },
      },
      cursor: { x: false, y: false, points: { show: false }, drag: { x: true, y: true, uni: 20, dist: 4 } },
      legend: { live: false, markers: { width: 0, fill: (u, i) => seriesColour(entries[i - 1]) } },
      axes: [axis(chart.x, size(0), 2), axis(chart.y, size(1), 3)],
      series: [{}, ...chart.curves.map((curve) => ({
        label: curve.label, ...(curve.label ? {} : { class: "goes-on" }), stroke: () => seriesColour(curve.entry), paths: (u, index) => drawPath(u, index, curve),
        facets: [{ scale: "x", auto: true }, { scale: "y", auto: true }],
      }))],
      hooks: {
        drawClear: [drawZero],
        setScale: [(u) => {
          const { x, y } = u.scales;
          all ??= x.min != null && y.min != null ? [x.min, x.max, y.min, y.max] : null;
          resetButton.hidden = !all || (x.min <= all[0] && x.max >= all[1] && y.min <= all[2] && y.max >= all[3]);
        }],
      },
    };
    const u = new uPlot({ ...options, plugins: [{ hooks: { init: (u) => { u.entries = entries; } } }] }, data, host);
    const legend = u.root.querySelector(".u-legend .u-series");
    if (legend) legend.hidden = true;
    const reset = () => u.batch(() => {
      u.setScale("x", { min: all[0], max: all[1] });
      u.setScale("y", { min: all[2], max: all[3] });
    });
    host.append(resetButton);
    resetButton.addEventListener("click", reset);
    u.over.addEventListener("dblclick", (event) => { event.stopImmediatePropagation(); reset(); }, true);
    hover(u, chart, host);
    moment(u, chart);
    return u;
  }

  function hover(u, chart, host) {
    const tip = element("div", { className: "tip", hidden: true });
    const dot = element("div", { className: "dot", hidden: true });
    u.over.append(dot, tip);
    const wrap = u.root.querySelector(".u-wrap");
    wrap.setAttribute("role", "img");
    wrap.setAttribute("aria-label", `${chart.title}: a path; drag to zoom, double click shows all.`);
    const leave = () => { tip.hidden = dot.hidden = true; };
    u.over.addEventListener("mouseleave", leave);
    u.over.addEventListener("mousemove", (event) => {
      const found = nearest(u, event.offsetX, event.offsetY);
      if (!found) return leave();
      const curve = chart.curves[found.s - 1], [xs, ys] = u.data[found.s];
      const lines = [
        chart.curves.length > 1 ? curve.label : "",
        `${chart.y.label} ${format.quantity(ys[found.i], chart.y.unit)}`,
        `${chart.x.label} ${format.quantity(xs[found.i], chart.x.unit)}`,
        curve.t != null ? `t = ${format.quantity(values(curve.t)[found.i], "s")}` : "",
      ];
      tip.replaceChildren(...lines.filter(Boolean).map((line) => element("div", {}, line)));
      tip.hidden = dot.hidden = false;
      dot.style.left = `${found.x}px`;
      dot.style.top = `${found.y}px`;
      dot.style.background = seriesColour(curve.entry);
      const right = found.x > u.over.clientWidth / 2;
      tip.style.left = `${found.x + (right ? -12 - tip.offsetWidth : 12)}px`;
      tip.style.top = `${Math.min(Math.max(found.y - 20, 0), u.over.clientHeight - tip.offsetHeight)}px`;
      host.dataset.t = curve.t != null ? values(curve.t)[found.i] : "";
    });
    let pressed = 0;
    u.over.addEventListener("mousedown", (event) => { pressed = event.clientX; });
    u.over.addEventListener("click", (event) => {
      const found = nearest(u, event.offsetX, event.offsetY);
      const t = found && chart.curves[found.s - 1].t;
      if (t != null && Math.abs(event.clientX - pressed) < 4) clock.setTime(values(t)[found.i]);
    });
  }

  // where each path is at the moment that the animation shows
  function moment(u, chart) {
    if (!bristle.data.scene) return;
    const dots = chart.curves.map((curve, i) => {
      const dot = element("div", { className: "dot" });
      if (curve.t == null) dot.hidden = true;
      u.over.append(dot);
      return dot;
    });
    const place = () => chart.curves.forEach((curve, i) => {
      if (curve.t == null) return;
      const times = values(curve.t), [xs, ys] = u.data[i + 1];
      const k = indexAt(times, clock.t), next = Math.min(k + 1, times.length - 1);
      const part = next > k ? Math.min((clock.t - times[k]) / (times[next] - times[k]), 1) : 0;
      const x = u.valToPos(xs[k] + part * (xs[next] - xs[k]), "x"), y = u.valToPos(ys[k] + part * (ys[next] - ys[k]), "y");
      const inside = x >= 0 && y >= 0 && x <= u.over.clientWidth && y <= u.over.clientHeight;
      dots[i].hidden = !inside || !u.series[i + 1].show;
      dots[i].style.background = seriesColour(curve.entry);
      dots[i].style.left = `${x}px`;
      dots[i].style.top = `${y}px`;
    });
    clock.on("time", place);
    u.hooks.draw = [...(u.hooks.draw ?? []), place];
    place();
  }

  return { make };
})();
