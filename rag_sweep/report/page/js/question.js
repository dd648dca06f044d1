// One question: its text, what the finalists made of it, and two of their rankings.
R.question = (panel, position) => {
  const { data, detail, el } = R;
  const one = data.per_question[position];
  const text = one.text || "The text of this question isn't kept.";
  R.clear(panel).append(
    el("p", { class: "meta", text: `Question ${R.cut(one.id, R.NAME)}${(one.tags || []).length ? `  ·  ${R.cut(one.tags.join(", "), 300)}` : ""}` }),
    el("h3", { tabindex: "-1", class: one.text ? null : "none" }, R.long(text, R.cut(text, 500))),
    el("p", { class: "small", text: [`mean ${R.number(one.mean)}`, `best ${R.number(one.best)}`, `worst ${R.number(one.worst)}`, `spread ${R.number(one.deviation)}`,
      one.dead && "the same for all configurations", one.decides > 0 && `without it ${R.plural(one.decides, "other configuration")} could win`].filter(Boolean).join("  ·  ") }));
  if (!detail || !detail.rankings.length) return;
  panel.append(R.finalistValues(position), R.sideBySide(position));
};

R.roleOf = (row) => [row === R.promoted && (row.is_baseline ? "kept" : "promoted"), row.is_baseline && R.base].filter(Boolean).join(", ");

R.finalistValues = (position) => {
  const { detail, el } = R;
  const entries = detail.rankings.map((one) => R.rows[one.row]).filter((row) => row && detail.values[row.row]);
  return el("div", { class: "finalists" }, entries.map((row) => {
    const value = detail.values[row.row][position];
    return el("div", { class: "finalist" }, el("span", { class: "name" }, R.shortName(row.name, 90), R.roleOf(row) && el("span", { class: `badge ${R.kindOf(row)}`, text: R.roleOf(row) })),
      el("span", { class: "share", "aria-hidden": "true" }, el("span", { css: { width: `${100 * Math.max(0, Math.min(1, value || 0))}%` } })), el("span", { class: "figure", text: R.number(value) }));
  }));
};

// The two that are compared stay chosen from question to question.
R.sides = { a: null, b: null };
R.sideBySide = (position) => {
  const { detail, el, sides } = R;
  const have = detail.rankings.map((one) => one.row);
  if (sides.a === null) {
    sides.a = have.includes(R.data.baseline) ? R.data.baseline : have[0];
    sides.b = have.find((row) => row === R.promoted.row && row !== sides.a) ?? have.find((row) => row !== sides.a) ?? sides.a;
  }
  const box = el("div", { class: "sides" });
  const draw = () => {
    const lists = [sides.a, sides.b].map((row) => detail.rankings.find((one) => one.row === row).ranked[position] || []);
    R.clear(box).append(R.rankingColumn(position, sides.a, lists[0], lists[1], "left"), R.rankingColumn(position, sides.b, lists[1], lists[0], "right"));
    const missed = (detail.relevant[position] || []).filter((doc) => !lists[0].includes(doc) && !lists[1].includes(doc));
    if (missed.length) box.append(R.missedDocuments(missed));
  };
  const select = (key, label) => {
    const node = el("select", { id: `side-${key}`, on: { change: () => { sides[key] = Number(node.value); draw(); } } },
      have.map((row) => el("option", { value: row, selected: row === sides[key], text: `${R.shortName(R.nameOf(row), 90)}${R.roleOf(R.rows[row]) ? ` (${R.roleOf(R.rows[row])})` : ""}` })));
    return el("label", { class: "field" }, label, node);
  };
  draw();
  return el("div", null, el("h4", { text: "Two rankings side by side" }), el("div", { class: "controls pick" }, select("a", "Left"), select("b", "Right")), box);
};
