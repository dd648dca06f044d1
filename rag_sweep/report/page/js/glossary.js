// The words that need explaining: once in a list at the end, and where they first appear as a button that tells.
R.MEASURES = {
  ndcg: (k) => `How high the relevant documents stand among the first ${k}: 1 is the best order there is, 0 means that none of them is there.`,
  ndcg_linear: (k) => `How high the relevant documents stand among the first ${k}, with grades counted as they are: 1 is the best order there is, 0 means that none of them is there.`,
  recall: (k) => `The share of a question's relevant documents that are among the first ${k}: 1 is all of them, 0 is none.`,
  precision: (k) => `The share of the first ${k} results that is relevant: 1 is all of them, 0 is none.`,
  hit: (k) => `The share of questions with at least one relevant document among the first ${k}.`,
  mrr: (k) => `How early the first relevant document comes: 1 if it is on top, 1/2 if it is second, 1/3 if it is third; 0 if it isn't among the first ${k}.`,
  map: (k) => `How purely the relevant documents stand on top of the first ${k}: 1 if all of them come before anything else, 0 if none is there.`,
};

R.measureWords = (text) => {
  const [name, k] = text.split("@");
  return R.MEASURES[name] ? R.MEASURES[name](k) : "";
};

R.TERMS = (() => {
  const { data } = R;
  const level = R.percent(data.settings.level);
  const folds = data.honest && R.told(data.honest.value) ? data.honest : data.settings;
  const literal = (text) => new RegExp(text.replace(/[^\w\s]/g, "\\$&"));
  const measure = R.measureWords(data.objective);
  const families = Object.keys(R.MEASURES).filter((name) => Object.keys(R.rows[0].means).some((one) => one !== data.objective && one.startsWith(`${name}@`)));
  const evidence = R.rows.some((row) => row.evidence) || (data.curve && data.curve.measure === "evidence recall");
  return [
    measure && ["objective", data.objective, literal(data.objective), `${measure} Here it is the mean over ${R.plural(data.questions, "question")}.`],
    ...families.map((name) => [`measure-${name}`, `${name}@k`, new RegExp(`\\b${name}@\\d+`), `${R.MEASURES[name]("k")}`]),
    data.stand_in
      ? ["baseline", "stand-in", /\bstand-in\b/, "The configuration that all others are compared with: of those that were measured the closest to yours, which wasn't. Yours may be better or worse."]
      : ["baseline", "baseline", /\bbaseline\b/, "The configuration that all others are compared with. The decision says which one it is and why."],
    ["interval", `interval, ${level}`, /\bintervals?\b/, `These questions are only a sample of those that will be asked, so a value may be off. Of intervals made in this way ${level} hold the value that all questions would give.`],
    ["p", "p", /\bp (?=[=<])/, `How often chance alone would show a difference at least this large. Below ${data.settings.alpha} a difference is called real. It takes into account how many configurations were tried.`],
    ["maxt", "max-T", /\bmax-T\b|\bcomparisons counted in\b/, "Whoever tries many configurations finds a lucky one. So each difference is measured against the largest one that chance produces among all of them together."],
    ["best", "set of the best", /\bset of the best\b|\bbest set\b|\bcan't be told(?= from the best)/, "The configurations that these questions can't tell from the best one. Their order among each other says nothing."],
    ["honest", "honest value", /\b[Hh]onest value\b|\b[Oo]n new questions\b/, "What to expect on questions that took no part in the choice. The value on the leaderboard is too high by the luck of having been picked for it."],
    ["folds", "folds", /\bfolds\b/, `For the honest value the questions are dealt into ${folds.folds} parts (folds). All but one choose a configuration and the one left out scores it, each part in turn; ${folds.repeats} times with other parts.`],
    ["power", "power", /\b[Pp]ower\b/, "How likely a true difference of a given size is found with so many questions."],
    ["pareto", "Pareto set", /\bPareto\b/, "The configurations that are worth their work: whatever is at least as good takes more work, and whatever takes as little is worse."],
    ["units", "work", /\b[Ww]ork units\b|\bcomputing\b/, "What one question makes the machine do, counted (a unit is about one multiplication with an addition), so it is the same on every machine. Made for comparing, not for a bill."],
    ["words", "words handed over", /\bwords handed over\b|\bhands over\b/, `How many words the first ${data.k} results of a question hold on average: what a model behind the search has to read.`],
    evidence && ["evidence", "evidence recall", /\b[Ee]vidence recall\b|\bmarked evidence\b/, "The gold marks the places in the documents that answer a question. This is the share of their characters that is handed over: 1 is all, 0 is nothing."],
    ["variation", "variation", /\bvariation\b/, "How far configurations lie apart. A knob's share of it says how much of that is due to this knob."],
    ["gold", "gold", /\bgold\b/, "The questions, each with the documents that answer it: what every configuration is measured by."],
    ["resamples", "sign flips, resamples", /\bsign flips\b|\bresamples\b/, "To see what chance does, the differences of randomly chosen questions are turned round (better becomes worse), and everything is computed anew; so many times."],
  ].filter(Boolean).map(([key, title, pattern, text]) => ({ key, title, pattern, text }));
})();
R.termOf = (key) => R.TERMS.find((one) => one.key === key);

// A word that explains itself: by pointer, by touch and by keyboard; readers of the screen get the entry in the list.
R.term = (key, text) => {
  const term = R.termOf(key);
  if (!term) return text;
  return R.tipped(R.el("button", { type: "button", class: "term", "data-term": key, "aria-describedby": `word-${key}`, text }), () => `${term.title}: ${term.text}`);
};
R.help = (key) => {
  const term = R.termOf(key);
  return R.tipped(R.el("button", { type: "button", class: "help", "data-term": key, "aria-label": `What is “${term.title}”?`, "aria-describedby": `word-${key}`, text: "?" }), () => `${term.title}: ${term.text}`);
};
// A text with the words in it that need it made into buttons, each once; `seen` are those that have been.
R.explained = (text, seen = new Set()) => {
  const found = R.TERMS.filter((term) => !seen.has(term.key)).map((term) => ({ key: term.key, at: term.pattern.exec(text) })).filter((one) => one.at)
    .sort((a, b) => a.at.index - b.at.index)[0];
  if (!found) return [text];
  seen.add(found.key);
  const start = found.at.index, word = found.at[0].trimEnd(), end = start + word.length;
  return [text.slice(0, start), R.term(found.key, word), ...R.explained(text.slice(end), seen)];
};
R.prose = (text, seen = new Set()) => R.long(text, R.brief(text), (one) => R.explained(one, seen));

R.drawGlossary = () => {
  const node = R.heading("words", "Words on this page", "Wherever one of them is underlined with dots, pointing at it, tapping it or reaching it with the Tab key shows the same text.");
  node.append(R.el("dl", { class: "facts" }, R.TERMS.map((one) => R.el("div", null, R.el("dt", { id: `term-${one.key}` }, R.el("dfn", { text: one.title })), R.el("dd", { id: `word-${one.key}`, text: one.text })))));
};
