// The leaderboard: one row a configuration, some at a time.
// Fewer on a phone, where each row is as tall as a card.
R.PAGE = innerWidth < 720 ? 25 : 100;
R.drawLeaderboard = () => {
  const { data, el, state } = R;
  const node = R.heading("leaderboard", "Leaderboard",
    "“Real” means that the difference from the baseline would hardly come about by chance, even though so many configurations were tried. + · = · − counts the questions answered better, equally and worse; “Chosen” is how often a configuration wins when only a part of the questions may choose. Choose a name for its details.");
  R.drawFilters(node);
  const sort = { key: "rank", down: false };
  let shown = R.PAGE;
  const total = el("p", { class: "count", role: "status" });
  const body = el("tbody");
  const more = el("button", { type: "button", class: "button", id: "more", on: { click: () => { const from = shown; shown += R.PAGE; draw(); body.children[from]?.querySelector("button")?.focus(); } } });
  const columns = R.leaderboardColumns();
  const heads = columns.map((column) => el("th", { scope: "col", class: column.class, "data-column": column.key },
    column.sort ? el("button", { type: "button", class: "plain", text: column.title, on: { click: () => order(column) } }) : column.title));
  const caption = `${R.plural(data.configurations, "configuration")} (${R.count(data.distinct)} distinct), ${R.plural(data.questions, "question")}, k = ${data.k}. Intervals: ${R.percent(data.settings.level)}. Differences from ${R.baseline.name}; p is corrected for all comparisons at once (${data.settings.correction}).`;
  node.append(total, el("div", { class: "scroll" }, el("table", { class: "leaderboard" }, el("caption", { text: caption }), el("thead", null, el("tr", null, heads)), body)),
    el("p", { class: "more" }, more));

  function order(column) {
    if (sort.key === column.key) sort.down = !sort.down;
    else Object.assign(sort, { key: column.key, down: column.down === true });
    shown = R.PAGE;
    draw();
  }
  function sorted(rows) {
    const { sort: value } = columns.find((one) => one.key === sort.key);
    const side = sort.down ? -1 : 1;
    const missing = (one) => one === null || one === undefined;
    return rows.slice().sort((a, b) => {
      const [x, y] = [value(a), value(b)];
      if (missing(x) || missing(y)) return missing(x) - missing(y) || a.row - b.row;
      return side * (typeof x === "string" ? x.localeCompare(y) : x - y) || a.row - b.row;
    });
  }
  function draw() {
    const fitting = sorted(R.rows.filter((row) => state.fits(row)));
    const hidden = fitting.length ? 0 : R.rows.filter((row) => state.fits(row, false)).length;
    R.clear(body).append(...fitting.slice(0, shown).map((row) => R.leaderboardRow(row, columns)));
    if (!fitting.length) body.append(el("tr", null, el("td", { class: "empty", colspan: columns.length, text: hidden
      ? `Only configurations that are equal in effect to another one fit (${hidden}); they are hidden.` : "No configuration fits these filters." })));
    heads.forEach((head, at) => {
      if (columns[at].key === sort.key) head.setAttribute("aria-sort", sort.down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    const words = R.filterWords();
    total.textContent = `${R.count(Math.min(shown, fitting.length))} of ${R.plural(fitting.length, "configuration")}${words ? ` with ${words}` : ""}`;
    more.hidden = shown >= fitting.length;
    more.textContent = `Show ${Math.min(R.PAGE, fitting.length - shown)} more`;
  }
  state.listen(() => { shown = R.PAGE; draw(); });
  draw();
};

R.leaderboardColumns = () => {
  const { rows } = R;
  const means = R.extent(rows.flatMap((row) => [row.lower, row.upper]), 0.02);
  const differences = R.extent([0, ...rows.flatMap((row) => [row.difference_lower, row.difference_upper])], 0.02);
  const bar = (low, high, value, [from, to], zero) => R.intervalBar(R.scale(from, to, 2, 76), low, high, value, zero);
  const columns = [
    { key: "rank", title: "#", class: "number", sort: (row) => row.rank, cell: (row) => row.rank },
    { key: "name", title: "Configuration", class: "name", sort: (row) => row.name, cell: R.nameCell },
    { key: "mean", title: R.data.objective, class: "bar", down: true, sort: (row) => row.mean,
      cell: (row) => [R.el("span", { class: "figure", text: R.number(row.mean) }), bar(row.lower, row.upper, row.mean, means)] },
    { key: "difference", title: "Difference", class: "bar", down: true, sort: (row) => row.difference,
      cell: (row) => (R.told(row.difference) ? [R.el("span", { class: "figure", text: R.signed(row.difference) }), bar(row.difference_lower, row.difference_upper, row.difference, differences, 0)] : "–") },
    { key: "p", title: "Chance?", class: "chance", sort: (row) => row.p_adjusted, cell: R.chanceCell },
    { key: "wins", title: "+ · = · −", class: "number", down: true, sort: (row) => row.wins === null ? null : row.wins - row.losses,
      cell: (row) => (row.wins === null ? "–" : `${row.wins} · ${row.ties} · ${row.losses}`) },
    { key: "share", title: "Chosen", class: "number", down: true, sort: (row) => row.chosen_share, cell: (row) => (row.chosen_share ? R.percent(row.chosen_share, row.chosen_share < 0.01 ? 1 : 0) : "–") },
    { key: "cost", title: "Work", class: "number", sort: (row) => row.cost && row.cost.units, cell: (row) => R.short(row.cost && row.cost.units) },
    { key: "evidence", title: "Evidence", class: "number", down: true, sort: (row) => row.evidence && row.evidence.recall, cell: (row) => R.number(row.evidence && row.evidence.recall) },
    { key: "words", title: "Words", class: "number", sort: (row) => row.words, cell: (row) => R.count(row.words) },
  ];
  return columns.filter((one) => one.key !== "evidence" || rows.some((row) => row.evidence));
};

R.leaderboardRow = (row, columns) => R.el("tr", { "data-row": row.row, class: row === R.promoted ? "is-chosen" : row.is_baseline ? "is-baseline" : null },
  columns.map((column) => R.el("td", { class: column.class, "data-label": column.title }, column.cell(row))));

R.nameCell = (row) => [
  R.el("button", { type: "button", class: "plain name-button", "aria-expanded": "false", text: row.name, on: { click: (event) => R.toggleDetails(event.currentTarget, row) } }),
  row === R.promoted && R.el("span", { class: "badge chosen", text: row.is_baseline ? "keep" : "promote" }),
  row.is_baseline && R.el("span", { class: "badge baseline", text: "baseline" }),
  row.in_best && row !== R.promoted && R.el("span", { class: "badge best", text: "best set" }),
  row.alias_of !== null && R.el("span", { class: "badge best", text: "equal in effect" }),
];

R.chanceCell = (row) => {
  if (!R.told(row.p_adjusted)) return "–";
  const better = row.difference >= 0;
  const words = row.shown ? (better ? "▲ real" : "▼ really worse") : "○ may be chance";
  return [R.el("span", { class: row.shown ? "real" : "may", text: words }), R.el("span", { class: "p", text: R.chance(row.p_adjusted) })];
};

R.intervalBar = (x, low, high, value, zero) => R.svg("svg", { width: 78, height: 14, class: "interval", role: "img",
  "aria-label": `${R.number(low)} to ${R.number(high)}` },
R.told(zero) && R.svg("line", { x1: x(zero), x2: x(zero), y1: 0, y2: 14, stroke: "var(--strong-line)" }),
R.told(low) && R.svg("line", { x1: x(low), x2: x(high), y1: 7, y2: 7, stroke: "var(--accent)", "stroke-opacity": 0.4, "stroke-width": 4 }),
R.told(value) && R.svg("circle", { cx: x(value), cy: 7, r: 3, fill: "var(--accent)" }));
