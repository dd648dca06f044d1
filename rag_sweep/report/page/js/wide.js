// A table that may be wider than its place: it says so, shows it at its edges, and can be scrolled by keys.
R.wide = (table, label) => {
  const { el } = R;
  const box = el("div", { class: "scroll" }, table);
  const by = (share) => box.scrollBy({ left: share * box.clientWidth, behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
  const arrow = (text, title, share) => el("button", { type: "button", class: "button", "aria-label": title, text, on: { click: () => by(share) } });
  const [back, on] = [arrow("←", "Columns to the left", -0.5), arrow("→", "Columns to the right", 0.5)];
  const hint = el("p", { class: "sideways small" }, el("span", { text: "Wider than the screen: there are more columns, scroll sideways" }), back, on);
  const frame = el("div", { class: "wide" }, hint, box);
  const look = () => {
    const over = table.offsetWidth > box.clientWidth + 1;
    frame.classList.toggle("is-wide", over);
    frame.classList.toggle("more-left", over && box.scrollLeft > 1);
    frame.classList.toggle("more-right", over && box.scrollLeft + box.clientWidth < box.scrollWidth - 1);
    back.disabled = !frame.classList.contains("more-left");
    on.disabled = !frame.classList.contains("more-right");
    for (const [name, value] of [["tabindex", "0"], ["role", "region"], ["aria-label", `${label}, can be scrolled sideways`]]) over ? box.setAttribute(name, value) : box.removeAttribute(name);
    frame.style.setProperty("--room", `${box.clientWidth}px`);
    const first = table.querySelector("th:nth-child(2)");
    if (first) frame.style.setProperty("--stuck", `${first.offsetLeft + first.offsetWidth - box.scrollLeft}px`);
  };
  box.addEventListener("scroll", look, { passive: true });
  const watch = new ResizeObserver(look);
  watch.observe(box); watch.observe(table);
  return frame;
};

// Columns behind the first `texts` ones hold numbers.
R.simpleTable = (label, heads, lines, texts = 1) => {
  const cells = (tag, line) => line.map((text, at) => R.el(tag, { scope: tag === "th" && "col", class: at < texts ? "text" : "number", text }));
  return R.wide(R.el("table", null, R.el("thead", null, R.el("tr", null, cells("th", heads))), R.el("tbody", null, lines.map((line) => R.el("tr", null, cells("td", line))))), label);
};
