// Of the editor of boards that are graphs: places by keys, one at a time in the order of the page.

import { onGrid, placeOf, put, STEP } from "./graph.js";
import { DIRECTIONS, nearest } from "./nearest.js";

/**
 * @param {any} bench @param {number[]} size
 * @param {(key: string) => void} use the chosen tool on a place @param {() => void} forget the first end that was taken
 */
export function keysOf(bench, size, use, forget) {
  const board = bench.$("board");
  /** @returns {any[]} */
  const places = () => [...board.querySelectorAll("[data-place]")];
  const keys = {
    current: "",
    /** What the keys are on, or the first place, is reached with Tab. */
    rove() {
      const all = places();
      const chosen = all.find((one) => one.dataset.e === keys.current) ?? all[0];
      for (const one of all) one.setAttribute("tabindex", one === chosen ? "0" : "-1");
    },
    focus(key = keys.current) {
      keys.current = key;
      keys.rove();
      places().find((one) => one.dataset.e === key)?.focus();
    },
  };

  board.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const key = /** @type {any} */ (event.target).closest("[data-place]")?.dataset.e;
    if (!key || event.ctrlKey || event.metaKey || event.altKey) return;
    keys.current = key;
    const direction = DIRECTIONS[event.key];
    if (direction && event.shiftKey) {
      const next = bench.copy();
      const [x, y] = placeOf(next, key);
      put(next, key, onGrid([x + STEP * direction[0], y + STEP * direction[1]], size));
      bench.change(next);
      keys.focus();
    } else if (direction) {
      const other = nearest(places().map((one) => one.dataset.e), key, direction, (place) => placeOf(bench.board, place));
      if (other) keys.focus(other);
    } else if (event.key === "Enter" || event.key === " ") {
      use(key);
      keys.focus();
    } else if (event.key === "Escape") {
      forget();
      keys.focus(key);
    } else return;
    event.preventDefault();
  });
  return keys;
}
