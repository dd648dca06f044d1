// The row of filters above the leaderboard, and above the parallel coordinates once more in short.
R.drawFilters = (node, columns) => {
  const { el, state } = R;
  const search = el("input", { type: "search", id: "filter-text", placeholder: "name, words", autocomplete: "off",
    on: { input: () => state.change((one) => { one.text = search.value; }) } });
  const selects = R.knobs.map((knob) => {
    const seen = [...new Set(R.rows.map((row) => R.knobValue(row.params[knob.key])))];
    const order = knob.values.map(R.knobValue);
    seen.sort((a, b) => order.indexOf(a) - order.indexOf(b));
    const select = el("select", { "data-knob": knob.key, on: { change: () => state.setKnob(knob.key, select.value === "" ? null : JSON.parse(select.value)) } },
      el("option", { value: "", text: "all" }), seen.map((value) => el("option", { value: JSON.stringify(value), text: R.cut(value, 60, 15) })));
    return { knob, select };
  });
  const box = (id, key, text) => {
    const input = el("input", { type: "checkbox", id, on: { change: () => state.change((one) => { one[key] = input.checked; }) } });
    return { key, input, label: el("label", { class: "check" }, input, text) };
  };
  const boxes = [box("only-best", "best", "Only the set of the best"), box("only-pareto", "pareto", "Only what is worth its work")];
  if (state.aliases) boxes.push(box("only-distinct", "distinct", `Hide ${R.plural(state.aliases, "equal one")}`));
  const helps = { best: "best", pareto: "pareto" };
  const clear = el("button", { type: "button", class: "button", text: "Clear filters", on: { click: state.reset } });

  node.append(el("div", { class: "controls", role: "group", "aria-label": "Filters" },
    el("label", { class: "field" }, "Search", search),
    selects.map(({ knob, select }) => el("label", { class: "field", title: knob.key }, knob.short, select))),
  el("div", { class: "controls" }, boxes.map(({ key, label }) => el("span", { class: "with-help" }, label, key in helps && R.help(helps[key]))), clear, columns));

  state.listen(() => {
    const { filter } = state;
    if (search.value !== filter.text) search.value = filter.text;
    for (const { knob, select } of selects) select.value = knob.key in filter.knobs ? JSON.stringify(filter.knobs[knob.key]) : "";
    for (const { key, input } of boxes) input.checked = filter[key];
  });
  for (const { key, input } of boxes) input.checked = state.filter[key];
};

R.filterWords = () => {
  const { filter } = R.state;
  const parts = Object.entries(filter.knobs).map(([key, value]) => `${R.shortOf(key)}=${R.cut(value, 60, 15)}`);
  if (filter.text.trim()) parts.push(`“${filter.text.trim()}”`);
  if (filter.best) parts.push("set of the best");
  if (filter.pareto) parts.push("Pareto set");
  return parts.join(", ");
};
