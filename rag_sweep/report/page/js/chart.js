// What charts share: drawing again when the width changes, scales, axes, signs, colours.
R.chart = (node, draw) => {
  let last = 0;
  const again = () => {
    const width = Math.floor(node.clientWidth);
    if (!width || width === last) return;
    last = width;
    R.clear(node);
    draw(node, width);
    // On paper the sheet is narrower than the window was; a picture with a box of its own shrinks as a whole.
    for (const one of node.querySelectorAll(":scope > svg")) one.setAttribute("viewBox", `0 0 ${one.getAttribute("width")} ${one.getAttribute("height")}`);
  };
  new ResizeObserver(again).observe(node);
  again();
  return () => { last = 0; again(); };
};

R.scale = (from, to, start, end) => {
  const span = to - from || 1;
  const scale = (value) => start + ((value - from) / span) * (end - start);
  scale.from = from; scale.to = to; scale.start = start; scale.end = end;
  return scale;
};

R.ticks = (from, to, about) => {
  const rough = (to - from || 1) / Math.max(1, about);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough) || power * 10;
  const found = [];
  for (let at = Math.ceil(from / step - 1e-9); at * step <= to + step * 1e-9; at += 1) found.push(at * step);
  return { values: found, digits: Math.max(0, -Math.floor(Math.log10(step) + 1e-9)) };
};

R.extent = (values, share = 0.05) => {
  let low = Infinity, high = -Infinity;
  for (const value of values) {
    if (!R.told(value)) continue;
    low = Math.min(low, value); high = Math.max(high, value);
  }
  if (low > high) return [0, 1];
  const room = (high - low || Math.abs(high) || 1) * share;
  return [low - room, high + room];
};

R.axisX = (scale, y, about, { height = 0, format, label } = {}) => {
  const { values, digits } = R.ticks(scale.from, scale.to, about);
  const parts = values.map((value) => R.svg("g", { transform: `translate(${scale(value)},0)` },
    R.svg("line", { y1: y - height, y2: y + 4, stroke: "var(--line)" }),
    R.svg("text", { y: y + 17, "text-anchor": "middle", text: format ? format(value) : R.number(value, digits) })));
  const title = label && R.svg("text", { x: (scale.start + scale.end) / 2, y: y + 35, "text-anchor": "middle", text: label });
  return R.svg("g", { "aria-hidden": "true" }, parts, R.svg("line", { x1: scale.start, x2: scale.end, y1: y, y2: y, stroke: "var(--strong-line)" }), title);
};

R.axisY = (scale, x, about, { width = 0, format } = {}) => {
  const { values, digits } = R.ticks(scale.from, scale.to, about);
  return R.svg("g", { "aria-hidden": "true" }, values.map((value) => R.svg("g", { transform: `translate(0,${scale(value)})` },
    R.svg("line", { x1: x, x2: x + width, stroke: "var(--line)" }),
    R.svg("text", { x: x - 8, dy: "0.33em", "text-anchor": "end", text: format ? format(value) : R.number(value, digits) }))));
};

// Signs differ in shape, so that they are told apart without colour.
R.sign = (kind, x, y, size = 5) => {
  const s = size;
  const shapes = {
    chosen: () => R.svg("path", { d: `M${x},${y - s * 1.3}L${x + s * 1.3},${y}L${x},${y + s * 1.3}L${x - s * 1.3},${y}Z`, fill: "var(--chosen)", stroke: "var(--surface)" }),
    baseline: () => R.svg("rect", { x: x - s, y: y - s, width: 2 * s, height: 2 * s, fill: "var(--surface)", stroke: "var(--baseline)", "stroke-width": 2.2 }),
    top: () => R.svg("path", { d: `M${x},${y - s * 1.2}L${x + s * 1.15},${y + s}L${x - s * 1.15},${y + s}Z`, fill: "var(--other)", stroke: "var(--surface)" }),
    honest: () => R.svg("circle", { cx: x, cy: y, r: s, fill: "var(--surface)", stroke: "var(--honest)", "stroke-width": 2.4 }),
    best: () => R.svg("circle", { cx: x, cy: y, r: s * 0.8, fill: "var(--accent)", "fill-opacity": 0.55 }),
    plain: () => R.svg("circle", { cx: x, cy: y, r: s * 0.7, fill: "none", stroke: "var(--dot)" }),
  };
  return shapes[kind]();
};

R.kindOf = (row) => (row === R.promoted ? "chosen" : row.is_baseline ? "baseline" : "plain");

R.legend = (entries) => R.el("p", { class: "legend" }, entries.map(([kind, text]) => R.el("span", null,
  R.svg("svg", { width: 16, height: 16, "aria-hidden": "true" }, R.sign(kind, 8, 8, 5)), text)));

R.colours = () => {
  const style = getComputedStyle(document.documentElement);
  const read = (name) => style.getPropertyValue(name).split(",").map(Number);
  const [low, mid, high] = ["--low", "--mid", "--high"].map(read);
  const mix = (a, b, share) => a.map((one, at) => Math.round(one + (b[at] - one) * share));
  return (share) => {
    const t = Math.max(0, Math.min(1, share));
    return t < 0.5 ? mix(low, mid, 2 * t) : mix(mid, high, 2 * t - 1);
  };
};
// Ink that can be read on a colour, by relative luminance (WCAG 2.1).
R.inkOn = ([r, g, b]) => {
  const linear = (one) => ((one /= 255) <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b) > 0.179 ? "#000000" : "#ffffff";
};
R.rgb = (colour) => `rgb(${colour.join(",")})`;
