// What the parts of the page share: the moment that is shown, the span of time that is looked at, colours.
bristle.clock = (() => {
  const { data, values } = bristle;
  const times = data.channels.length ? values(data.channels[0]) : new Float64Array(0);
  const listeners = { time: new Set(), span: new Set(), theme: new Set() };
  const state = { t: times[0] ?? 0, span: null };

  return {
    times,
    start: times[0] ?? 0,
    end: times[times.length - 1] ?? 0,
    get t() { return state.t; },
    // the span that is zoomed to, or null for all
    get span() { return state.span; },
    on(what, listener) { listeners[what].add(listener); },
    setTime(t) {
      state.t = Math.min(Math.max(t, this.start), this.end);
      listeners.time.forEach((listener) => listener(state.t));
    },
    setSpan(min, max) {
      const whole = min == null || (min <= this.start && max >= this.end);
      const span = whole ? null : [min, max];
      if (String(span) === String(state.span)) return;
      state.span = span;
      listeners.span.forEach((listener) => listener(span));
    },
    themeChanged() {
      bristle.colours.clear();
      listeners.theme.forEach((listener) => listener());
    },
  };
})();

// a colour of the style sheet; asking the browser for it in every frame would be slow
bristle.colours = new Map();
bristle.colour = (name) => {
  let value = bristle.colours.get(name);
  if (value === undefined) {
    value = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
    bristle.colours.set(name, value);
  }
  return value;
};
bristle.element = (tag, properties = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in element && name !== "list") element[name] = value; else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
};
