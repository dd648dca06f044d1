// Parallel coordinates: one axis a knob, the objective last. On a narrow screen the axes lie on their side.
R.drawParallel = () => {
  const { el, state } = R;
  const node = R.heading("parallel", "All knobs together",
    "A line is a configuration. Choose values on the axes to keep only the lines through them; the leaderboard follows, and the other way round.");
  const told = el("p", { class: "count", role: "status" });
  const box = el("div", { class: "chart parallel" });
  node.append(el("div", { class: "controls" }, told, el("button", { type: "button", class: "button", text: "Clear filters", on: { click: state.reset } })), box,
    R.legend([["chosen", "promoted"], ["baseline", R.base]]));
  const again = R.chart(box, (at, width) => R.parallelPicture(at, width));
  const update = () => {
    const kept = R.rows.filter((row) => state.fits(row, false));
    const words = R.filterWords();
    told.textContent = `${R.plural(kept.length, "configuration")}${words ? ` with ${words}` : ""}${kept.length ? `, best ${R.number(kept[0].mean)}` : ""}`;
  };
  state.listen(() => {
    const active = document.activeElement;
    const key = box.contains(active) ? active.getAttribute("data-value") : null;
    update(); again();
    if (key) [...box.querySelectorAll("[data-value]")].find((one) => one.getAttribute("data-value") === key)?.focus();
  });
  update();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
};

R.parallelPicture = (node, width) => {
  const flat = width < 640;
  const axes = R.parallelAxes();
  const height = flat ? axes.length * 74 : 340;
  const room = flat ? { a: 30, z: height - 34, low: 14, high: width - 14 } : { a: 46, z: width - 60, low: height - 24, high: 40 };
  const along = (at) => room.a + (axes.length > 1 ? at / (axes.length - 1) : 0) * (room.z - room.a);
  const across = (share) => room.low + share * (room.high - room.low);
  const point = (at, share) => (flat ? [across(share), along(at)] : [along(at), across(share)]);
  const ratio = Math.min(2, devicePixelRatio || 1);
  const canvas = R.el("canvas", { width: width * ratio, height: height * ratio, "aria-hidden": "true", css: { width: `${width}px`, height: `${height}px` } });
  R.parallelLines(canvas.getContext("2d"), ratio, axes, point);
  const overlay = R.svg("svg", { width, height, role: "group", "aria-label": "Axes; each value is a filter" });
  axes.forEach((axis, at) => {
    const [[x1, y1], [x2, y2]] = [point(at, 0), point(at, 1)];
    overlay.append(R.svg("line", { x1, y1, x2, y2, stroke: "var(--strong-line)", "stroke-width": 1.2 }));
    overlay.append(flat ? R.svg("text", { x: 0, y: y1 - 12, class: "axis", text: axis.title })
      : R.svg("text", { x: at === 0 ? 0 : at === axes.length - 1 ? width : x1, y: 16, class: "axis", "text-anchor": at === 0 ? "start" : at === axes.length - 1 ? "end" : "middle", text: axis.title }));
    const shown = R.parallelLabels(axis, (mark) => point(at, mark.share), flat, Math.max(5, Math.min(14, Math.floor((flat ? 0.92 * (room.high - room.low) / Math.max(1, axis.marks.length - 1) - 10 : (room.z - room.a) / Math.max(1, axes.length - 1) - 22) / 6.6))));
    axis.marks.forEach((mark, place) => overlay.append(R.parallelMark(axis, mark, point(at, mark.share), flat, shown[place])));
  });
  node.append(canvas, overlay);
};

R.parallelAxes = () => {
  const axes = R.knobs.map((knob) => {
    const levels = R.levelsOf(knob);
    const share = (at) => (levels.length > 1 ? 0.04 + 0.92 * (at / (levels.length - 1)) : 0.5);
    const places = new Map(levels.map((value, at) => [value, share(at)]));
    return { knob, title: knob.short, marks: levels.map((value) => ({ value, text: value, share: places.get(value) })), of: (row) => places.get(R.knobValue(row.params[knob.key])) };
  });
  const [from, to] = R.extent(R.rows.map((row) => row.mean), 0.04);
  const { values, digits } = R.ticks(from, to, 4);
  const scale = R.scale(from, to, 0, 1);
  return [...axes, { knob: null, title: R.data.objective, marks: values.map((value) => ({ text: R.number(value, digits), share: scale(value) })), of: (row) => (R.told(row.mean) ? scale(row.mean) : null), scale }];
};

R.parallelLines = (pen, ratio, axes, point) => {
  const style = getComputedStyle(document.documentElement);
  const ink = (name) => style.getPropertyValue(name).trim();
  const colour = R.colours();
  const goal = axes[axes.length - 1];
  pen.scale(ratio, ratio);
  pen.lineJoin = "round";
  const line = (row, stroke, wide, alpha, dash = []) => {
    if (goal.of(row) === null) return;
    pen.beginPath();
    axes.forEach((axis, at) => pen[at ? "lineTo" : "moveTo"](...point(at, axis.of(row))));
    Object.assign(pen, { strokeStyle: stroke, lineWidth: wide, globalAlpha: alpha });
    if (wide > 2) {
      Object.assign(pen, { strokeStyle: ink("--surface"), lineWidth: wide + 4 });
      pen.setLineDash([]);
      pen.stroke();
      Object.assign(pen, { strokeStyle: stroke, lineWidth: wide });
    }
    pen.setLineDash(dash);
    pen.stroke();
  };
  const kept = R.rows.filter((row) => R.state.fits(row, false));
  const keep = new Set(kept);
  for (const row of R.rows) if (!keep.has(row)) line(row, ink("--line"), 1, 0.5);
  const thick = kept.length < 60 ? 1.6 : 1;
  for (const row of kept.slice().reverse()) line(row, R.rgb(colour(0.15 + 0.75 * goal.of(row))), thick, kept.length < 60 ? 0.8 : kept.length < 300 ? 0.35 : 0.16);
  if (R.baseline !== R.promoted) line(R.baseline, ink("--baseline"), 2.4, keep.has(R.baseline) ? 1 : 0.35, [6, 4]);
  line(R.promoted, ink("--chosen"), 3.4, keep.has(R.promoted) ? 1 : 0.35);
};

// What is written beside each ring: nothing where it would lie on its neighbour's; the ends and the chosen value always.
R.parallelLabels = (axis, point, flat, letters) => {
  const cut = (text) => (text.length <= letters ? text : `${text.slice(0, Math.ceil((letters - 1) / 2))}…${text.slice(-Math.floor((letters - 1) / 2))}`);
  const texts = axis.marks.map((mark) => cut(mark.text));
  const spans = axis.marks.map((mark, at) => { const [x, y] = point(mark); const half = flat ? 4 + texts[at].length * 3.3 : 7.5; return [(flat ? x : y) - half, (flat ? x : y) + half]; });
  const apart = ([a, b], [c, d]) => b <= c || d <= a;
  const kept = [0, axis.marks.length - 1];
  spans.forEach((span, at) => { if (kept.every((other) => apart(span, spans[other]))) kept.push(at); });
  return texts.map((text, at) => (kept.includes(at) || (axis.knob && R.state.filter.knobs[axis.knob.key] === axis.marks[at].value) ? text : ""));
};

R.parallelMark = (axis, mark, [x, y], flat, text) => {
  const wide = text ? 8 + text.length * 6.6 : 0;
  const label = text && R.svg("text", flat ? { x: Math.max(wide / 2, x), y: y + 17, "text-anchor": "middle", class: "value", text } : { x: x + 9, y: y + 4, class: "value", text });
  const place = flat ? { x: x - wide / 2, y: y + 4, width: wide, height: 18 } : { x: x + 5, y: y - 9, width: wide, height: 18 };
  if (!axis.knob) return R.svg("g", { "aria-hidden": "true" }, R.svg("rect", { ...place, rx: 3, class: "plate" }), label);
  const chosen = R.state.filter.knobs[axis.knob.key] === mark.value;
  const pick = () => R.state.setKnob(axis.knob.key, mark.value);
  return R.tipped(R.svg("g", { class: chosen ? "mark chosen" : "mark", role: "button", tabindex: "0", "aria-pressed": String(chosen), "aria-label": `${axis.knob.key} = ${mark.value}`, "data-value": `${axis.knob.key}=${mark.value}`,
    on: { click: pick, keydown: (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); pick(); } } } },
  R.svg("circle", { cx: x, cy: y, r: chosen ? 5 : 3.2 }), R.svg("rect", { ...place, rx: 3, class: "plate" }), label), () => `${axis.knob.key} = ${mark.value}`);
};
