// Which knobs matter: share of the variance, and the effect of each value with its interval.
R.drawKnobs = () => {
  const { data, el } = R;
  const seen = new Set();
  const node = R.heading("knobs", "Which knobs matter",
    R.explained("A knob with a large share of the variation decides the result; one with a small share may be set by taste or cost. A value to the right of the line is better than the average of its knob's values; if its bar (its interval) crosses the line, that may be chance.", seen));
  const byShare = (a, b) => b.share - a.share;
  const single = data.effects.filter((one) => one.knobs.length === 1).sort(byShare);
  const pairs = data.effects.filter((one) => one.knobs.length > 1).sort(byShare);
  if (data.best.sentences.length) {
    node.append(el("ul", { class: "sentences" }, [el("li", { text: `${R.plural(data.best.rows.length, "configuration")} can't be told from the best one.` }),
      ...data.best.sentences.map((text) => el("li", null, R.prose(text, seen)))]));
  }
  if (!single.length) { node.append(el("p", { class: "none", text: "No knob was varied on its own, so effects can't be separated." })); return; }
  const range = R.extent([0, ...single.flatMap((one) => [...one.lower, ...one.upper])], 0.04);
  node.append(el("div", { class: "effects" }, single.map((one) => R.effectBlock(one, range))));
  if (pairs.length) node.append(...R.interactions(pairs));
};

R.effectBlock = (effect, range) => {
  const { el } = R;
  const key = effect.knobs[0];
  const liked = (R.data.likes || []).find((one) => one.key === key);
  const words = `${effect.share < 0.0005 ? "under 0.1 %" : R.percent(effect.share, effect.share < 0.1 ? 1 : 0)} of the variation`;
  const box = el("div", { class: "chart", role: "img", "aria-label": `${key}: ${words}. ` + effect.levels.map((level, at) =>
    `${level[0]}: ${R.signed(effect.effect[at])}, from ${R.signed(effect.lower[at])} to ${R.signed(effect.upper[at])}`).join("; ") });
  R.chart(box, (at, width) => at.append(R.effectPicture(effect, range, width)));
  const most = liked && Math.max(...liked.questions);
  return el("div", { class: "effect" },
    el("h3", { title: key }, R.shortOf(key), el("span", { text: words })),
    el("div", { class: "share", "aria-hidden": "true" }, el("div", { css: { width: `${Math.max(0.5, 100 * effect.share)}%` } })),
    box,
    liked && el("p", { class: "small" }, R.long(`Best for most questions: ${liked.levels.filter((_, at) => liked.questions[at] === most).map((one) => R.cut(String(one), 60, 15)).join(", ")} (${most}); ${R.plural(liked.indifferent, "question")} don't mind.`.replace("1 question don't", "1 question doesn't"))));
};

R.effectPicture = (effect, range, width) => {
  const step = 22, height = effect.levels.length * step + 4;
  const side = Math.min(120, width * 0.34);
  const x = R.scale(range[0], range[1], side, width - 50);
  const picture = R.svg("svg", { width, height: height + 22, "aria-hidden": "true" }, R.axisX(x, height, (width - side) / 70, { height }),
    R.svg("line", { x1: x(0), x2: x(0), y1: 0, y2: height, stroke: "var(--strong-line)", "stroke-width": 1.5 }));
  effect.levels.forEach((level, at) => {
    const y = at * step + 13;
    const clear = effect.lower[at] > 0 || effect.upper[at] < 0;
    const text = R.knobValue(level[0]);
    picture.append(R.svg("text", { x: side - 10, y: y + 4, "text-anchor": "end", class: "strong", text: R.cut(text, 16, 5) }),
      R.svg("line", { x1: x(effect.lower[at]), x2: x(effect.upper[at]), y1: y, y2: y, stroke: "var(--accent)", "stroke-width": 4, "stroke-opacity": 0.4 }),
      R.svg("circle", { cx: x(effect.effect[at]), cy: y, r: 4, fill: clear ? "var(--accent)" : "var(--surface)", stroke: "var(--accent)", "stroke-width": 1.6 }),
      R.svg("text", { x: width, y: y + 4, "text-anchor": "end", text: R.signed(effect.effect[at]) }));
  });
  return picture;
};

R.interactions = (pairs) => {
  const { el } = R;
  const row = (one) => el("details", null,
    el("summary", null, el("span", { class: "pair", text: one.knobs.map(R.shortOf).join(" × ") }),
      el("span", { class: "share", "aria-hidden": "true" }, el("span", { css: { width: `${Math.max(0.5, 100 * one.share)}%` } })),
      el("span", { class: "figure", text: R.percent(one.share, 1) })),
    R.simpleTable("Values of two knobs together", [...one.knobs.map(R.shortOf), "mean", "beyond the two alone", "interval"], one.levels.map((level, at) => [
      ...level.map((value) => R.cut(R.knobValue(value), 60, 15)), R.number(one.mean[at]), R.signed(one.effect[at]), `${R.signed(one.lower[at])} to ${R.signed(one.upper[at])}`]), 2));
  return [el("h3", { text: "Do knobs depend on each other?" }),
    el("p", { class: "small", text: "Share of the variation that two knobs explain together, beyond what each explains alone. Where it is small, each knob can be set by itself. Open a line for its values." }),
    el("div", { class: "interactions" }, pairs.slice(0, 10).map(row))];
};
