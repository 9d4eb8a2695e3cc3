// Which puzzles somebody has solved: kept in this browser, shown on the pages of puzzles.

const KEY = "tianxia:puzzles";
const DAY = 86400000;

function read() {
  try {
    return { solved: {}, days: [], ...JSON.parse(localStorage.getItem(KEY)) };
  } catch {
    return { solved: {}, days: [] };
  }
}

const today = () => Math.floor(Date.now() / DAY); // the days of all, in UTC
const list = (game) => read().solved[game] ?? [];

export const isSolved = (game, number) => list(game).includes(number);

/** Note that a puzzle is solved, and that one of the day was. */
export function note(game, number, ofTheDay) {
  const kept = read();
  kept.solved[game] = [...new Set([...(kept.solved[game] ?? []), number])];
  if (ofTheDay) kept.days = [...new Set([...kept.days, today()])].slice(-400);
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // this browser keeps nothing
  }
}

/** How many days in a row, up to today or yesterday, had a solved puzzle of the day. */
export function streak() {
  const days = new Set(read().days);
  let day = days.has(today()) ? today() : today() - 1;
  let count = 0;
  while (days.has(day)) [day, count] = [day - 1, count + 1];
  return count;
}

const fill = (text, values) => text.replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);

/** Say on this page what is solved. */
export function show(strings = JSON.parse(document.getElementById("strings").textContent)) {
  for (const box of document.querySelectorAll("[data-puzzles]")) {
    const { puzzles: game, count: total } = box.dataset;
    const told = box.querySelector("[data-solved]");
    const solved = list(game).length;
    told.textContent = fill(strings.solved, { n: solved, total });
    told.hidden = !solved;
    for (const mark of box.querySelectorAll("[data-number]")) mark.hidden = !isSolved(game, Number(mark.dataset.number));
  }
  for (const line of document.querySelectorAll("[data-streak]")) {
    line.hidden = streak() < 1;
    line.textContent = fill(strings.streak, { n: streak() });
  }
}

show();
