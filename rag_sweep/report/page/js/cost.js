// Quality against cost: what more work buys, and where it stops buying.
R.COSTS = [
  ["units", "work units a question", (row) => row.cost && row.cost.units],
  ["words", "words handed over a question", (row) => row.words],
  ["index", "bytes of the index", (row) => row.cost && row.cost.index_bytes],
];

R.drawCost = () => {
  const { el } = R;
  const node = R.heading("cost", "Quality against cost",
    R.explained("Work units count what a question makes the machine do; they are the same on every machine. On the line lies the Pareto set: the configurations that are worth their cost, since nothing is both better and cheaper."));
  const known = R.COSTS.filter(([, , of]) => R.rows.some((row) => R.told(of(row))));
  if (known.length) {
    let [, title, of] = known[0];
    const box = el("div", { class: "chart" });
    const select = el("select", { id: "cost-by", on: { change: () => { [, title, of] = known.find(([key]) => key === select.value); again(); } } }, known.map(([key, text]) => el("option", { value: key, text })));
    node.append(el("div", { class: "controls" }, el("label", { class: "field" }, "Cost", select)), box,
      R.legend([["chosen", "promoted"], ["baseline", R.base], ["best", "nothing is both better and cheaper"], ["plain", "other"]]));
    const again = R.chart(box, (at, width) => R.costPicture(at, width, of, title));
  }
  R.drawCurve(node);
};

// Cheapest first; one is kept if it is better than everything cheaper.
R.frontOf = (points) => {
  const front = [];
  for (const one of points.slice().sort((a, b) => a.cost - b.cost || b.row.mean - a.row.mean)) {
    if (!front.length || one.row.mean > front[front.length - 1].row.mean) front.push(one);
  }
  return front;
};

R.logTicks = (from, to) => {
  const found = [];
  const steps = to / from > 3000 ? [1] : to / from > 8 ? [1, 2, 5] : [1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9];
  for (let power = Math.floor(Math.log10(from)); power <= Math.ceil(Math.log10(to)); power += 1) {
    for (const step of steps) { const value = step * 10 ** power; if (value >= from && value <= to) found.push(value); }
  }
  return found;
};

R.costPicture = (node, width, of, title) => {
  const height = 340, left = 48, bottom = height - 48;
  const points = R.rows.filter((row) => R.told(row.mean) && of(row) > 0).map((row) => ({ row, cost: of(row) }));
  if (!points.length) { node.append(R.el("p", { class: "none", text: "No configuration has such a cost." })); return; }
  const costs = points.map((one) => one.cost);
  const [from, to] = [Math.min(...costs) * 0.88, Math.max(...costs) * 1.12];
  const log = R.scale(Math.log10(from), Math.log10(to), left, width - 8);
  const x = (cost) => log(Math.log10(cost));
  const [low, high] = R.extent(points.map((one) => one.row.mean), 0.06);
  const y = R.scale(low, high, bottom, 10);
  const front = R.frontOf(points);
  const picture = R.svg("svg", { width, height, role: "group", "aria-label": `${R.data.objective} against ${title}; arrow keys move along the line of the best` });
  picture.append(R.axisY(y, left, 6, { width: width - left - 8 }));
  let last = -Infinity;
  for (const tick of R.logTicks(from, to)) {
    if (x(tick) - last < 44) continue;
    last = x(tick);
    picture.append(R.svg("line", { x1: last, x2: last, y1: bottom, y2: bottom + 4, stroke: "var(--strong-line)" }), R.svg("text", { x: last, y: bottom + 18, "text-anchor": "middle", text: R.short(tick) }));
  }
  picture.append(R.svg("text", { x: (left + width) / 2, y: height - 8, "text-anchor": "middle", text: width < 480 ? title : `${title} (each step to the right multiplies)` }));
  const path = front.map((one, at) => `${at ? `H${x(one.cost)}V` : `M${x(one.cost)},`}${y(one.row.mean)}`).join("");
  const seen = new Set();
  for (const one of points) {
    const key = `${Math.round(2 * x(one.cost))},${Math.round(2 * y(one.row.mean))}`;
    if (seen.has(key)) continue;
    seen.add(key);
    picture.append(R.sign("plain", x(one.cost), y(one.row.mean)));
  }
  picture.append(R.svg("path", { d: `${path}H${width - 8}`, fill: "none", stroke: "var(--accent)", "stroke-width": 1.6 }));
  const words = (one) => `${R.shortName(one.row.name)}${one.row === R.promoted ? " (promoted)" : ""}${one.row.is_baseline ? ` (${R.base})` : ""}\n${R.data.objective} ${R.number(one.row.mean)}, ${R.count(one.cost)} ${title}`;
  const stop = (one, kind, size) => R.tipped(R.svg("g", { class: "stop", tabindex: "-1", role: "img", "aria-label": words(one) }, R.sign(kind, x(one.cost), y(one.row.mean), size)), () => words(one));
  for (const one of front) picture.append(stop(one, "best", 6));
  for (const row of new Set([R.baseline, R.promoted])) {
    const one = points.find((other) => other.row === row);
    if (one) picture.append(stop(one, R.kindOf(row), 6));
  }
  R.rove(picture, ".stop", 1);
  picture.addEventListener("pointermove", (event) => {
    if (event.target.closest(".stop")) return;
    const box = picture.getBoundingClientRect();
    const far = (one) => Math.hypot(x(one.cost) - event.clientX + box.left, y(one.row.mean) - event.clientY + box.top);
    const near = points.reduce((a, b) => (far(b) < far(a) ? b : a));
    if (far(near) < 14) R.showTip(words(near), event.clientX, event.clientY); else R.hideTip();
  });
  picture.addEventListener("pointerleave", R.hideTip);
  node.append(picture);
};
