// Heat maps: two knobs, one map for each value of a third; a cell takes the best or the mean of all others.
R.drawHeat = () => {
  const { el, knobs } = R;
  const node = R.heading("heat", "Two knobs at a time", `The further from the background, the better; the numbers say how much. ◆ promoted, □ ${R.base}. Choose a cell to filter the leaderboard by it.`);
  if (knobs.length < 2) { node.append(el("p", { class: "none", text: "There is only one knob." })); return; }
  const find = (short, not) => knobs.find((one) => one.short === short && one !== not);
  const first = (...not) => knobs.find((one) => !not.includes(one)) || null;
  const pair = find("k1") && find("b") ? [find("k1"), find("b")] : [knobs[0], knobs[1]];
  const share = (knob) => (R.data.effects.find((one) => one.knobs.length === 1 && one.knobs[0] === knob.key) || { share: 0 }).share;
  const rest = knobs.filter((one) => !pair.includes(one) && one.values.length <= 8).sort((a, b) => share(b) - share(a));
  const choice = { x: pair[0], y: pair[1], by: rest[0] || null, mode: "best" };
  const maps = el("div", { class: "maps" });
  const select = (label, key, none) => {
    const box = el("select", { id: `heat-${key}`, on: { change: () => { set(key, knobs.find((one) => one.key === box.value) || null); } } },
      none && el("option", { value: "", text: "nothing" }), knobs.map((one) => el("option", { value: one.key, text: one.short })));
    return { key, box, label: el("label", { class: "field" }, label, box) };
  };
  const selects = [select("Across", "x"), select("Down", "y"), select("One map for each", "by", true)];
  const mode = el("select", { id: "heat-mode", on: { change: () => { choice.mode = mode.value; draw(); } } },
    el("option", { value: "best", text: "the best of all others" }), el("option", { value: "mean", text: "the mean of all others" }));

  // A knob stands in one place only: what it was chosen in place of moves to where it was.
  function set(key, knob) {
    const before = choice[key];
    for (const other of ["x", "y", "by"]) if (other !== key && knob && choice[other] === knob) choice[other] = before || (other === "by" ? null : first(knob, choice.x, choice.y) || choice[other]);
    choice[key] = knob;
    draw();
  }
  function draw() {
    for (const one of selects) one.box.value = choice[one.key] ? choice[one.key].key : "";
    R.heatMaps(R.clear(maps), choice);
  }
  node.append(el("div", { class: "controls" }, selects.map((one) => one.label), el("label", { class: "field" }, "Each cell shows", mode)), maps);
  draw();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
};

R.levelsOf = (knob) => {
  const seen = new Set(R.rows.map((row) => R.knobValue(row.params[knob.key])));
  const order = knob.values.map(R.knobValue).filter((value) => seen.has(value));
  return [...order, ...[...seen].filter((value) => !order.includes(value))];
};

R.heatCells = ({ x, y, by, mode }) => {
  const cells = new Map();
  for (const row of R.rows) {
    if (!R.told(row.mean)) continue;
    const at = [by, y, x].map((knob) => (knob ? R.knobValue(row.params[knob.key]) : ""));
    const key = JSON.stringify(at);
    if (!cells.has(key)) cells.set(key, { rows: [], sum: 0 });
    const cell = cells.get(key);
    cell.rows.push(row); cell.sum += row.mean;
  }
  for (const cell of cells.values()) cell.value = mode === "best" ? cell.rows[0].mean : cell.sum / cell.rows.length;
  return cells;
};

R.heatMaps = (node, choice) => {
  const cells = R.heatCells(choice);
  const range = R.extent([...cells.values()].map((one) => one.value), 0);
  const colour = R.colours();
  for (const value of choice.by ? R.levelsOf(choice.by) : [""]) {
    const here = [...cells.keys()].map((key) => JSON.parse(key)).filter(([by]) => by === value);
    const [across, down] = [[choice.x, 2], [choice.y, 1]].map(([knob, at]) => R.levelsOf(knob).filter((one) => here.some((levels) => levels[at] === one)));
    const grid = R.el("div", { class: "map", role: "grid", "aria-label": choice.by ? `${choice.by.short} = ${R.cut(value, R.NAME)}` : "Heat map",
      css: { "grid-template-columns": `auto repeat(${across.length}, minmax(0, 64px))` } });
    grid.append(R.el("div", { class: "row", role: "row" }, R.el("span", { class: "corner", role: "columnheader", text: `${choice.y.short} ↓  ${choice.x.short} →` }), across.map((one) => R.el("span", { class: "across", role: "columnheader", title: one.length > 20 ? R.cut(one, 500) : null, text: R.cut(one, 20, 6) }))));
    for (const low of down) {
      grid.append(R.el("div", { class: "row", role: "row" }, R.el("span", { class: "down", role: "rowheader", title: low.length > 20 ? R.cut(low, 500) : null, text: R.cut(low, 20, 6) }),
        across.map((one) => R.heatCell(cells.get(JSON.stringify([value, low, one])), choice, [value, low, one], range, colour))));
    }
    R.rove(grid, "[role=gridcell]", across.length);
    node.append(R.el("div", null, choice.by && R.el("h3", null, `${choice.by.short} = ${R.cut(value, 60, 15)}`), grid));
  }
  node.append(R.el("p", { class: "scale small" }, R.number(range[0]), R.el("span", { class: "ramp", css: { background: `linear-gradient(90deg, ${[0, 0.25, 0.5, 0.75, 1].map((at) => R.rgb(colour(at))).join(",")})` } }), R.number(range[1]), ` ${R.data.objective}`));
};

R.heatCell = (cell, choice, at, range, colour) => {
  if (!cell) return R.el("span", { class: "cell missing", role: "gridcell", tabindex: "-1", "aria-label": "not tried", text: "·" });
  const fill = colour((cell.value - range[0]) / (range[1] - range[0] || 1));
  const marks = [cell.rows.includes(R.promoted) && "◆", cell.rows.includes(R.baseline) && "□"].filter(Boolean).join("");
  const where = [choice.x, choice.y, choice.by].map((knob, place) => knob && `${knob.short} = ${R.cut(at[2 - place], 60, 15)}`).filter(Boolean).join(", ");
  const text = () => `${where}\n${choice.mode === "best" ? "best" : "mean"} of ${R.plural(cell.rows.length, "configuration")}: ${R.number(cell.value, 4)}\nbest: ${R.shortName(cell.rows[0].name)}`;
  const pick = () => R.state.change((one) => { [choice.by, choice.y, choice.x].forEach((knob, index) => { if (knob) one.knobs[knob.key] = at[index]; }); });
  return R.tipped(R.el("button", { type: "button", class: "cell", role: "gridcell", tabindex: "-1", "aria-label": `${where}: ${R.number(cell.value)}${marks.includes("◆") ? ", promoted" : ""}${marks.includes("□") ? `, ${R.base}` : ""}`,
    css: { background: R.rgb(fill), color: R.inkOn(fill) }, on: { click: pick } }, R.el("span", { class: "value", text: R.number(cell.value).replace(/^(−?)0\./, "$1.") }), marks && R.el("span", { class: "mark", text: marks })), text);
};

// One stop of the tab key for a whole group; arrows move inside it.
R.rove = (group, selector, columns) => {
  const items = [...group.querySelectorAll(selector)];
  if (items[0]) items[0].tabIndex = 0;
  const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns };
  group.addEventListener("keydown", (event) => {
    const at = items.indexOf(document.activeElement);
    const next = event.key === "Home" ? 0 : event.key === "End" ? items.length - 1 : event.key in steps ? at + steps[event.key] : -1;
    if (at < 0 || !items[next]) return;
    event.preventDefault();
    items[at].tabIndex = -1; items[next].tabIndex = 0;
    items[next].focus();
  });
};
