// Puts the parts into the page: charts when they come into view, tables that sort, colours.
bristle.page = (() => {
  const { data, clock } = bristle;
  const charts = new Map();
  const pairs = Object.values(data.pairs);

  // a chart over time that keeps its width, its zoom and its colours up to date
  function mountTime(host, chart, bands) {
    return mount(host, bristle.timeChart.make(host, chart, bands), chart.x.unit === "s");
  }

  function mount(host, u, linked) {
    let visible = true;
    const follow = () => {
      if (!linked || !host.isConnected) return;
      const xs = u.data[0], [low, high] = clock.span ?? [xs[0], xs[xs.length - 1]];
      const { min, max } = u.scales.x;
      if (visible && (min !== low || max !== high)) u.setScale("x", { min: Math.max(low, xs[0]), max: Math.min(high, xs[xs.length - 1]) });
    };
    if (linked) {
      clock.on("span", follow);
      new IntersectionObserver(([entry]) => { visible = entry.isIntersecting; follow(); }, { rootMargin: "100px" }).observe(host);
      follow();
    }
    let width = host.clientWidth;
    new ResizeObserver(() => {
      if (!host.clientWidth || host.clientWidth === width || !u.root.isConnected) return;
      width = host.clientWidth;
      u.setSize({ width, height: u.height });
    }).observe(host);
    clock.on("theme", () => { u.redraw(true, true); bristle.timeChart.recolour(u); });
    return u;
  }

  function mountChart(figure) {
    const index = Number(figure.dataset.chart);
    const chart = data.charts[index], host = figure.querySelector(".plot");
    if (charts.has(index) || !chart.curves.length) return;
    const u = chart.kind === "path"
      ? mount(host, bristle.pathChart.make(host, chart), false)
      : mountTime(host, chart, data.pairs[chart.pair] ?? (pairs.length === 1 && chart.x.unit === "s" ? pairs[0] : null));
    charts.set(index, u);
  }

  function lazily(elements, start) {
    const observer = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        observer.unobserve(entry.target);
        start(entry.target);
      }
    }, { rootMargin: "300px" });
    elements.forEach((element) => observer.observe(element));
    // a printed page has all of them
    addEventListener("beforeprint", () => elements.forEach(start));
  }

  // paper is narrower than most windows: 680 pixels of A4 less the frame of a card
  const paper = (figure) => (getComputedStyle(figure).gridColumnStart === "1" ? 640 : 300);
  const shown = (width) => charts.forEach((u) => {
    const host = u.root.parentElement;
    u.setSize({ width: width(host), height: u.height });
  });
  function printable() {
    addEventListener("beforeprint", () => shown((host) => paper(host.closest("figure"))));
    addEventListener("afterprint", () => shown((host) => host.clientWidth));
  }

  function sortable(table) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => head.addEventListener("click", () => {
      const ascending = head.getAttribute("aria-sort") !== "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", ascending ? "ascending" : "descending");
      const key = (row) => row.cells[column].dataset.value ?? row.cells[column].textContent;
      const compare = (a, b) => {
        const [x, y] = [key(a), key(b)], [m, n] = [Number(x), Number(y)];
        return Number.isNaN(m) || Number.isNaN(n) ? x.localeCompare(y, "en", { numeric: true }) : m - n;
      };
      const rows = [...table.tBodies[0].rows].sort(compare);
      table.tBodies[0].append(...(ascending ? rows : rows.reverse()));
    }));
  }

  const themes = ["auto", "light", "dark"];
  function theme() {
    const button = document.getElementById("theme"), root = document.documentElement;
    let chosen = "auto";
    try { chosen = localStorage.getItem("bristle-theme") ?? "auto"; } catch { /* a file may have no storage */ }
    const apply = () => {
      if (chosen === "auto") delete root.dataset.theme; else root.dataset.theme = chosen;
      const name = { auto: "as the system says", light: "light", dark: "dark" }[chosen];
      button.setAttribute("aria-label", `Colours: ${name}. Change`);
      button.title = `Colours: ${name}`;
      button.firstElementChild.textContent = { auto: "◐", light: "☀", dark: "☾" }[chosen];
      clock.themeChanged();
    };
    button.addEventListener("click", () => {
      chosen = themes[(themes.indexOf(chosen) + 1) % themes.length];
      try { localStorage.setItem("bristle-theme", chosen); } catch { /* as above */ }
      apply();
    });
    // paper is white, whatever the screen shows
    addEventListener("beforeprint", () => { root.dataset.theme = "light"; clock.themeChanged(); });
    addEventListener("afterprint", apply);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => clock.themeChanged());
    apply();
  }

  // comments, section heads and texts of a TOML file in colours of their own
  function highlight(code) {
    const lines = code.textContent.split("\n").map((line) => {
      const parts = line.match(/^(\s*\[.*?\]\s*)(#.*)?$/);
      if (parts) return [span("head", parts[1]), span("comment", parts[2] ?? ""), "\n"];
      const pieces = line.match(/"(?:[^"\\]|\\.)*"|#.*|[^"#]+|["]/g) ?? [];
      return [...pieces.map((p) => (p[0] === "#" ? span("comment", p) : p[0] === '"' ? span("text", p) : p)), "\n"];
    });
    code.replaceChildren(...lines.flat());
  }
  const span = (className, text) => bristle.element("span", { className }, text);

  function start() {
    theme();
    document.querySelectorAll("table.grid").forEach((table) => table.closest("#explorer") || sortable(table));
    document.querySelectorAll(".source code").forEach(highlight);
    document.querySelectorAll("[data-timeline]").forEach((figure) =>
      bristle.timeline.make(figure.querySelector(".plot"), data.timelines[Number(figure.dataset.timeline)]));
    lazily([...document.querySelectorAll("[data-chart]")], mountChart);
    printable();
    if (data.scene) bristle.stage.make(document.getElementById("stage"), data.scene);
    const explorer = document.getElementById("explorer");
    if (explorer) lazily([explorer], bristle.explorer.make);
  }

  return { start, mountTime, charts };
})();
bristle.start = bristle.page.start;
