// What remains: warnings, tags, power, latency, history, and how everything was computed.
R.drawRest = () => {
  const { data, el } = R;
  const node = R.heading("rest", "Warnings, power and how it was computed", null);
  const seen = new Set();
  const entries = [
    ...data.warnings.map((one) => [`⚠ ${one.kind}`, one.text]),
    ...data.notes.map((text) => (text === R.noteOfBaseline ? [R.data.stand_in ? "Stand-in" : "Baseline", R.baselineNote().replace(/^(Baseline|Stand-in): /, "")] : ["Note", text])),
    data.failed.length && ["Failed", `${R.plural(data.failed.length, "configuration")}: ${data.failed.slice(0, 3).map((one) => `${R.shortName(one.name)} (${R.cut(one.failure, 200)})`).join("; ")}${data.failed.length > 3 ? "…" : ""}`],
    ["Honest value", R.honestWords()],
    ["Power", R.powerWords()],
    data.history && ["History of this gold", `It has judged ${R.plural(data.history.configurations, "configuration")} in ${R.plural(data.history.sweeps, "sweep")}; the more it judges, the more a winner owes to luck.`],
    ["Questions", `${R.count(data.questions)} with an answer${data.negatives ? `, ${R.count(data.negatives)} without (not counted)` : ""}; grouped by ${data.settings.groups}`],
    ["Data", `${data.dataset.name}, corpus ${data.dataset.corpus.slice(0, 12)}, gold ${data.dataset.gold.slice(0, 12)}${data.dataset.gold_version ? ` (version ${data.dataset.gold_version})` : ""}`],
    ...data.sweeps.map((one) => ["Sweep", `${one.name}, id ${one.sweep_id}, ${R.plural(one.configurations, "configuration")}, code ${one.code || "–"}`]),
    ["Settings", R.settingWords()],
  ].filter(Boolean);
  node.append(el("dl", { class: "facts" }, entries.map(([title, text]) => el("div", null, el("dt", null, R.explained(title, seen)), el("dd", null, R.prose(text, seen))))));
  if (data.latency && data.latency.length) node.append(...R.latencyTable(data.latency));
  if (data.tags.length) node.append(...R.tagTable(data.tags));
};

R.honestWords = () => {
  const { honest } = R.data;
  if (!honest) return "Not estimated: there are too few questions to choose on some and score on others.";
  if (!R.told(honest.value)) return `Not estimated${honest.reason ? `: ${honest.reason}` : ""}.`;
  const winners = honest.winners.slice(0, 3).map((one) => `${R.nameOf(one.row)} ${R.percent(one.share)}`).join("; ");
  return `${R.number(honest.value)} (${R.number(honest.lower)} to ${R.number(honest.upper)}) against ${R.number(honest.naive)} read off the leaderboard: chosen on some questions and scored on the others, in ${honest.folds} folds, ${honest.repeats} times. Chosen most often: ${winners}.`;
};

R.powerWords = () => {
  const { power } = R.data;
  if (!power) return `Can't be said: no configuration differs from the ${R.base}, or there are too few questions.`;
  const wanted = power.for && ` To find ${R.number(power.for.difference)}, it takes ${R.told(power.for.questions) ? R.plural(power.for.questions, "question") : "more questions than any gold has"}.`;
  return `A difference of ${R.number(power.detectable)} or more is found ${R.percent(power.power)} of the time among ${R.plural(power.comparisons, "comparison")}${R.told(power.alone) ? `; ${R.number(power.alone)} if only two configurations were compared` : ""}.${wanted || ""}`;
};

R.settingWords = () => {
  const { settings, test } = R.data;
  const how = test && test.exact ? " (exact)" : test ? `, ${R.count(test.resamples)} resamples` : "";
  return `Promoted by the rule ${settings.rule}. A difference is real where p < ${settings.alpha} (alpha), by ${R.correctionWords()}${how}, with all comparisons counted in. Intervals: ${R.percent(settings.level)}. Seed ${settings.seed}.`;
};
R.correctionWords = () => ({ max_t: "max-T over sign flips", holm: "Holm over paired t" })[R.data.settings.correction] || R.data.settings.correction;

R.latencyTable = (latency) => [R.el("h3", { text: "Latency, measured on the machine that made this page" }),
  R.simpleTable("Latency", ["Configuration", "half of the questions within", "95 % within", "building the index", "questions timed"], latency.map((one) => [R.shortName(R.nameOf(one.row), 60), `${R.number(one.p50_ms, 2)} ms`, `${R.number(one.p95_ms, 2)} ms`, `${R.number(one.build_s, 2)} s`, R.count(one.queries)]))];

R.tagTable = (tags) => {
  const mean = (tag, row) => R.number(tag.means[row] ?? null);
  return [R.el("h3", { text: "By tag" }), R.simpleTable("By tag", ["Tag", "questions", R.base, "promoted", "difference", "best there"],
    tags.map((tag) => [R.cut(tag.tag, 60), R.count(tag.questions), mean(tag, R.data.baseline), mean(tag, R.promoted.row), R.signed(tag.difference), R.shortName(R.nameOf(tag.winner), 60)]))];
};
