// A ranking as a column; signs say what is relevant and what moved against the other column.
R.rankingColumn = (position, row, ranked, other, side) => {
  const { detail, el } = R;
  const relevant = new Set(detail.relevant[position] || []);
  const found = ranked.filter((doc) => relevant.has(doc)).length;
  return el("div", { class: "ranking" },
    el("p", { class: "small" }, el("strong", { text: R.shortName(R.nameOf(row), 90) }), ` ${found} of ${relevant.size} relevant found, ${R.data.objective} ${R.number(detail.values[row] ? detail.values[row][position] : null)}`),
    ranked.length ? el("ol", null, ranked.map((doc, at) => R.rankedDocument(doc, at, relevant.has(doc), other.indexOf(doc), side)))
      : el("p", { class: "none", text: "Nothing was found." }));
};

R.movement = (at, before, side) => {
  const there = side === "right" ? "left" : "right";
  if (before < 0) return side === "right" ? ["new", "+ new", `not on the ${there}`] : ["lost", "✕ lost", `not on the ${there}`];
  const move = before - at;
  if (move === 0 || side === "left") return ["same", move === 0 ? "=" : "", move === 0 ? "same rank" : ""];
  return move > 0 ? ["up", `▲ ${move}`, `up ${move} from rank ${before + 1}`] : ["down", `▼ ${-move}`, `down ${-move} from rank ${before + 1}`];
};

R.rankedDocument = (doc, at, relevant, before, side) => {
  const { detail, el } = R;
  const [kind, sign, words] = R.movement(at, before, side);
  return el("li", { class: relevant ? "relevant" : null },
    el("span", { class: "rank", text: at + 1 }),
    el("div", null,
      el("p", { class: "title" }, relevant && el("span", { class: "star", text: "★ relevant" }), R.long(detail.titles[doc] || detail.documents[doc], R.cut(detail.titles[doc] || detail.documents[doc], 200))),
      detail.snippets[doc] && el("p", { class: "snippet", text: detail.snippets[doc] }),
      detail.titles[doc] && el("p", { class: "id", text: R.cut(detail.documents[doc], R.NAME, 30) })),
    sign && el("span", { class: `move ${kind}`, title: words }, el("span", { "aria-hidden": "true", text: sign }), el("span", { class: "hidden-text", text: words })));
};

R.missedDocuments = (missed) => R.el("p", { class: "missed small" }, R.el("strong", { text: `☆ ${missed.length} relevant that neither found: ` }),
  missed.slice(0, 12).map((doc) => R.cut(R.detail.titles[doc] || R.detail.documents[doc], R.NAME)).join("; ") + (missed.length > 12 ? "…" : ""));
