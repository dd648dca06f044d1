// Questions against configurations, as a picture; and the lists that lead to a question.
R.MAP_ROWS = 200;
R.ORDERS = [
  ["difficulty", "hardest first", (one) => one.mean],
  ["disagreement", "most disputed first", (one) => -one.deviation],
  ["gold", "order of the gold", null],
];

R.drawQuestions = () => {
  const { data, detail, el } = R;
  const node = R.heading("questions", "Question by question", "Each column is a question, each row a configuration, the best on top. Full-height stripes are questions that are easy or hard for all; broken ones are where the choice matters.");
  const panel = el("div", { id: "question", class: "question", "aria-live": "polite" });
  let map = null;
  const choose = (position, jump) => {
    R.question(panel, position);
    if (map) map.select(position);
    if (jump) { panel.querySelector("h3").focus({ preventScroll: true }); panel.scrollIntoView({ block: "nearest" }); }
  };
  if (detail && detail.values.length && data.per_question.length) {
    const select = el("select", { id: "map-order", on: { change: () => map.order(select.value) } }, R.ORDERS.map(([key, text]) => el("option", { value: key, text })));
    const box = el("div", { class: "chart map-box" });
    node.append(el("div", { class: "controls" }, el("label", { class: "field" }, "Questions", select)), box);
    map = R.questionMap(box, (position) => choose(position, true));
  } else {
    node.append(el("p", { class: "none", text: "The values of single questions aren't on this page." }));
  }
  if (!data.per_question.length) return;
  node.append(R.questionLists((position) => choose(position, true)), panel);
  const first = ["decisive", "disputed", "hardest"].map((key) => (data.question_lists[key] || [])[0]).find(R.told);
  choose(R.told(first) ? first : 0, false);
};

R.questionMap = (box, open) => {
  const { detail, data } = R;
  const rows = R.rows.filter((row) => row.alias_of === null && row.row < detail.values.length).slice(0, R.MAP_ROWS);
  const size = Math.max(1.5, Math.min(14, 380 / rows.length));
  const height = Math.round(size * rows.length);
  let order = [], selected = 0, key = "difficulty", width = 0, canvas = null, marker = null;
  const sort = () => {
    const by = R.ORDERS.find(([name]) => name === key)[2];
    order = data.per_question.map((_, at) => at);
    if (by) order.sort((a, b) => by(data.per_question[a]) - by(data.per_question[b]) || a - b);
  };
  const words = (position) => { const one = data.per_question[position]; return `${R.cut(one.id, 60)}: ${R.cut(one.text || "text isn't kept", 300)}`; };
  const place = () => {
    if (!canvas) return;
    const at = order.indexOf(selected);
    const step = width / order.length;
    marker.style.left = `${at * step - 1}px`; marker.style.width = `${Math.max(3, step + 2)}px`;
    for (const [name, value] of [["aria-valuenow", at + 1], ["aria-valuetext", words(selected)]]) canvas.setAttribute(name, value);
  };
  const paint = (node, wide) => {
    width = wide;
    const ratio = Math.min(2, devicePixelRatio || 1);
    canvas = R.el("canvas", { id: "map", width: width * ratio, height: height * ratio, tabindex: "0", role: "slider", "aria-label": "Question; arrow keys choose, Enter opens it", "aria-valuemin": 1, "aria-valuemax": order.length, css: { width: `${width}px`, height: `${height}px` } });
    R.paintMap(canvas, order, rows, R.colours());
    const spot = (event) => { const at = canvas.getBoundingClientRect(); return [Math.floor(((event.clientX - at.left) / at.width) * order.length), Math.floor(((event.clientY - at.top) / at.height) * rows.length)].map((one, axis) => Math.max(0, Math.min(one, (axis ? rows : order).length - 1))); };
    canvas.addEventListener("pointermove", (event) => { const [column, line] = spot(event); R.showTip(`${words(order[column])}\n${R.shortName(rows[line].name)}\n${R.number(detail.values[rows[line].row][order[column]])}`, event.clientX, event.clientY); });
    canvas.addEventListener("pointerleave", R.hideTip);
    canvas.addEventListener("click", (event) => open(order[spot(event)[0]]));
    canvas.addEventListener("keydown", (event) => {
      const steps = { ArrowRight: 1, ArrowLeft: -1, PageDown: 10, PageUp: -10, Home: -order.length, End: order.length };
      if (event.key === "Enter" || event.key === " ") { event.preventDefault(); open(selected); return; }
      if (!(event.key in steps)) return;
      event.preventDefault();
      selected = order[Math.max(0, Math.min(order.length - 1, order.indexOf(selected) + steps[event.key]))];
      place();
      const at = canvas.getBoundingClientRect();
      R.showTip(words(selected), at.left + marker.offsetLeft, at.top);
    });
    canvas.addEventListener("blur", R.hideTip);
    marker = R.el("div", { class: "marker", "aria-hidden": "true", css: { height: `${height}px` } });
    const ends = { difficulty: ["hardest", "easiest"], disagreement: ["most disputed", "all agree"], gold: ["first", "last"] }[key];
    node.append(canvas, marker, R.el("p", { class: "ends small" }, R.el("span", { text: `← ${ends[0]}` }), R.el("span", { text: `${R.plural(order.length, "question")} × ${R.plural(rows.length, "configuration")}` }), R.el("span", { text: `${ends[1]} →` })));
    place();
  };
  sort();
  const again = R.chart(box, paint);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
  return { select: (position) => { selected = position; place(); }, order: (name) => { key = name; sort(); again(); } };
};

R.paintMap = (canvas, order, rows, colour) => {
  const small = R.el("canvas", { width: order.length, height: rows.length });
  const pen = small.getContext("2d");
  const image = pen.createImageData(order.length, rows.length);
  rows.forEach((row, line) => order.forEach((position, column) => {
    const value = R.detail.values[row.row][position];
    const [r, g, b] = R.told(value) ? colour(value) : [128, 128, 128];
    image.data.set([r, g, b, R.told(value) ? 255 : 60], 4 * (line * order.length + column));
  }));
  pen.putImageData(image, 0, 0);
  const big = canvas.getContext("2d");
  big.imageSmoothingEnabled = false;
  big.drawImage(small, 0, 0, canvas.width, canvas.height);
};

R.questionLists = (open) => {
  const { data, el } = R;
  const titles = { hardest: "Hardest", easiest: "Easiest", disputed: "Disputed", dead: "Same for all", decisive: "Would change the winner" };
  const keys = Object.keys(titles).filter((key) => (data.question_lists[key] || []).length);
  const list = el("ol", { class: "questions" });
  const search = el("input", { type: "search", id: "question-text", placeholder: "word or id", autocomplete: "off", on: { input: () => show(null) } });
  const item = (position) => {
    const one = data.per_question[position];
    return el("li", null, el("button", { type: "button", class: "plain", "data-question": position, on: { click: () => open(position) } },
      el("span", { class: "value", text: R.number(one.mean, 2) }), el("span", { class: "text", text: R.cut(one.text || one.id, 300) }), el("span", { class: "id", text: R.cut(one.id, 24, 8) })));
  };
  const buttons = keys.map((key) => el("button", { type: "button", class: "button", "data-list": key, text: `${titles[key]} (${data.question_lists[key].length})`, on: { click: () => { search.value = ""; show(key); } } }));
  function show(key) {
    const text = search.value.trim().toLowerCase();
    const found = key ? data.question_lists[key] : data.per_question.map((_, at) => at).filter((at) => `${data.per_question[at].id} ${data.per_question[at].text || ""} ${(data.per_question[at].tags || []).join(" ")}`.toLowerCase().includes(text));
    buttons.forEach((button, at) => button.setAttribute("aria-pressed", String(keys[at] === key)));
    R.clear(list).append(...found.slice(0, 30).map(item));
    if (!found.length) list.append(el("li", { class: "none", text: "No question has these words." }));
  }
  show(keys.includes("disputed") ? "disputed" : keys[0] || null);
  return el("div", { class: "lists" }, el("div", { class: "controls" }, el("div", { class: "tabs", role: "group", "aria-label": "Lists of questions" }, buttons), el("label", { class: "field" }, "Search all questions", search)),
    el("p", { class: "small", text: "The number is the mean over all configurations. Choose a question to see what each finalist made of it." }), list);
};
