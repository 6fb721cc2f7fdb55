// Sliders with numbers beside them.
bristle.dials = (() => {
  const { element, format } = bristle;

  // the share of a slider and the value are one to one: by decades where a value can only be positive
  function scaleOf({ value, minimum, maximum }) {
    const bounded = Number.isFinite(minimum) && Number.isFinite(maximum);
    if (value > 0 && minimum >= 0 && !(bounded && maximum <= 10 * value)) {
      const low = Math.max(value / 30, minimum > 0 ? minimum : 0), high = Math.min(30 * value, maximum ?? Infinity);
      const decades = Math.log(high / low);
      return { of: (s) => low * Math.exp(s * decades), to: (x) => Math.log(Math.max(x, 1e-300) / low) / decades };
    }
    const size = Math.abs(value) || 1;
    const low = Number.isFinite(minimum) ? minimum : value - 3 * size, high = Number.isFinite(maximum) ? maximum : value + 3 * size;
    return { of: (s) => low + s * (high - low), to: (x) => (x - low) / (high - low) };
  }

  // three digits are enough for a slider; what is typed is taken as it is
  const rounded = (x) => Number(x.toPrecision(3));

  function head(spec, field, unit) {
    const name = element("label", { htmlFor: field.id }, spec.label ?? spec.name.replaceAll("_", " "));
    if (spec.symbol && spec.symbol !== spec.name) name.append(" ", element("i", {}, spec.symbol));
    return element("div", { className: "head" }, name, element("span", { className: "value" }, field, unit));
  }

  function number(spec, changed) {
    const id = `dial-${spec.name}`, scale = scaleOf(spec);
    const field = element("input", { type: "text", inputMode: "decimal", id, value: String(spec.value) });
    const slider = element("input", { type: "range", min: 0, max: 1, step: 0.001, value: scale.to(spec.value) });
    slider.setAttribute("aria-label", `${spec.name} ${spec.symbol ?? ""}`);
    slider.addEventListener("input", () => {
      const [low, high] = [spec.minimum ?? -Infinity, spec.maximum ?? Infinity];
      field.value = String(Math.min(Math.max(rounded(scale.of(Number(slider.value))), low), high));
      field.removeAttribute("aria-invalid");
      changed(spec.name, Number(field.value));
    });
    field.addEventListener("input", () => {
      const value = Number(field.value.replace(",", "."));
      const sound = field.value.trim() !== "" && Number.isFinite(value);
      if (sound) field.removeAttribute("aria-invalid"); else field.setAttribute("aria-invalid", "true");
      if (!sound) return;
      slider.value = scale.to(value);
      changed(spec.name, value);
    });
    const unit = format.pretty(spec.unit);
    const range = spec.range ? ` In ${spec.range}${unit ? ` ${unit}` : ""}.` : "";
    const text = spec.meaning ? `${spec.meaning.replace(/\.?$/, ".")}${range}` : "";
    return element("div", { className: "dial" }, head(spec, field, unit), slider, ...(text ? [element("p", {}, text)] : []));
  }

  // lists and curves are typed as in a law file; flags are ticked
  function other(spec, changed) {
    const id = `dial-${spec.name}`;
    const meaning = element("p", {}, spec.meaning ?? "");
    if (spec.kind === "flag") {
      const box = element("input", { type: "checkbox", id, checked: spec.value === true });
      box.addEventListener("change", () => changed(spec.name, box.checked));
      return element("div", { className: "dial" }, head(spec, box, ""), meaning);
    }
    if (spec.kind === "curve") {
      const box = element("select", { id }, ...spec.curves.map((name) => element("option", { value: name, selected: name === spec.value }, name)));
      box.addEventListener("change", () => changed(spec.name, box.value));
      return element("div", { className: "dial" }, head(spec, box, ""), meaning);
    }
    const field = element("input", { type: "text", className: "long", id, value: spec.value.join(", ") });
    field.addEventListener("input", () => {
      const list = field.value.split(",").map((part) => Number(part.trim() || NaN));
      const sound = list.every(Number.isFinite);
      if (sound) field.removeAttribute("aria-invalid"); else field.setAttribute("aria-invalid", "true");
      if (sound) changed(spec.name, list);
    });
    return element("div", { className: "dial" }, head(spec, field, format.pretty(spec.unit)), meaning);
  }

  return { make: (spec, changed) => ((spec.kind ?? "number") === "number" ? number : other)(spec, changed) };
})();
