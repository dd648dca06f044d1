"use strict";
// The one global name. Texts of the data reach the document as text only, never as markup.
const R = (() => {
  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  const data = read("data");
  const detail = read("detail");
  const SVG = "http://www.w3.org/2000/svg";

  function fill(node, props, children) {
    for (const [key, value] of Object.entries(props || {})) {
      if (value === null || value === undefined || value === false) continue;
      if (key === "on") for (const [name, call] of Object.entries(value)) node.addEventListener(name, call);
      else if (key === "text") node.textContent = value;
      else if (key === "css") for (const [name, one] of Object.entries(value)) node.style.setProperty(name, one);
      else node.setAttribute(key, value === true ? "" : value);
    }
    for (const child of children.flat()) {
      if (child === null || child === undefined || child === false) continue;
      node.append(child);
    }
    return node;
  }
  const el = (tag, props, ...children) => fill(document.createElement(tag), props, children);
  const svg = (tag, props, ...children) => fill(document.createElementNS(SVG, tag), props, children);
  const clear = (node) => { node.replaceChildren(); return node; };

  const told = (value) => value !== null && value !== undefined;
  const number = (value, digits = 3) => (told(value) ? value.toFixed(digits).replace("-", "−") : "–");
  // What rounds to nothing has no sign.
  const signed = (value, digits = 3) => (!told(value) ? "–" : Number(value.toFixed(digits)) === 0 ? (0).toFixed(digits) : (value > 0 ? "+" : "") + number(value, digits));
  const count = (value) => (told(value) ? Math.round(value).toLocaleString("en-US") : "–");
  const percent = (value, digits = 0) => (told(value) ? `${(100 * value).toFixed(digits)} %` : "–");
  const short = (value) => {
    if (!told(value)) return "–";
    for (const [size, unit] of [[1e9, "G"], [1e6, "M"], [1e4, "k"]]) {
      if (value >= size) return `${Number((value / (unit === "k" ? 1e3 : size)).toPrecision(3))}${unit}`;
    }
    return count(value);
  };
  const chance = (p) => (!told(p) ? "–" : p < 0.001 ? "p < 0.001" : `p = ${p.toFixed(3)}`);
  const knobValue = (value) => (value === null || value === undefined ? "unused" : String(value));
  const plural = (n, word) => `${count(n)} ${word}${n === 1 ? "" : "s"}`;

  const rows = data.rows;
  const knobs = data.knobs;
  // JSON's 1.0 is read as 1; where a knob has fractions, its whole values are written as the names have them.
  for (const knob of knobs) {
    if (!knob.values.some((value) => typeof value === "number" && !Number.isInteger(value))) continue;
    const written = (value) => (Number.isInteger(value) ? value.toFixed(1) : value);
    knob.values = knob.values.map(written);
    for (const row of rows) row.params[knob.key] = written(row.params[knob.key]);
  }
  const promoted = rows[data.decision.promote] || rows[0];
  const baseline = rows[data.baseline];
  // Only where it is the user's own configuration, it is called the baseline.
  const base = data.stand_in ? "stand-in" : "baseline";
  const nameOf = (row) => (rows[row] ? rows[row].name : "–");
  const shortOf = (key) => (knobs.find((knob) => knob.key === key) || { short: key }).short;

  function heading(section, title, lead) {
    const node = document.getElementById(section);
    node.append(el("h2", { id: `${section}-title`, tabindex: "-1", text: title }));
    if (lead) node.append(el("p", { class: "lead" }, lead));
    return node;
  }

  const tip = document.getElementById("tip");
  let follow = null;
  function showTip(text, x, y) {
    follow = null;
    tip.textContent = R.cut(text, 600);
    tip.hidden = false;
    const box = tip.getBoundingClientRect();
    tip.style.left = `${Math.max(4, Math.min(x + 12, innerWidth - box.width - 6))}px`;
    tip.style.top = `${y + 16 + box.height > innerHeight ? Math.max(4, y - box.height - 10) : y + 16}px`;
  }
  const hideTip = () => { tip.hidden = true; follow = null; };
  // A text that is shown by pointer, by touch and by focus; readers of the screen get it as the label.
  function tipped(node, text) {
    const below = () => {
      if (!node.isConnected) return;
      const at = node.getBoundingClientRect();
      showTip(text(), at.left - 12, at.bottom - 8);
      follow = { node, below };
    };
    node.addEventListener("pointermove", (event) => showTip(text(), event.clientX, event.clientY));
    node.addEventListener("pointerleave", hideTip);
    for (const way of ["focus", "click"]) node.addEventListener(way, below);
    node.addEventListener("blur", hideTip);
    return node;
  }
  addEventListener("keydown", (event) => { if (event.key === "Escape") hideTip(); });
  addEventListener("pointerdown", hideTip);
  // Coming by keyboard scrolls the page: the text goes along with what has the focus.
  addEventListener("scroll", () => { if (follow && follow.node === document.activeElement) follow.below(); else hideTip(); }, { passive: true });

  return { data, detail, rows, knobs, promoted, baseline, base, el, svg, clear, told, number, signed, count, percent, short, chance,
    knobValue, plural, nameOf, shortOf, heading, showTip, hideTip, tipped };
})();
