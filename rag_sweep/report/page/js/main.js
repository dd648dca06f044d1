// Draws everything; a section that fails says so and leaves the others alone.
(() => {
  const sections = [
    ["decision", "Decision", R.drawDecision], ["leaderboard", "Leaderboard", R.drawLeaderboard], ["knobs", "Knobs", R.drawKnobs], ["heat", "Heat maps", R.drawHeat],
    ["parallel", "All knobs", R.drawParallel], ["cost", "Cost", R.drawCost], ["questions", "Questions", R.drawQuestions], ["rest", "Method", R.drawRest],
    ["words", "Words", R.drawGlossary],
  ];
  const nav = document.getElementById("nav"), opener = document.querySelector(".menu");
  // Where the names of the sections have no room in a line, a button shows them.
  const menu = (open) => { nav.classList.toggle("open", open); opener.setAttribute("aria-expanded", String(open)); };
  opener.addEventListener("click", () => menu(!nav.classList.contains("open")));
  addEventListener("keydown", (event) => { if (event.key === "Escape" && nav.classList.contains("open")) { menu(false); opener.focus(); } });
  addEventListener("click", (event) => { if (!event.target.closest(".top")) menu(false); });
  // A frame in a sandbox may not change its address, so the page scrolls by itself.
  const go = (event, id) => {
    event.preventDefault();
    menu(false);
    const node = document.getElementById(id);
    node.scrollIntoView();
    node.querySelector("h2")?.focus({ preventScroll: true });
  };
  for (const [id, title, draw] of sections) {
    nav.append(R.el("a", { href: `#${id}`, text: title, on: { click: (event) => go(event, id) } }));
    try { draw(); } catch (error) {
      document.getElementById(id).append(R.el("p", { class: "caution", role: "alert", text: `This part can't be drawn: ${error.message}` }));
      console.error(error);
    }
  }
  document.querySelector(".skip").addEventListener("click", (event) => go(event, "decision"));
  document.documentElement.dataset.drawn = "yes";
})();
