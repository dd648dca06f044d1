// The filters that the leaderboard and the parallel coordinates share.
R.state = (() => {
  const filter = { text: "", knobs: {}, best: false, pareto: false, distinct: true };
  const listeners = [];
  const words = () => filter.text.toLowerCase().split(/\s+/).filter(Boolean);

  const fitsKnobs = (row) => Object.entries(filter.knobs).every(([key, value]) => R.knobValue(row.params[key]) === value);
  function fits(row, distinct = filter.distinct) {
    if (filter.best && !row.in_best) return false;
    if (filter.pareto && !row.pareto) return false;
    if (distinct && row.alias_of !== null) return false;
    if (!fitsKnobs(row)) return false;
    const name = row.name.toLowerCase();
    return words().every((word) => name.includes(word));
  }
  const change = (set) => { set(filter); for (const call of listeners) call(); };
  const setKnob = (key, value) => change((one) => {
    if (value === null || one.knobs[key] === value) delete one.knobs[key];
    else one.knobs[key] = value;
  });
  const reset = () => change((one) => Object.assign(one, { text: "", knobs: {}, best: false, pareto: false, distinct: true }));
  return { filter, fits, change, setKnob, reset, listen: (call) => listeners.push(call), aliases: R.rows.filter((row) => row.alias_of !== null).length };
})();
