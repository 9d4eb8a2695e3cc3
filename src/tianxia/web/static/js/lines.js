// The lines of the log: what the one under the mouse, or where the keys are, speaks of lights up on
// the board. A finger chooses one; the log gives way then, where it lies over the board.

import { $, page } from "./page.js";
import * as tabs from "./tabs.js";

const ROWS = "summary, [data-on]";
/** The line that a finger has chosen. */
let chosen = null;
/** Lights up elements of the board, and no others. */
let light = (_elements) => {};

const lineAt = (event) => event.target.closest?.("#log li");
const byFinger = (event) => event.pointerType === "touch";

/** Light up what a line speaks of; a folded turn speaks of all that is in it. @param {?Element} line */
function show(line) {
  const on = line ? [line, ...line.querySelectorAll("[data-on]")] : [];
  light(on.flatMap((one) => one.dataset.on?.split(" ") ?? []));
}

function choose(line) {
  chosen?.classList.remove("is-chosen");
  line?.classList.add("is-chosen");
  chosen = line;
  page.classList.toggle("is-pointing", line !== null);
  show(line);
}

/** Answer what happens to a line, by what lights up elements. */
export function heed(event, lights) {
  light = lights;
  const line = lineAt(event);
  if (!line) return;
  if (event.type === "click") {
    if (!tabs.covers()) return;
    choose(chosen === line ? null : line);
    line.scrollIntoView({ block: "nearest" });
  } else if (!byFinger(event) && line.matches(":hover, :focus-within")) show(line);
}

for (const type of ["pointerout", "focusout"]) {
  page.addEventListener(type, (event) => {
    if (lineAt(event) && !byFinger(event)) show(chosen);
  });
}
page.addEventListener("tab", () => choose(null));
page.addEventListener("shown", () => chosen && choose($(chosen.id)));

/** The arrow keys lead from line to line. */
page.addEventListener("keydown", (event) => {
  const log = event.target.closest?.("#log");
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!log || !step) return;
  const rows = [...log.querySelectorAll(ROWS)].filter((row) => row.getClientRects().length);
  const next = rows[rows.indexOf(event.target.closest(ROWS)) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
});
