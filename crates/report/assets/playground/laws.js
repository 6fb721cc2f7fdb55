// The laws: bristle.h compiled to WebAssembly. Numbers go through a block of memory of this page's own.
bristle.laws = (() => {
  const ROOM = 1 << 21;
  let c, base, top;

  async function load() {
    const packed = Uint8Array.from(atob(document.getElementById("bristle-wasm").textContent.trim()), (x) => x.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    const bytes = await new Response(stream).arrayBuffer();
    c = (await WebAssembly.instantiate(bytes, {})).instance.exports;
    // what is grown here is outside of the heap of the laws
    base = c.memory.grow(ROOM >> 16) << 16;
    return JSON.parse(textOf((buffer, room, needed) => c.bristle_catalogue(buffer, room, needed)));
  }

  // the block is used anew in every call
  const begin = () => { top = base; };
  function take(bytes) {
    const at = top;
    top += (bytes + 7) & ~7;
    if (top > base + ROOM) throw new Error("too many samples");
    return at;
  }
  const numbers = (at, count) => new Float64Array(c.memory.buffer, at, count);
  function give(values) {
    const at = take(8 * values.length);
    numbers(at, values.length).set(values);
    return at;
  }
  function giveText(text) {
    const bytes = new TextEncoder().encode(text), at = take(bytes.length);
    new Uint8Array(c.memory.buffer, at, bytes.length).set(bytes);
    return [at, bytes.length];
  }

  function lastError() {
    const at = c.bristle_last_error(), bytes = new Uint8Array(c.memory.buffer);
    return new TextDecoder().decode(bytes.slice(at, bytes.indexOf(0, at)));
  }
  function check(status) {
    if (status !== 0) throw new Error(lastError());
  }

  function textOf(call) {
    begin();
    const needed = take(8);
    check(call(0, 0, needed));
    const size = new Uint32Array(c.memory.buffer, needed, 1)[0], at = take(size);
    check(call(at, size, needed));
    return new TextDecoder().decode(new Uint8Array(c.memory.buffer, at, size - 1).slice());
  }

  // a law from the text of a law file; it is given up with free()
  function law(toml) {
    begin();
    const [text, length] = giveText(toml), place = take(8);
    check(c.bristle_law_from_toml(text, length, place));
    const handle = new Uint32Array(c.memory.buffer, place, 1)[0];
    return {
      free: () => c.bristle_law_free(handle),
      // force of steady sliding, or null where the law has none
      steady(speed, normalForce) {
        begin();
        const out = take(8);
        return c.bristle_steady(handle, speed, normalForce, out) === 0 ? numbers(out, 1)[0] : null;
      },
      // force along a prescribed motion, as `bristle drive` computes it
      drive({ t, v, N }, rtol = 1e-8) {
        begin();
        const [times, speeds, loads, out] = [give(t), give(v), give(N), take(8 * t.length)];
        check(c.bristle_drive(handle, 1, rtol, t.length, times, speeds, loads, 0, out));
        return numbers(out, t.length).slice();
      },
      // a block at rest that a growing load and a spring draw
      draw({ mass, normalForce, loadRate, stiffness, speed, t }) {
        begin();
        const n = t.length, times = give(t), [x, v, F] = [take(8 * n), take(8 * n), take(8 * n)];
        check(c.bristle_draw(handle, mass, normalForce, loadRate, stiffness, speed, n, times, x, v, F));
        return { t, x: numbers(x, n).slice(), v: numbers(v, n).slice(), F: numbers(F, n).slice() };
      },
    };
  }

  return { load, law };
})();
