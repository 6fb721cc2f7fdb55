// Quantities as people read them, with a prefix that suits their size; as crates/results/src/quantity.rs.
bristle.format = (() => {
  const prefixes = [[9, "G"], [6, "M"], [3, "k"], [-3, "m"], [-6, "µ"], [-9, "n"], [-12, "p"]];
  const highest = {
    N: 9, J: 9, W: 9, Pa: 9, Hz: 9, V: 9, "N m": 9, "N/m": 9, "N s/m": 9,
    m: 3, s: 0, A: 0, "m/s": 0, "m/s^2": 0, rad: 0, "rad/s": 0,
  };
  const raised = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };
  const raise = (text) => [...String(text)].map((c) => raised[c] ?? c).join("");

  function pretty(unit) {
    return !unit || unit === "1" ? "" : unit.replace(/\^(-?\d+)/g, (_, power) => raise(power));
  }

  // factor and unit in which numbers up to a magnitude are easy to read
  function scale(magnitude, unit) {
    const shown = pretty(unit);
    if (!(magnitude > 0) || !isFinite(magnitude) || (magnitude >= 0.1 && magnitude < 1e4)) return { factor: 1, unit: shown };
    const power = 3 * Math.floor(Math.floor(Math.log10(magnitude) + 1e-12) / 3);
    const found = prefixes.find(([p]) => p === power && p <= (highest[unit] ?? -Infinity));
    const text = found ? found[1] + shown : `10${raise(power)}${shown && " " + shown}`;
    return { factor: 10 ** -power, unit: text, power: !found };
  }

  function significant(value, digits = 5) {
    if (!isFinite(value)) return String(value);
    if (value === 0) return "0";
    const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(Math.abs(value)) + 1e-12));
    const text = value.toFixed(Math.min(decimals, 20));
    return (text.includes(".") ? text.replace(/\.?0+$/, "") : text).replace("-", "−");
  }

  function quantity(value, unit) {
    if (value == null || Number.isNaN(value)) return "–";
    const by = scale(Math.abs(value), unit);
    const number = by.power
      ? value.toExponential(4).replace(/\.?0+e/, "e").replace("e+", "e").replace(/-/g, "−")
      : significant(value * by.factor);
    const shown = by.power ? pretty(unit) : by.unit;
    return shown ? `${number}\u00a0${shown}` : number;
  }

  // labels of evenly spaced ticks: as many decimals as their distance needs
  function ticks(values, factor) {
    const step = values.length > 1 ? Math.abs(values[1] - values[0]) * factor : 1;
    let decimals = 0;
    while (decimals < 15 && Math.abs(Math.round(step * 10 ** decimals) - step * 10 ** decimals) > 1e-6 * step * 10 ** decimals) decimals++;
    return values.map((v) => (v == null ? "" : (v * factor).toFixed(decimals).replace(/^-(0(\.0*)?)$/, "$1").replace("-", "−")));
  }

  // a tick of a logarithmic axis: powers of ten are written, what lies between is not
  function power(value) {
    if (value == null) return "";
    const decade = Math.round(Math.log10(Math.abs(value)));
    if (value !== 0 && Math.abs(Math.abs(value) / 10 ** decade - 1) > 1e-6) return "";
    if (value === 0) return "0";
    const size = decade === 0 ? "1" : decade === 1 ? "10" : `10${raise(decade)}`;
    return value < 0 ? `−${size}` : size;
  }

  return { quantity, power, scale, pretty, ticks, significant };
})();
