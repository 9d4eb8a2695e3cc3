// Ready set-ups that are put down as a whole: their pictures in the tray, and where they would lie.

import { $, drawn, nodeOf } from "./page.js";
import { aim } from "./pointer.js";
import { state } from "./state.js";

/** @typedef {{x: number, y: number}} Point */

/** Whether a ready set-up can be put down round a slot. */
export const fits = (preset, laid, slot) => Boolean(preset.placements?.some(({ kind }) => laid.suits(kind, slot)));

const picture = () => $("board").querySelector("svg");
const spot = (element) => picture().querySelector(`[data-slot="${CSS.escape(element)}"]`) ?? nodeOf(element);

/** The middle of a slot, in units of the picture. @returns {Point} */
function middle(element) {
  const { x, y, width, height } = spot(element).getBBox();
  return { x: x + width / 2, y: y + height / 2 };
}

/** Where the pointer is on the screen; null where keys are used. @type {?DOMPoint} */
let pointer = null;

/** Of a slot's placements the one that lies nearest to it, or rather to the pointer. */
export function nearest(preset, laid, slot) {
  const { slots } = laid.plan;
  const to = pointer ? pointer.matrixTransform(picture().getScreenCTM().inverse()) : middle(slots[slot]);
  const far = ({ piles }) => {
    const sum = (axis) => piles.reduce((total, [where, count]) => total + count * middle(slots[where])[axis], 0) / piles.reduce((total, [, count]) => total + count, 0);
    return Math.hypot(sum("x") - to.x, sum("y") - to.y);
  };
  const open = preset.placements.filter(({ kind }) => laid.suits(kind, slot)).map((placement) => [far(placement), placement]);
  return open.reduce((best, next) => (next[0] < best[0] - 1 ? next : best))[1];
}

/** A small picture of a ready set-up: the places of a base, and what stands there. */
export function drawing(preset, laid) {
  const [{ kind, piles }] = preset.placements;
  const { kinds, slots } = laid.plan;
  const own = slots.filter((_, slot) => laid.suits(kind, slot)).map(middle);
  const [left, top] = [Math.min(...own.map(({ x }) => x)), Math.min(...own.map(({ y }) => y))];
  const [wide, high] = [Math.max(...own.map(({ x }) => x)) - left, Math.max(...own.map(({ y }) => y)) - top];
  const edge = Math.max(wide, high) / 6;
  const size = (count) => edge * (0.25 + 0.1 * Math.min(count, 6));
  const small = drawn("svg", { viewBox: `${left - edge} ${top - edge} ${wide + 2 * edge} ${high + 2 * edge}`, "aria-hidden": "true" },
    ...own.map(({ x, y }) => drawn("circle", { cx: x, cy: y, r: edge / 7, fill: "currentColor", opacity: 0.5 })),
    ...piles.map(([slot, count]) => {
      const { x, y } = middle(slots[slot]);
      return drawn("use", { href: `#${kinds[kind].symbol}`, transform: `translate(${x - size(count)} ${y - size(count)}) scale(${size(count) / 50})` });
    }));
  small.style.inlineSize = "100%"; // it is wider than a piece
  return small;
}

// Where it would lie -----------------------------------------------------------------------

/** Show what is in the hand where it would lie, round a slot. */
export function show(arrange, slot = -1) {
  picture()?.querySelector("#draft-ghost")?.remove();
  const preset = arrange.plan.presets[arrange.hand?.preset];
  const seen = Boolean(preset) && slot >= 0 && fits(preset, arrange.laid, slot);
  picture()?.querySelector("#draft")?.setAttribute("opacity", seen ? "0.25" : "1");
  if (!seen) return;
  const { kind, piles } = nearest(preset, arrange.laid, slot);
  const ghost = drawn("g", { id: "draft-ghost", "aria-hidden": "true", opacity: 0.75 }, ...piles.map(([where, count]) => arrange.piece(where, kind, count)));
  picture().querySelector("#draft").after(ghost);
}

function follow(node) {
  const { arrange } = state;
  if (arrange.on && arrange.hand?.preset !== undefined) show(arrange, arrange.plan.slots.indexOf(node?.closest("[data-e]")?.dataset.e));
}

/** @param {PointerEvent} event */
function point({ clientX, clientY }) {
  pointer = new DOMPoint(clientX, clientY);
  follow(document.elementsFromPoint(clientX, clientY).find((one) => one.closest("[data-e]")));
}

document.addEventListener("pointerdown", point);
document.addEventListener("pointermove", point);
document.addEventListener("focusin", ({ target }) => {
  if (aim.by !== "key") return;
  pointer = null;
  follow(target);
});
