// The decision, for somebody who has a minute: what, why, how sure.
R.drawDecision = () => {
  const { data, el } = R;
  const node = document.getElementById("decision");
  const { decision } = data;
  const name = [R.promoted.name, R.shortName(R.promoted.name)].find((one) => decision.headline.includes(one));
  const cut = name ? decision.headline.indexOf(": ", decision.headline.indexOf(name) + name.length) : -1;
  const [verdict, because] = cut < 0 ? [decision.headline, ""] : [decision.headline.slice(0, cut), decision.headline.slice(cut + 2)];
  const capital = because && `${because[0].toUpperCase()}${because.slice(1)}.`;
  const seen = new Set();

  node.append(
    el("p", { class: "meta" }, [R.cut(data.dataset.name, R.NAME), R.plural(data.distinct, "distinct configuration"), R.plural(data.questions, "question"), "judged by "].join("  ·  "),
      R.explained(data.objective, seen)),
    el("h2", { id: "decision-title", class: "verdict", tabindex: "-1" }, R.long(name ? verdict.replace(name, () => R.promoted.name) : verdict)),
    capital && el("p", { class: "because" }, R.prose(capital, seen)),
    R.knobList(),
    el("p", { class: "small baseline-note" }, R.prose(R.baselineNote(), seen)),
    el("div", { class: "decision-body" },
      el("ul", { class: "reasons" }, decision.reasons.map((text) => el("li", null, R.prose(text, seen)))),
      decision.cautions.length > 0 && el("div", { class: "caution" }, el("strong", { text: "But" }),
        decision.cautions.map((text) => el("p", null, R.prose(text, seen)))),
      el("div", { class: "pictures" }, R.decisionFigure(), R.winsFigure())));
};

// How the baseline was found is a sentence in the notes; its end, behind the name, says what it is.
R.noteOfBaseline = R.data.notes.find((text) => /^(baseline|stand-in): /i.test(text));
R.baselineNote = () => {
  const note = R.noteOfBaseline;
  // What a caution says in full needn't stand here as well.
  if (R.data.stand_in) return `Stand-in: ${R.baseline.name}, of those compared the closest to yours.`;
  return note ? `B${note.slice(1)}${/[.!?]$/.test(note) ? "" : "."}` : `Baseline: ${R.baseline.name}.`;
};
R.baselineLabel = () => {
  if (R.data.stand_in) return "Stand-in, closest to yours";
  const note = R.noteOfBaseline || "";
  const name = [R.baseline.name, R.shortName(R.baseline.name)].find((one) => note.includes(one));
  const what = name ? note.slice(note.indexOf(name) + name.length).replace(/^[\s,;:]+/, "") : "";
  if (/^as asked for/.test(what)) return "Baseline, as asked for";
  if (/as shipped/.test(what)) return "Baseline, as shipped";
  if (/^the first/.test(what)) return "Baseline, first of the sweep";
  return what && what.length < 24 ? `Baseline, ${what}` : "Baseline";
};

// The chosen one's knobs; those that change from the baseline show the old value too, struck out.
R.knobList = () => R.el("ul", { class: "knob-values", "aria-label": "The promoted configuration" }, R.knobs.map((knob) => {
  const [now, before] = [R.promoted, R.baseline].map((row) => R.knobValue(row.params[knob.key]));
  return R.el("li", { class: now !== before && "changed" }, R.el("span", { text: knob.short }),
    now !== before && R.el("del", { text: R.cut(before, 40, 10), "aria-label": `was ${R.cut(before, R.NAME)}` }), R.el("strong", { text: R.cut(now, 40, 10) }));
}));

R.decisionFigure = () => {
  const { data, rows, promoted, baseline } = R;
  const entries = [];
  const add = (kind, label, value, lower, upper) => entries.push({ kind, label, value, lower, upper });
  add("baseline", `${R.baselineLabel()}${promoted === baseline ? ": keep" : ""}`, baseline.mean, baseline.lower, baseline.upper);
  if (promoted !== baseline) add("chosen", promoted === rows[0] ? "Promoted, top of the leaderboard" : "Promoted, as measured", promoted.mean, promoted.lower, promoted.upper);
  if (rows[0] !== promoted && rows[0] !== baseline) add("top", "Top of the leaderboard", rows[0].mean, rows[0].lower, rows[0].upper);
  if (data.honest && R.told(data.honest.value)) {
    add("honest", promoted === baseline ? "The sweep's pick, on new questions" : "Expect this on new questions", data.honest.value, data.honest.lower, data.honest.upper);
  }
  const box = R.el("div", { class: "chart", role: "img", "aria-label": entries.map((one) => `${one.label}: ${R.number(one.value)}, between ${R.number(one.lower)} and ${R.number(one.upper)}`).join(". ") });
  R.chart(box, (at, width) => at.append(R.decisionPicture(entries, width)));
  const measure = R.measureWords(data.objective);
  return R.el("figure", null, box, R.el("figcaption", null, R.el("p", { text: `${data.objective}${measure ? `: ${measure[0].toLowerCase()}${measure.slice(1)}` : ", higher is better."}` }),
    R.el("p", null, "A bar is the ", R.term("interval", `${R.percent(data.settings.level)} interval`),
      ": how far the value may well be off, because these questions are only a sample. Bars that overlap do not mean that two configurations are equal: they answered the same questions, so they are compared question by question.")));
};

// Lines that run down stand beside the bars only, so that none crosses a label.
R.decisionPicture = (entries, width) => {
  const step = 52, bottom = entries.length * step + 8;
  const [from, to] = R.extent(entries.flatMap((one) => [one.value, one.lower, one.upper]), 0.08);
  const x = R.scale(from, to, 8, width - 8);
  const picture = R.svg("svg", { width, height: bottom + 42, "aria-hidden": "true" }, R.axisX(x, bottom, width / 90, { label: R.data.objective }));
  const down = (value, y, ink) => R.svg("line", { x1: x(value), x2: x(value), y1: y - 11, y2: y + 13, ...ink });
  entries.forEach((one, at) => {
    const y = at * step + 38;
    const colour = `var(--${one.kind === "top" ? "other" : one.kind})`;
    picture.append(...R.ticks(from, to, width / 90).values.map((value) => down(value, y, { stroke: "var(--line)" })),
      down(entries[0].value, y, { stroke: "var(--baseline)", "stroke-dasharray": "3 3" }),
      R.svg("text", { x: 8, y: y - 17, class: "strong", text: one.label }),
      R.svg("text", { x: width - 8, y: y - 17, "text-anchor": "end", class: "strong", text: R.number(one.value) }));
    if (R.told(one.lower)) picture.append(R.svg("line", { x1: x(one.lower), x2: x(one.upper), y1: y, y2: y, stroke: colour, "stroke-width": 6, "stroke-opacity": 0.32, "stroke-linecap": "round" }));
    if (R.told(one.value)) picture.append(R.sign(one.kind, x(one.value), y, 6));
  });
  return picture;
};

// On how many questions it is better: what needs no statistics.
R.winsFigure = () => {
  const { promoted, el } = R;
  if (promoted === R.baseline || !R.told(promoted.wins)) return null;
  const parts = [["wins", "▲", "better"], ["ties", "=", "equal"], ["losses", "▼", "worse"]].map(([key, sign, word]) => ({ key, sign, word, of: promoted[key] }));
  return el("figure", { class: "wins" }, el("figcaption", { text: `Question by question, the promoted one against the ${R.base}` }),
    el("div", { class: "wins-bar", "aria-hidden": "true" }, parts.map(({ key, of }) => el("span", { class: key, css: { "flex-grow": of } }))),
    el("p", { class: "wins-words" }, parts.map(({ key, sign, word, of }) => el("span", { class: key, text: `${sign} ${word} on ${R.count(of)}` }))));
};
