// What is lifted with mouse, pen or finger and put down elsewhere.

import { advance, choose } from "./choosing.js";
import { begins, undo } from "./meaning.js";
import { meantAt } from "./nearest.js";
import { $, drawingAt, make, page, SVG, table } from "./page.js";
import { aim, FAR } from "./pointer.js";
import { state } from "./state.js";
import * as zoom from "./zoom.js";

const drag = {
  from: null, // {x, y, element, kind, id}
  picture: null,

  begin(event) {
    if (!event.isPrimary || event.button !== 0 || state.sending) return;
    const node = event.target.closest("[data-e], [data-kind]");
    if (!node || !page.contains(node)) return;
    const { e: element, kind } = node.dataset;
    const held = state.arrange.on && (state.arrange.at(element) >= 0 || state.arrange.left(state.arrange.kindOf(element)) > 0);
    const draggable = kind !== undefined || (state.arrange.on ? held : begins(element) || state.clicks.includes(element));
    if (!draggable) return;
    this.from = { x: event.clientX, y: event.clientY, element, kind, id: event.pointerId };
  },

  move(event) {
    if (!this.from || event.pointerId !== this.from.id) return;
    const [x, y] = [event.clientX - this.from.x, event.clientY - this.from.y];
    if (!this.picture && Math.hypot(x, y) < FAR) return;
    if (!this.picture) this.lift();
    event.preventDefault();
    this.picture.style.translate = `${event.clientX}px ${event.clientY}px`;
    const over = placeAt(event);
    for (const node of table().querySelectorAll(".is-over-it")) node.classList.remove("is-over-it");
    if (over) over.classList.add("is-over-it");
  },

  /** The press has become a drag: choose what is lifted, and show it under the pointer. */
  lift() {
    const { element, kind } = this.from;
    if (kind !== undefined) state.arrange.take(Number(kind), true);
    else if (state.arrange.on && state.arrange.kindOf(element) >= 0) state.arrange.take(state.arrange.kindOf(element), true);
    else if (state.arrange.on) state.arrange.lift(element);
    else if (!state.clicks.includes(element)) advance([element]);
    this.picture = pictureOf(element, kind);
    if (kind === undefined) drawingAt(element)?.classList.add("is-lifted");
    document.body.append(this.picture);
    table().classList.add("is-dragging");
  },

  end(event) {
    if (!this.from || event.pointerId !== this.from.id) return;
    const dragged = this.picture !== null;
    const from = this.from.element;
    this.cancel();
    if (!dragged) return;
    aim.dragged = Date.now();
    const over = placeAt(event);
    if (state.arrange.on) return state.arrange.land(over?.dataset.e);
    if (over && over.dataset.e !== from) choose(over.dataset.e);
    else if (!over) undo();
  },

  cancel() {
    this.picture?.remove();
    this.from = this.picture = null;
    for (const node of table().querySelectorAll(".is-lifted")) node.classList.remove("is-lifted");
    table().classList.remove("is-dragging");
    for (const node of table().querySelectorAll(".is-over-it")) node.classList.remove("is-over-it");
  },
};

/** What a finger means that has hit nothing but the board or the hand. */
const beside = (event, under = event.target) => aim.by === "touch" && under?.closest("#board, .dock") ? meantAt(table().querySelectorAll(".is-lit, .is-picked"), event) : null;

/** Where something is put down. */
function placeAt(event) {
  const under = document.elementsFromPoint(event.clientX, event.clientY);
  return under.map((node) => node.closest("[data-e]")).find((node) => node && table().contains(node)) ?? beside(event, under[0]);
}

/** A picture of what is dragged: a copy of what is drawn at that place. */
function pictureOf(element, kind) {
  const box = make("div", { class: "dragged", "aria-hidden": "true" });
  const drawn = kind !== undefined ? $("tray").querySelector(`[data-kind="${kind}"] svg`) : drawingAt(element);
  if (!drawn) return box;
  const size = drawn.getBoundingClientRect();
  box.style.inlineSize = `${size.width}px`;
  if (drawn instanceof SVGSVGElement) {
    box.append(drawn.cloneNode(true));
    return box;
  }
  const inside = drawn.getBBox();
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `${inside.x} ${inside.y} ${inside.width} ${inside.height}`);
  const copy = drawn.cloneNode(true);
  copy.removeAttribute("id");
  copy.removeAttribute("style");
  copy.removeAttribute("transform");
  svg.setAttribute("class", drawn.ownerSVGElement?.getAttribute("class") ?? "");
  svg.append(copy);
  box.append(svg);
  return box;
}

for (const name of ["pinch", "showing"]) page.addEventListener(name, () => drag.cancel());
page.addEventListener("click", (event) => {
  if (aim.justDragged() || zoom.isPinching()) return;
  const node = event.target.closest("[data-e], [data-kind], button, a") ?? beside(event);
  if (!node || !page.contains(node)) return;
  if (node.dataset.e !== undefined) {
    event.preventDefault();
    choose(node.dataset.e);
  } else if (node.dataset.kind !== undefined) {
    state.arrange.take(Number(node.dataset.kind));
  }
});

page.addEventListener("pointerdown", (event) => drag.begin(event));
document.addEventListener("pointermove", (event) => drag.move(event), { passive: false });
document.addEventListener("pointerup", (event) => drag.end(event));
// Parts of pictures do not obey `touch-action`: a finger on what can be dragged must not scroll.
page.addEventListener("touchmove", (event) => drag.from && event.cancelable && event.preventDefault(), { passive: false });
document.addEventListener("pointercancel", () => {
  const dragged = drag.picture !== null;
  drag.cancel();
  if (dragged) undo();
});
