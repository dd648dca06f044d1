// What a row of the leaderboard can show; what somebody rarely needs is off until it is chosen.
R.leaderboardColumns = () => {
  const { data, rows } = R;
  const means = R.extent(rows.flatMap((row) => [row.lower, row.upper]), 0.02);
  const differences = R.extent([0, ...rows.flatMap((row) => [row.difference_lower, row.difference_upper])], 0.02);
  const bar = (low, high, value, [from, to], zero) => R.intervalBar(R.scale(from, to, 2, 54), low, high, value, zero);
  const said = (key) => (R.termOf(key) || { text: "" }).text;
  const interval = `the bar is its ${R.percent(data.settings.level)} interval`;
  const others = Object.keys(rows[0].means).filter((key) => key !== data.objective);
  const columns = [
    { key: "rank", title: "#", always: true, class: "number", sort: (row) => row.rank, cell: (row) => row.rank },
    { key: "name", title: "Configuration", always: true, class: "name", sort: (row) => row.name, cell: R.nameCell },
    { key: "mean", title: data.objective, always: true, class: "bar", down: true, sort: (row) => row.mean, text: `${said("objective") || `The mean of ${data.objective}.`} ${interval[0].toUpperCase()}${interval.slice(1)}.`,
      cell: (row) => [R.el("span", { class: "figure", text: R.number(row.mean) }), bar(row.lower, row.upper, row.mean, means)] },
    { key: "difference", title: "Difference", class: "bar", down: true, sort: (row) => row.difference, text: `From the ${R.base}, question by question; ${interval}, and the thin line is no difference.`,
      cell: (row) => (R.told(row.difference) ? [R.el("span", { class: "figure", text: R.signed(row.difference) }), bar(row.difference_lower, row.difference_upper, row.difference, differences, 0)] : "–") },
    { key: "real", title: "Real?", class: "chance", sort: (row) => row.p_adjusted, cell: R.chanceCell,
      text: `▲ real: better than the ${R.base}, and a difference this large hardly comes about by chance, although ${R.count(data.distinct)} configurations were tried. ▼ really worse: the same the other way. ○ may be chance: these questions can't tell.` },
    { key: "p", title: "p", off: true, class: "number", sort: (row) => row.p_adjusted, cell: (row) => R.chance(row.p_adjusted).replace(/^p (= )?/, ""), text: said("p") },
    { key: "wins", title: "+ · = · −", class: "number", down: true, sort: (row) => row.wins === null ? null : row.wins - row.losses, text: `On how many questions it is better than the ${R.base}, equal and worse.`,
      cell: (row) => (row.wins === null ? "–" : `${R.count(row.wins)} · ${R.count(row.ties)} · ${R.count(row.losses)}`) },
    { key: "share", title: "Chosen", off: true, class: "number", down: true, sort: (row) => row.chosen_share, text: "How often this one wins when only a part of the questions may choose.",
      cell: (row) => (row.chosen_share ? R.percent(row.chosen_share, row.chosen_share < 0.01 ? 1 : 0) : "–") },
    { key: "cost", title: "Work", class: "number", sort: (row) => row.cost && row.cost.units, cell: (row) => R.short(row.cost && row.cost.units), text: said("units") },
    rows.some((row) => row.evidence) && { key: "evidence", title: "Evidence", class: "number", down: true, sort: (row) => row.evidence && row.evidence.recall, cell: (row) => R.number(row.evidence && row.evidence.recall), text: `Evidence recall. ${said("evidence")}` },
    rows.some((row) => R.told(row.words)) && { key: "words", title: "Words", class: "number", sort: (row) => row.words, cell: (row) => R.count(row.words), text: said("words") },
    ...others.map((key) => ({ key: `mean ${key}`, title: key, measure: true, off: true, class: "number", down: true, sort: (row) => row.means[key], cell: (row) => R.number(row.means[key]), text: R.measureWords(key) })),
  ].filter(Boolean);
  for (const one of columns) one.shown = !one.off;
  return columns;
};

// Every column with what it says; a tick shows it.
R.columnChooser = (columns, draw) => {
  const { el } = R;
  const tick = (column) => {
    const box = el("input", { type: "checkbox", "data-show": column.key, checked: column.shown, disabled: column.always, on: { change: () => { column.shown = box.checked; draw(); } } });
    return el("label", { class: "check", title: column.measure && column.text }, box, column.measure ? column.title : el("strong", { text: column.title }));
  };
  const line = (column) => el("div", { class: "column" }, tick(column), el("span", { class: "small", text: column.text }));
  const measures = columns.filter((one) => one.measure);
  return el("details", { class: "columns" }, el("summary", { class: "button" }, "Columns, and what they say"),
    el("div", { class: "column-list", role: "group", "aria-label": "Columns" }, columns.filter((one) => one.text && !one.measure).map(line),
      measures.length > 0 && el("div", { class: "column many" }, el("strong", { class: "check", text: "Other measures" }), el("div", null, measures.map(tick)))));
};

R.leaderboardRow = (row, columns) => R.el("tr", { "data-row": row.row, class: row === R.promoted ? "is-chosen" : row.is_baseline ? "is-baseline" : null },
  columns.map((column) => R.el("td", { class: column.class }, column.cell(row))));

// Name and signs on one line; a long name takes a second one, and its details have all of it.
R.nameCell = (row) => R.el("div", { class: "name-line" },
  R.el("button", { type: "button", class: "plain name-button", "aria-expanded": "false", title: row.name.length > 60 ? R.cut(row.name, 500) : null, on: { click: (event) => R.toggleDetails(event.currentTarget, row) } },
    R.el("span", { class: "name-text", text: R.shortName(row.name, 90) })),
  R.el("span", { class: "badges" },
    row === R.promoted && R.el("span", { class: "badge chosen", text: row.is_baseline ? "keep" : "promote" }),
    row.is_baseline && R.el("span", { class: "badge baseline", text: R.base }),
    row.in_best && row !== R.promoted && R.el("span", { class: "badge best", text: "best set" }),
    row.alias_of !== null && R.el("span", { class: "badge best", text: "equal" })));

R.chanceCell = (row) => {
  if (!R.told(row.p_adjusted)) return "–";
  const words = row.shown ? (row.difference >= 0 ? "▲ real" : "▼ really worse") : "○ may be chance";
  return R.el("span", { class: row.shown ? "real" : "may", title: R.chance(row.p_adjusted), text: words });
};

R.intervalBar = (x, low, high, value, zero) => R.svg("svg", { width: 56, height: 14, class: "interval", role: "img",
  "aria-label": `${R.number(low)} to ${R.number(high)}` },
R.told(zero) && R.svg("line", { x1: x(zero), x2: x(zero), y1: 0, y2: 14, stroke: "var(--strong-line)" }),
R.told(low) && R.svg("line", { x1: x(low), x2: x(high), y1: 7, y2: 7, stroke: "var(--accent)", "stroke-opacity": 0.4, "stroke-width": 4 }),
R.told(value) && R.svg("circle", { cx: x(value), cy: 7, r: 3, fill: "var(--accent)" }));
