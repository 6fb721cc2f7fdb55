// Every channel with its unit, meaning and extremes; those that are ticked are drawn.
bristle.explorer = (() => {
  const { data, values, element, format } = bristle;
  const most = 8, listed = 250;

  function make(host) {
    const channels = data.channels.slice(1).map((index) => ({ index, ...data.columns[index] }));
    const chosen = new Set();
    const plot = element("div", { className: "plot" });
    const search = element("input", { type: "search", placeholder: "Find a channel: slip, point1, energy …", "aria-label": "Find a channel" });
    const told = element("span", { className: "hint", role: "status" });
    const body = element("tbody");
    const clear = element("button", { type: "button" }, "Clear");
    const head = element("tr", {}, ...["channel", "unit", "meaning", "smallest", "largest"].map((name, i) =>
      element("th", { scope: "col", className: i > 2 ? "number" : "" }, element("button", { type: "button", tabIndex: -1 }, name))));
    const table = element("table", { className: "grid" }, element("thead", {}, head), body);
    host.append(
      element("div", { className: "bar" }, search, clear, told), plot,
      element("div", { className: "list", tabIndex: 0, role: "region", "aria-label": "Channels" }, table));

    const draw = () => {
      plot.replaceChildren();
      if (!chosen.size) return;
      const picked = channels.filter((channel) => chosen.has(channel.index));
      const units = new Set(picked.map((channel) => channel.unit));
      const chart = {
        title: "Channels", x: { label: "time", unit: "s", scale: "linear" },
        y: { label: picked.length === 1 ? picked[0].name : "value", unit: units.size === 1 ? picked[0].unit : "", scale: "linear" },
        curves: picked.map((channel, entry) => ({ label: channel.name, unit: channel.unit, x: data.channels[0], y: channel.index, entry, style: "line" })),
      };
      bristle.page.mountTime(plot, chart, null);
    };
    const row = (channel) => {
      const box = element("input", { type: "checkbox", checked: chosen.has(channel.index), disabled: !chosen.has(channel.index) && chosen.size >= most });
      box.addEventListener("change", () => {
        if (box.checked) chosen.add(channel.index); else chosen.delete(channel.index);
        list();
        draw();
      });
      const [low, high] = extremes(channel.index);
      return element("tr", {},
        element("td", {}, element("label", {}, box, channel.name)),
        element("td", {}, format.pretty(channel.unit)), element("td", {}, channel.meaning),
        element("td", { className: "number" }, format.quantity(low, channel.unit)),
        element("td", { className: "number" }, format.quantity(high, channel.unit)));
    };
    const list = () => {
      const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      const found = channels.filter((c) => words.every((word) => `${c.name} ${c.meaning}`.toLowerCase().includes(word)));
      body.replaceChildren(...found.slice(0, listed).map(row));
      const left = Number(host.dataset.all) - Number(host.dataset.shown);
      told.textContent = `${found.length} of ${channels.length} channels` +
        (found.length > listed ? `, the first ${listed} listed` : "") +
        (left > 0 ? `; ${left} more are in results.csv alone` : "") + `; up to ${most} at a time`;
    };
    search.addEventListener("input", list);
    clear.addEventListener("click", () => { chosen.clear(); search.value = ""; list(); draw(); });
    list();
  }

  const cache = new Map();
  function extremes(index) {
    if (!cache.has(index)) {
      let low = Infinity, high = -Infinity;
      for (const v of values(index)) { if (v < low) low = v; if (v > high) high = v; }
      cache.set(index, low <= high ? [low, high] : [NaN, NaN]);
    }
    return cache.get(index);
  }

  return { make };
})();
