// The leaderboard: one row a configuration, some at a time.
// Fewer on a phone, where a screen holds fewer.
R.PAGE = innerWidth < 720 ? 25 : 100;
R.drawLeaderboard = () => {
  const { data, el, state } = R;
  const node = R.heading("leaderboard", "Leaderboard", R.explained(`Best on top. “Real” means that a difference from the ${R.base} would hardly come about by chance, although so many configurations were tried; those in the set of the best can't be told from the best one. Choose a name for its details.`));
  const columns = R.leaderboardColumns();
  const sort = { key: "rank", down: false };
  let shown = R.PAGE;
  const total = el("span", { role: "status", tabindex: "-1" });
  const body = el("tbody"), head = el("tr");
  const button = (id, rest) => el("button", { type: "button", class: "button", id, ...rest });
  const add = (number) => { const from = shown; shown += number; draw(); (body.children[from] || total).querySelector("button")?.focus(); };
  const more = button("more", { on: { click: () => add(R.PAGE) } });
  const all = ["all-above", "all"].map((id) => button(id, { on: { click: () => { add(R.rows.length); if (id === "all-above") total.focus(); } } }));
  const left = el("span", { class: "small" });
  const caption = `${R.plural(data.configurations, "configuration")} (${R.count(data.distinct)} distinct), ${R.plural(data.questions, "question")}, k = ${data.k}. Intervals: ${R.percent(data.settings.level)}. Differences from ${R.shortName(R.baseline.name)}, judged by ${R.correctionWords()} with all comparisons counted in.`;
  R.drawFilters(node, R.columnChooser(columns, () => { if (!columns.find((one) => one.key === sort.key).shown) Object.assign(sort, { key: "rank", down: false }); draw(); }));
  node.append(el("p", { class: "count" }, total, all[0]),
    R.wide(el("table", { class: "leaderboard" }, el("caption", null, el("span", null, R.explained(caption, new Set(["baseline", "interval"])))), el("thead", null, head), body), "Leaderboard"),
    el("p", { class: "more" }, left, more, all[1]));

  function order(column) {
    if (sort.key === column.key) sort.down = !sort.down;
    else Object.assign(sort, { key: column.key, down: column.down === true });
    shown = R.PAGE;
    draw();
    head.querySelector(`[data-column="${CSS.escape(column.key)}"] button`).focus();
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
  function heads(chosen) {
    R.clear(head).append(...chosen.map((column) => el("th", { scope: "col", class: column.class, "data-column": column.key, "aria-sort": column.key === sort.key && (sort.down ? "descending" : "ascending") },
      el("button", { type: "button", class: "plain", title: column.text || null, text: column.title, on: { click: () => order(column) } }))));
  }
  function draw() {
    const chosen = columns.filter((one) => one.shown);
    const fitting = sorted(R.rows.filter((row) => state.fits(row)));
    const hidden = fitting.length ? 0 : R.rows.filter((row) => state.fits(row, false)).length;
    heads(chosen);
    R.clear(body).append(...fitting.slice(0, shown).map((row) => R.leaderboardRow(row, chosen)));
    if (!fitting.length) body.append(el("tr", null, el("td", { class: "empty", colspan: chosen.length, text: hidden
      ? `Only configurations that are equal in effect to another one fit (${hidden}); they are hidden.` : "No configuration fits these filters." })));
    const words = R.filterWords(), rest = fitting.length - shown;
    const sum = R.plural(fitting.length, "configuration");
    total.textContent = `${rest > 0 ? `The first ${R.count(shown)} of ${sum}` : fitting.length > 1 ? `All ${sum}` : sum}${words ? ` with ${words}` : ""}`;
    for (const one of [more, left, ...all]) one.hidden = rest <= 0;
    left.textContent = `${R.plural(rest, "more configuration")} below these.`;
    more.hidden ||= rest <= R.PAGE;
    more.textContent = `Show ${R.PAGE} more`;
    for (const one of all) one.textContent = `Show all ${R.count(fitting.length)}`;
  }
  state.listen(() => { shown = R.PAGE; draw(); });
  draw();
};
