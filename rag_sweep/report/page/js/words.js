// Texts of any length: as much as somebody reads, and a way to see all of it.
// As long as the sentences of a comparison have them, so that a cut name is found in them.
R.NAME = 160;
R.TEXT = 700;

// By code points, so that no letter of two halves is cut through; `tail` letters of the end stay, where names differ.
R.cut = (text, most, tail = 0) => {
  if (text.length <= most) return text;
  const letters = [...text];
  if (letters.length <= most) return text;
  return `${letters.slice(0, most - tail - 1).join("")}…${tail ? letters.slice(-tail).join("") : ""}`;
};
R.shortName = (text, most = R.NAME) => R.cut(text, most, Math.floor(most / 3));

// Long names inside a sentence are cut, so that what is said about them stays in sight.
R.longNames = R.rows.map((row) => row.name).filter((name) => name.length > R.NAME).sort((a, b) => b.length - a.length);
R.brief = (text, most = R.TEXT) => R.cut(R.longNames.reduce((told, name) => told.split(name).join(R.shortName(name)), text), most);

// Nodes for a text: itself, or its short form with a button that shows the rest.
R.long = (text, brief = R.brief(text), dress = (one) => [one]) => {
  if (brief === text) return dress(text);
  const span = R.el("span", null, dress(brief));
  const size = `${R.count([...text].length)} characters`;
  const button = R.el("button", { type: "button", class: "show-all", "aria-expanded": "false", text: `Show all ${size}` });
  button.addEventListener("click", () => {
    const open = button.getAttribute("aria-expanded") !== "true";
    button.setAttribute("aria-expanded", String(open));
    button.textContent = open ? "Show less" : `Show all ${size}`;
    R.clear(span).append(...(open ? [text] : dress(brief)));
  });
  return [span, " ", button];
};
