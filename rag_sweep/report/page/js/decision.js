// The decision, for somebody who has a minute: what, why, how sure.
R.drawDecision = () => {
  const { data, el } = R;
  const node = document.getElementById("decision");
  const { decision } = data;
  const cut = decision.headline.indexOf(": ", decision.headline.indexOf(R.promoted.name) + R.promoted.name.length);
  const [verdict, because] = cut < 0 ? [decision.headline, ""] : [decision.headline.slice(0, cut), decision.headline.slice(cut + 2)];
  const capital = because && `${because[0].toUpperCase()}${because.slice(1)}.`;

  node.append(
    el("p", { class: "meta", text: [data.dataset.name, R.plural(data.distinct, "distinct configuration"), R.plural(data.questions, "question"),
      `judged by ${data.objective}`].join("  ·  ") }),
    el("h2", { id: "decision-title", class: "verdict", tabindex: "-1", text: verdict }),
    capital && el("p", { class: "because", text: capital }),
    R.knobList(),
    el("div", { class: "decision-body" },
      el("div", null,
        el("ul", { class: "reasons" }, decision.reasons.map((text) => el("li", { text }))),
        decision.cautions.length > 0 && el("div", { class: "caution" }, el("strong", { text: "Mind" }),
          decision.cautions.map((text) => el("p", { text })))),
      R.decisionFigure()));
};

// The chosen one's knobs; those that change from the baseline show the old value too, struck out.
R.knobList = () => R.el("ul", { class: "knob-values", "aria-label": "The promoted configuration" }, R.knobs.map((knob) => {
  const [now, before] = [R.promoted, R.baseline].map((row) => R.knobValue(row.params[knob.key]));
  return R.el("li", { class: now !== before && "changed" }, R.el("span", { text: knob.short }),
    now !== before && R.el("del", { text: before, "aria-label": `was ${before}` }), R.el("strong", { text: now }));
}));

R.decisionFigure = () => {
  const { data, rows, promoted, baseline } = R;
  const entries = [];
  const add = (kind, label, value, lower, upper) => entries.push({ kind, label, value, lower, upper });
  add("baseline", promoted === baseline ? "Baseline (kept)" : "Baseline, today", baseline.mean, baseline.lower, baseline.upper);
  if (promoted !== baseline) add("chosen", promoted === rows[0] ? "Promoted, top of the leaderboard" : "Promoted, as measured", promoted.mean, promoted.lower, promoted.upper);
  if (rows[0] !== promoted && rows[0] !== baseline) add("top", "Top of the leaderboard", rows[0].mean, rows[0].lower, rows[0].upper);
  if (data.honest && R.told(data.honest.value)) {
    add("honest", promoted === baseline ? "The sweep's pick, on new questions" : "Expect this on new questions", data.honest.value, data.honest.lower, data.honest.upper);
  }
  const box = R.el("div", { class: "chart", role: "img", "aria-label": entries.map((one) => `${one.label}: ${R.number(one.value)}, between ${R.number(one.lower)} and ${R.number(one.upper)}`).join(". ") });
  R.chart(box, (at, width) => at.append(R.decisionPicture(entries, width)));
  return R.el("figure", null, box, R.el("figcaption", { text: `${data.objective}, higher is better. A bar is how far the value may well be off, because these questions are only a sample (${R.percent(data.settings.level)} interval). Bars that overlap do not mean that two configurations are equal: they answered the same questions, so the leaderboard compares them question by question.` }));
};

R.decisionPicture = (entries, width) => {
  const step = 52, bottom = entries.length * step + 8;
  const [from, to] = R.extent(entries.flatMap((one) => [one.value, one.lower, one.upper]), 0.08);
  const x = R.scale(from, to, 8, width - 8);
  const picture = R.svg("svg", { width, height: bottom + 42, "aria-hidden": "true" }, R.axisX(x, bottom, width / 90, { height: bottom, label: R.data.objective }));
  picture.append(R.svg("line", { x1: x(entries[0].value), x2: x(entries[0].value), y1: 20, y2: bottom, stroke: "var(--baseline)", "stroke-dasharray": "3 3" }));
  entries.forEach((one, at) => {
    const y = at * step + 38;
    const colour = `var(--${one.kind === "top" ? "other" : one.kind})`;
    picture.append(R.svg("text", { x: 8, y: y - 17, class: "strong", text: one.label }),
      R.svg("text", { x: width - 8, y: y - 17, "text-anchor": "end", class: "strong", text: R.number(one.value) }));
    if (R.told(one.lower)) picture.append(R.svg("line", { x1: x(one.lower), x2: x(one.upper), y1: y, y2: y, stroke: colour, "stroke-width": 6, "stroke-opacity": 0.32, "stroke-linecap": "round" }));
    if (R.told(one.value)) picture.append(R.sign(one.kind, x(one.value), y, 6));
  });
  return picture;
};
