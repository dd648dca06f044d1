// What a row of the leaderboard opens.
R.toggleDetails = (button, row) => {
  const line = button.closest("tr");
  const next = line.nextElementSibling;
  const open = next && next.classList.contains("details");
  button.setAttribute("aria-expanded", String(!open));
  if (open) { next.remove(); return; }
  line.after(R.el("tr", { class: "details" }, R.el("td", { colspan: line.children.length }, R.detailsOf(row))));
};

R.detailsOf = (row) => {
  const { el } = R;
  const list = (entries, seen = new Set()) => el("dl", { class: "pairs" }, entries.map(([key, value]) => el("div", null, el("dt", null, typeof key === "string" ? R.explained(key, seen) : key), el("dd", null, R.long(value, R.cut(value, 200))))));
  const others = (kind) => (row[kind] || []).slice(0, 5).map(R.nameOf).join("; ");
  const cost = row.cost || {};
  const notes = [
    row.alias_of !== null && `Equal in effect to ${R.nameOf(row.alias_of)}: only knobs that it doesn't use differ.`,
    (row.twins || []).length > 0 && `Ranks every question exactly as ${R.plural(row.twins.length, "other")}: ${others("twins")}${row.twins.length > 5 ? "…" : ""}`,
    ...(row.warnings || []),
  ].filter(Boolean);
  return el("div", { class: "details-body" },
    row.name.length > 60 && el("div", { class: "wide-text" }, el("h4", { text: "Configuration" }), el("p", null, R.long(row.name, R.cut(row.name, 300)))),
    el("div", null, el("h4", { text: "Knobs" }), list(R.knobs.map((knob) => [knob.key, R.knobValue(row.params[knob.key])]))),
    el("div", null, el("h4", { text: "Measures" }), list(Object.entries(row.means).map(([key, value]) => [key, R.number(value)]))),
    el("div", null, el("h4", { text: `Against the ${R.base}` }), list([
      ["difference", row.wins + row.losses === 0 ? "none on any question" : `${R.signed(row.difference)} (${R.signed(row.difference_lower)} to ${R.signed(row.difference_upper)})`],
      [[R.term("p", "p"), ", all comparisons counted in"], R.chance(row.p_adjusted).replace(/^p = /, "")], ["p of this comparison alone", R.chance(row.p_value).replace(/^p = /, "")], ["effect size", R.number(row.effect, 2)]]),
    el("h4", { text: "Cost of a question" }), list([
      ["stages", (cost.stages || []).join(", ") || "–"], ["work units", R.count(cost.units)], ["passages", R.count(cost.passages)],
      ["dimension", R.count(cost.dim)], ["depth", R.count(cost.depth)], ["index", R.told(cost.index_bytes) ? `${(cost.index_bytes / 1e6).toFixed(1)} MB` : "–"],
      ["words handed over", R.count(row.words)],
      ...(row.evidence ? [["evidence recall", R.number(row.evidence.recall)], ["evidence precision", R.number(row.evidence.precision)], ["spans found", R.number(row.evidence.found)]] : [])])),
    notes.length > 0 && el("div", { class: "wide-text" }, el("h4", { text: "Notes" }), notes.map((text) => el("p", { class: "small" }, R.long(text)))));
};
