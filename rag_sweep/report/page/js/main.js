// Draws everything; a section that fails says so and leaves the others alone.
(() => {
  const sections = [
    ["decision", "Decision", R.drawDecision], ["leaderboard", "Leaderboard", R.drawLeaderboard], ["knobs", "Knobs", R.drawKnobs], ["heat", "Heat maps", R.drawHeat],
    ["parallel", "All knobs", R.drawParallel], ["cost", "Cost", R.drawCost], ["questions", "Questions", R.drawQuestions], ["rest", "Method", R.drawRest],
  ];
  // A frame in a sandbox may not change its address, so the page scrolls by itself.
  const go = (event, id) => {
    event.preventDefault();
    const node = document.getElementById(id);
    node.scrollIntoView();
    node.querySelector("h2")?.focus({ preventScroll: true });
  };
  const nav = document.getElementById("nav");
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
