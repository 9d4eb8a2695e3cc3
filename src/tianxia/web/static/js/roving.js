// Which place of the board the keys are at.

import { say } from "./announce.js";
import { $, places, strings } from "./page.js";
import { state } from "./state.js";

let last = ""; // the place of the board that the keys were at: a card may go that they are at since

/** Let the Tab key reach one place of the board; the arrow keys do the rest. */
export function rove() {
  const all = places();
  if (!all.length) return;
  const focused = document.activeElement?.closest?.("[data-e]");
  const chosen =
    all.find((node) => node === focused) ??
    all.find((node) => node.dataset.e === state.current) ??
    all.find((node) => node.dataset.e === last) ??
    all.find((node) => node.classList.contains("is-lit")) ??
    all[0];
  if (chosen === focused && $("board").contains(chosen)) last = chosen.dataset.e;
  for (const node of all) node.setAttribute("tabindex", node === chosen ? "0" : "-1");
}

export function focus(node) {
  if (!node) return;
  state.current = node.dataset.e;
  node.focus({ preventScroll: false });
  rove();
}

/** Go to the place of the board that the Tab key reaches. */
export const back = () => focus(places().find((node) => node.getAttribute("tabindex") === "0"));

export function jump(back) {
  const lit = places().filter((node) => node.classList.contains("is-lit"));
  if (!lit.length) return say(strings.moves_none);
  const at = lit.findIndex((node) => node === document.activeElement);
  focus(lit.at(at < 0 ? (back ? -1 : 0) : (at + (back ? -1 : 1)) % lit.length));
}
