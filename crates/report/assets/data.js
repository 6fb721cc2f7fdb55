"use strict";
// The data of the page: columns of numbers in base64, decoded when they are first asked for.
const bristle = (() => {
  const data = JSON.parse(document.getElementById("bristle-data").textContent);
  const decoded = new Array(data.columns.length);

  function bytes(text) {
    const binary = atob(text);
    const out = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; i++) out[i] = binary.charCodeAt(i);
    return out;
  }

  // value = offset + scale × number, as crates/report/src/series.rs writes it
  function decode(column) {
    if (column.bits === 0) return new Float64Array(column.count).fill(column.offset);
    const raw = bytes(column.data).buffer;
    if (column.bits === 64) return new Float64Array(raw);
    const numbers = new Float32Array(raw);
    const out = new Float64Array(numbers.length);
    for (let i = 0; i < out.length; i++) out[i] = column.offset + column.scale * numbers[i];
    return out;
  }

  function values(index) {
    return (decoded[index] ??= decode(data.columns[index]));
  }

  // largest index with times[i] <= t, at least 0
  function indexAt(times, t) {
    let low = 0, high = times.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (times[middle] <= t) low = middle; else high = middle - 1;
    }
    return low;
  }

  return { data, values, indexAt };
})();
