// A tool of the editor of boards: marks of a few kinds, one on a place of the game's own picture at most.

import { button, node } from "./draw-nodes.js";
import { DIRECTIONS, nearest } from "./nearest.js";

const ERASE = "";

/** @param {any} bench */
export default function marks(bench) {
  const { $, tools, strings, change, copy } = bench;
  /** @type {{ id: string, label: string, symbol: string, most: number }[]} */
  const layers = tools.layers;
  let chosen = layers[0].id;
  let current = tools.places[0];
  const kinds = [...layers, { id: ERASE, label: strings.erase, symbol: "", most: 0 }];
  const buttons = kinds.map((kind) => {
    const made = button("", () => choose(kind.id));
    if (kind.symbol) made.innerHTML = `<svg viewBox="-36 -36 72 72" aria-hidden="true"><use href="#${kind.symbol}"/></svg>`;
    made.append(kind.label, node("span", { className: "count" }));
    return made;
  });
  $("tools").append(...buttons);
  $("help").textContent = strings.marks_help;
  $("keys").textContent = strings.marks_keys;

  /** @param {string} id */
  function choose(id) {
    chosen = id;
    count();
  }

  function count() {
    for (const [at, kind] of kinds.entries()) {
      buttons[at].setAttribute("aria-pressed", String(kind.id === chosen));
      if (kind.most) buttons[at].querySelector(".count").textContent = `${bench.board[kind.id].length}/${kind.most}`;
    }
  }

  /** Set what is chosen on a place, or take the same away. @param {string} place */
  function set(place) {
    const next = copy();
    const had = chosen !== ERASE && next[chosen].includes(place);
    const before = layers.some(({ id }) => next[id].includes(place));
    for (const { id } of layers) next[id] = next[id].filter((/** @type {string} */ one) => one !== place);
    if (chosen !== ERASE && !had) next[chosen].push(place);
    else if (!before) return;
    current = place;
    change(next);
  }

  /** @returns {any[]} */
  const places = () => [...$("board").querySelectorAll("[data-place]")];

  /** @param {any} node */
  function focus(node) {
    if (!node) return;
    current = node.dataset.e;
    rove();
    node.focus();
  }

  function rove() {
    for (const node of places()) node.setAttribute("tabindex", node.dataset.e === current ? "0" : "-1");
  }

  $("board").addEventListener("click", (/** @type {any} */ event) => {
    const place = event.target.closest("[data-place]");
    if (place) set(place.dataset.e);
  });
  $("board").addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const node = /** @type {any} */ (event.target).closest("[data-place]");
    if (!node || event.ctrlKey || event.metaKey || event.altKey) return;
    if (DIRECTIONS[event.key]) focus(nearest(places(), node, DIRECTIONS[event.key]));
    else if (event.key === "Enter" || event.key === " ") set(node.dataset.e);
    else return;
    event.preventDefault();
  });

  return {
    /** The picture is another, or the board has changed: mark what can be clicked, and what is wrong. */
    drawn() {
      const wrong = new Set(bench.faults.flatMap((/** @type {any} */ fault) => fault.elements));
      const known = new Set(tools.places);
      for (const node of $("board").querySelectorAll("[data-e]")) {
        if (!known.has(node.dataset.e)) continue;
        node.dataset.place = "";
        node.setAttribute("role", "button");
        node.classList.toggle("is-fault", wrong.has(node.dataset.e));
      }
      rove();
      count();
    },
    /** The keys were on the board before it was drawn anew. */
    hold() {
      places().find((node) => node.dataset.e === current)?.focus({ preventScroll: true });
    },
    /** @param {KeyboardEvent} event */
    key(event) {
      const kind = kinds[Number(event.key) - 1];
      if (kind) choose(kind.id);
    },
  };
}
