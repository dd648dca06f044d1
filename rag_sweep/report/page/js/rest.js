// What remains: warnings, tags, power, latency, history, and how everything was computed.
R.drawRest = () => {
  const { data, el } = R;
  const node = R.heading("rest", "Warnings, power and how it was computed", null);
  const entries = [
    ...data.warnings.map((one) => [`⚠ ${one.kind}`, one.text]),
    ...data.notes.map((text) => ["Note", text]),
    data.failed.length && ["Failed", `${R.plural(data.failed.length, "configuration")}: ${data.failed.slice(0, 3).map((one) => `${one.name} (${one.failure})`).join("; ")}${data.failed.length > 3 ? "…" : ""}`],
    ["Honest value", R.honestWords()],
    ["Power", R.powerWords()],
    data.history && ["History of this gold", `It has judged ${R.plural(data.history.configurations, "configuration")} in ${R.plural(data.history.sweeps, "sweep")}; the more it judges, the more a winner owes to luck.`],
    ["Questions", `${R.count(data.questions)} with an answer${data.negatives ? `, ${R.count(data.negatives)} without (not counted)` : ""}; grouped by ${data.settings.groups}`],
    ["Data", `${data.dataset.name}, corpus ${data.dataset.corpus.slice(0, 12)}, gold ${data.dataset.gold.slice(0, 12)}${data.dataset.gold_version ? ` (version ${data.dataset.gold_version})` : ""}`],
    ...data.sweeps.map((one) => ["Sweep", `${one.name}, id ${one.sweep_id}, ${R.plural(one.configurations, "configuration")}, code ${one.code || "–"}`]),
    ["Settings", R.settingWords()],
  ].filter(Boolean);
  node.append(el("dl", { class: "facts" }, entries.map(([title, text]) => el("div", null, el("dt", { text: title }), el("dd", { text })))));
  if (data.latency && data.latency.length) node.append(...R.latencyTable(data.latency));
  if (data.tags.length) node.append(...R.tagTable(data.tags));
};

R.honestWords = () => {
  const { honest } = R.data;
  if (!honest) return "Not estimated: there are too few questions to choose on some and score on others.";
  if (!R.told(honest.value)) return `Not estimated${honest.reason ? `: ${honest.reason}` : ""}.`;
  const winners = honest.winners.slice(0, 3).map((one) => `${R.nameOf(one.row)} ${R.percent(one.share)}`).join("; ");
  return `${R.number(honest.value)} (${R.number(honest.lower)} to ${R.number(honest.upper)}) against ${R.number(honest.naive)} read off the leaderboard: chosen on some questions and scored on the others, ${honest.folds} parts, ${honest.repeats} times. Chosen most often: ${winners}.`;
};

R.powerWords = () => {
  const { power } = R.data;
  if (!power) return "Can't be said: no configuration differs from the baseline, or there are too few questions.";
  const wanted = power.for && ` To find ${R.number(power.for.difference)}, it takes ${R.told(power.for.questions) ? R.plural(power.for.questions, "question") : "more questions than any gold has"}.`;
  return `A difference of ${R.number(power.detectable)} or more is found ${R.percent(power.power)} of the time among ${R.plural(power.comparisons, "comparison")}${R.told(power.alone) ? `; ${R.number(power.alone)} if only two configurations were compared` : ""}.${wanted || ""}`;
};

R.settingWords = () => {
  const { settings, test } = R.data;
  const named = { max_t: "max-T over sign flips", holm: "Holm over paired t" };
  return `rule ${settings.rule}; alpha ${settings.alpha}; correction ${named[settings.correction] || settings.correction}${test && test.exact ? " (exact)" : test ? `, ${R.count(test.resamples)} resamples` : ""}; intervals ${R.percent(settings.level)}; seed ${settings.seed}`;
};

R.simpleTable = (heads, lines) => R.el("div", { class: "scroll-in" }, R.el("table", null,
  R.el("thead", null, R.el("tr", null, heads.map((text, at) => R.el("th", { scope: "col", class: at ? "number" : null, text })))),
  R.el("tbody", null, lines.map((line) => R.el("tr", null, line.map((text, at) => R.el("td", { class: at ? "number" : null, text })))))));

R.latencyTable = (latency) => [R.el("h3", { text: "Latency, measured on the machine that made this page" }),
  R.simpleTable(["Configuration", "p50", "p95", "build", "queries"], latency.map((one) => [R.nameOf(one.row), `${R.number(one.p50_ms, 2)} ms`, `${R.number(one.p95_ms, 2)} ms`, `${R.number(one.build_s, 2)} s`, R.count(one.queries)]))];

R.tagTable = (tags) => {
  const mean = (tag, row) => R.number(tag.means[row] ?? null);
  return [R.el("h3", { text: "By tag" }), R.simpleTable(["Tag", "questions", "baseline", "promoted", "difference", "best there"],
    tags.map((tag) => [tag.tag, R.count(tag.questions), mean(tag, R.data.baseline), mean(tag, R.promoted.row), R.signed(tag.difference), R.nameOf(tag.winner)]))];
};
