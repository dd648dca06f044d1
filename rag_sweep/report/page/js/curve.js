// At equal words: what is found when all configurations may hand over equally many.
R.curveWords = {
  "evidence recall": "Evidence recall is the share of the text that answers a question, as the gold marks it, that is handed over. ",
  "document recall": "Document recall is the share of a question's relevant documents of which a passage is handed over. ",
};
R.drawCurve = (node) => {
  const { curve } = R.data;
  if (!curve || !curve.rows.length) return;
  const box = R.el("div", { class: "chart" });
  const half = curve.rows.some((one) => one.cut_short && one.cut_short.some((share) => share > 0.5));
  node.append(R.el("h3", { text: `At an equal budget of words: ${curve.measure}` }),
    R.el("p", { class: "small" }, R.explained(`${R.curveWords[curve.measure] || ""}Larger passages win at equal k because they hand over more text. Here everybody may hand over the same number of words.${half ? " Dashed: for more than half of the questions the ranking ends before the budget is used up." : ""}`)),
    box, R.legend([["chosen", "promoted"], ["baseline", R.base], ["plain", "other leaders"]].filter(([kind]) => kind !== "chosen" || R.promoted !== R.baseline)), R.curveTable(curve));
  R.chart(box, (at, width) => R.curvePicture(at, width, curve));
};

R.curvePicture = (node, width, curve) => {
  const height = 280, left = 48, bottom = height - 44;
  const high = Math.max(...curve.rows.flatMap((one) => one.values.filter(R.told)), 0.01);
  const x = R.scale(0, curve.budgets.length - 1, left + 10, width - 14);
  const y = R.scale(0, high * 1.06, bottom, 8);
  const picture = R.svg("svg", { width, height, role: "group", "aria-label": `${curve.measure} by budget of words; arrow keys move between budgets` }, R.axisY(y, left, 5, { width: width - left - 4 }));
  const each = width / curve.budgets.length < 40 ? 2 : 1;
  curve.budgets.forEach((budget, at) => {
    if (at % each === 0) picture.append(R.svg("text", { x: x(at), y: bottom + 18, "text-anchor": "middle", text: R.count(budget) }));
  });
  picture.append(R.svg("text", { x: (left + width) / 2, y: height - 6, "text-anchor": "middle", text: "words handed over" }));
  const rank = (one) => ({ plain: 0, baseline: 1, chosen: 2 })[R.kindOf(R.rows[one.row])];
  const inks = { plain: "var(--dot)", baseline: "var(--baseline)", chosen: "var(--chosen)" };
  for (const one of curve.rows.slice().sort((a, b) => rank(a) - rank(b))) {
    const kind = R.kindOf(R.rows[one.row]);
    for (let at = 1; at < one.values.length; at += 1) {
      if (!R.told(one.values[at]) || !R.told(one.values[at - 1])) continue;
      picture.append(R.svg("line", { x1: x(at - 1), y1: y(one.values[at - 1]), x2: x(at), y2: y(one.values[at]), stroke: inks[kind], "stroke-width": kind === "plain" ? 1 : 2.2, "stroke-opacity": kind === "plain" ? 0.6 : 1,
        "stroke-dasharray": one.cut_short && one.cut_short[at] > 0.5 ? "4 4" : null }));
    }
    if (kind !== "plain") one.values.forEach((value, at) => R.told(value) && picture.append(R.sign(kind, x(at), y(value), 4)));
  }
  const step = x(1) - x(0) || 40;
  curve.budgets.forEach((budget, at) => {
    const words = () => [`${R.count(budget)} words`, ...curve.rows.filter((one, place) => R.kindOf(R.rows[one.row]) !== "plain" || place < 3).map((one) => `${R.shortName(R.nameOf(one.row))}: ${R.number(one.values[at])}`)].join("\n");
    picture.append(R.tipped(R.svg("rect", { class: "band", x: Math.max(0, x(at) - step / 2), y: 4, width: Math.min(width, x(at) + step / 2) - Math.max(0, x(at) - step / 2), height: bottom - 4, fill: "transparent", tabindex: "-1", role: "img", "aria-label": words() }), words));
  });
  R.rove(picture, ".band", 1);
  node.append(picture);
};

R.curveTable = (curve) => R.el("details", { class: "table" }, R.el("summary", { text: "The same as a table" }),
  R.simpleTable("Values at each budget of words", ["Configuration", ...curve.budgets.map(R.count)],
    curve.rows.map((one) => [R.shortName(R.nameOf(one.row)), ...one.values.map((value) => R.number(value))])));
