// Several pieces that go as one: chosen one after the other or with a frame, then dragged or sent the same way.
// The server says where they can go, and takes what is sent as any other actions.

import { hush, say, toast } from "./announce.js";
import { place } from "./ghost.js";
import { ask } from "./happenings.js";
import { begins, inquire, light, undo } from "./meaning.js";
import { $, drawingAt, drawn, nameOf, nodeOf, page, pressed, strings, table, yourTurn } from "./page.js";
import { aim, FAR } from "./pointer.js";
import { act, failed, refuse } from "./sending.js";
import { settings } from "./settings.js";
import { decision, state } from "./state.js";

/**
 * Where some pieces go: for each its place in line, and where it comes to stand.
 * @typedef {{actions: number[], goals: Record<string, string>, ends: Record<string, string>, whole: boolean, label: string}} March
 */

export const marching = {
  on: false, // each click chooses one more
  /** @type {string[]} */
  chosen: [],
  /** @type {March[]} */
  marches: [],
  /** What is asked before it is sent. @type {?March} */
  planned: null,
  question: "",
  lead: "", // whose way is shown
  decision: -1,

  open() {
    return Boolean(state.data.together) && yourTurn() && !state.sending && !table().dataset.ply;
  },

  isOne(element) {
    return Boolean(state.data.ahead?.[element]);
  },

  /** The page shows another position, or the same anew. */
  dress() {
    if (this.decision !== decision() || !this.open()) this.forget();
    this.decision = decision();
    $("together")?.remove();
    table().classList.toggle("is-marching", this.open());
    if (!this.open()) return;
    $("go-tray").append(pressed(state.data.together.label, () => this.toggle(), { id: "together", title: state.data.together.hint }));
    this.mark();
  },

  forget() {
    Object.assign(this, { on: false, chosen: [], marches: [], planned: null, lead: "" });
    draw(null);
  },

  toggle() {
    const on = !this.on;
    undo();
    this.on = on;
    this.mark();
    if (on) toast(state.data.together.hint);
  },

  /** Choose one more, or no longer. */
  take(element) {
    const before = this.chosen.length ? this.chosen : state.clicks.filter((one) => this.isOne(one));
    return this.choose(before.includes(element) ? before.filter((one) => one !== element) : [...before, element]);
  },

  async choose(elements) {
    hush();
    Object.assign(this, { chosen: elements, marches: [], planned: null, lead: elements.at(-1) ?? "" });
    state.clicks = [];
    draw(null);
    light();
    const names = elements.map(nameOf).join("; ");
    if (elements.length < 2) return say(names || strings.unpicked);
    const answer = await ask("GET", `/marches?${new URLSearchParams(elements.map((one) => ["e", one]))}`);
    if (elements !== this.chosen) return; // others have been chosen meanwhile
    if (!answer.ok) return failed(answer);
    if (answer.body.decision !== decision()) return;
    Object.assign(this, { marches: answer.body.marches, question: answer.body.question });
    light();
    say(`${names}. ${answer.body.told}`);
  },

  /** How a piece, and others with it, can go there. @returns {March | undefined} */
  way(target, lead = this.lead) {
    return this.marches.find(({ ends, goals }) => goals[lead] === target && ends[lead] !== lead);
  },

  /** A click, or a key, on an element; says whether it is meant for us. */
  click(element, more) {
    if (!more && !this.on && !this.chosen.length) return false;
    const march = this.way(element);
    if (this.isOne(element) && (more || !march)) this.take(element);
    else if (march) this.plan(march);
    else refuse([this.lead, element].filter(Boolean));
    return true;
  },

  plan(march) {
    this.planned = march;
    draw(march);
    say(`${this.question} ${march.label}`);
    this.inquire();
    $("choice").querySelector("button").focus({ preventScroll: true });
  },

  /** Let the person say whether that is meant. */
  inquire() {
    const box = $("choice");
    const { actions, label } = this.planned;
    const go = () => {
      this.planned = null;
      box.hidden = true;
      act(actions);
    };
    inquire("march", this.question, [pressed(label, go, { class: "button primary" })]);
  },

  /** Show what is chosen, and where it can go. */
  mark() {
    $("together")?.setAttribute("aria-pressed", String(this.on || this.chosen.length > 0));
    if (!this.chosen.length && !this.on) return;
    for (const node of table().querySelectorAll("[data-e]")) {
      const element = node.dataset.e;
      const [picked, march] = [this.chosen.includes(element), this.way(element)];
      node.classList.toggle("is-picked", picked);
      node.classList.toggle("is-lit", Boolean(march) || (this.isOne(element) && !picked));
      node.classList.toggle("is-target", Boolean(march?.whole));
      node.classList.toggle("is-ahead", march?.whole === false);
      if (picked) node.setAttribute("aria-pressed", "true");
    }
    $("undo").hidden = !this.chosen.length || Boolean(state.sending);
    if (this.planned && $("choice").hidden) this.inquire();
  },
};

// What is carried, and where it would come to stand ---------------------------------------

/** Show the pieces that go: where a march leads them, or so far from where they stand. */
function draw(march, { x, y } = { x: 0, y: 0 }) {
  for (const one of table().querySelectorAll(".is-lifted")) one.classList.remove("is-lifted");
  $("marching")?.remove();
  const pieces = march ? Object.keys(march.ends).filter((from) => march.ends[from] !== from) : marching.chosen;
  if (!march && !x && !y) return;
  const layer = drawn("g", { id: "marching", class: "ghost", "aria-hidden": "true" });
  for (const from of pieces) {
    const piece = drawingAt(from);
    if (!piece) continue;
    const copy = piece.cloneNode(true);
    for (const node of [copy, ...copy.querySelectorAll("*")]) for (const name of ["id", "data-at", "data-e"]) node.removeAttribute(name);
    copy.setAttribute("class", "");
    const picture = piece.ownerSVGElement;
    const [start, end] = [from, march?.ends[from] ?? from].map((element) => place(nodeOf(element), picture));
    layer.append(drawn("g", { transform: `translate(${march ? end.x - start.x : x} ${march ? end.y - start.y : y})` }, copy));
    piece.classList.add("is-lifted");
  }
  $("board").querySelector("svg").append(layer);
}

// Drag: what is chosen, or a frame round what shall be -------------------------------------

/** @type {?{id: number, x: number, y: number, lead: string, frame: ?SVGElement, far: boolean}} */
let drag = null;
const elementAt = ({ clientX, clientY }) => document.elementsFromPoint(clientX, clientY).map((node) => node.closest("[data-e]")).find((node) => node && table().contains(node))?.dataset.e;

/** A press on what is chosen begins a drag; with the mouse one beside all pieces begins a frame. */
function press(event) {
  if (!event.isPrimary || event.button !== 0 || !marching.open() || !event.target.closest("#board")) return;
  const element = event.target.closest("[data-e]")?.dataset.e;
  const carries = marching.chosen.length > 1 && marching.chosen.includes(element);
  if (!carries && (event.pointerType !== "mouse" || (element && begins(element)))) return;
  drag = { id: event.pointerId, x: event.clientX, y: event.clientY, lead: carries ? element : "", frame: null, far: false };
  if (carries) event.stopPropagation();
}

function move(event) {
  if (event.pointerId !== drag?.id) return;
  const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
  if (!drag.far && Math.hypot(x, y) < FAR) return;
  if (!drag.far) start();
  event.preventDefault();
  if (drag.frame) return stretch(event);
  const { a } = $("board").querySelector("svg").getScreenCTM();
  draw(marching.way(elementAt(event)) ?? null, { x: x / a, y: y / a });
}

function start() {
  drag.far = true;
  table().classList.add("is-dragging");
  if (drag.lead) return Object.assign(marching, { lead: drag.lead, planned: null }) && light();
  drag.frame = drawn("rect", { fill: "none", stroke: "var(--choose)", "stroke-width": 3, "stroke-dasharray": "9 6", "aria-hidden": "true" });
  $("board").querySelector("svg").append(drag.frame);
}

/** @param {PointerEvent} event */
function stretch({ clientX, clientY }) {
  const units = $("board").querySelector("svg").getScreenCTM().inverse();
  const [one, other] = [new DOMPoint(drag.x, drag.y), new DOMPoint(clientX, clientY)].map((point) => point.matrixTransform(units));
  const box = { x: Math.min(one.x, other.x), y: Math.min(one.y, other.y), width: Math.abs(one.x - other.x), height: Math.abs(one.y - other.y) };
  for (const [name, value] of Object.entries(box)) drag.frame.setAttribute(name, String(value));
}

function framed() {
  const { left, right, top, bottom } = drag.frame.getBoundingClientRect();
  return Object.keys(state.data.ahead).filter((element) => {
    const box = (drawingAt(element) ?? nodeOf(element)).getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    return left < x && x < right && top < y && y < bottom;
  });
}

function release(event) {
  if (event.pointerId !== drag?.id) return;
  const { far, frame, lead } = drag;
  const inside = frame ? framed() : [];
  drop();
  if (!far) return;
  aim.dragged = Date.now();
  if (frame) return inside.length ? marching.choose(inside) : undo();
  const element = elementAt(event);
  const march = marching.way(element);
  if (march) return marching.plan(march);
  draw(null);
  if (element && element !== lead) refuse([lead, element]);
}

function drop() {
  drag?.frame?.remove();
  drag = null;
  table().classList.remove("is-dragging");
}

// Who begins it -----------------------------------------------------------------------------

page.addEventListener("pointerdown", press, true);
document.addEventListener("pointermove", move, { passive: false });
document.addEventListener("pointerup", release);
page.addEventListener("touchmove", (event) => drag && event.cancelable && event.preventDefault(), { passive: false });
for (const name of ["pinch", "showing"]) page.addEventListener(name, drop);
document.addEventListener("pointercancel", () => {
  drop();
  draw(marching.planned);
});

page.addEventListener("click", (event) => {
  const element = event.target.closest("[data-e]")?.dataset.e;
  if (element === undefined || aim.justDragged() || !marching.open() || !marching.click(element, event.shiftKey)) return;
  event.preventDefault();
  event.stopPropagation();
}, true);

document.addEventListener("keydown", (event) => {
  const element = event.target.closest("#table [data-e]")?.dataset.e;
  if (element === undefined || event.repeat || event.ctrlKey || event.metaKey || event.altKey || !marching.open()) return;
  const enters = event.key === "Enter" || event.key === " ";
  const more = (enters && event.shiftKey) || (settings.keys && event.key.toLowerCase() === "g");
  if (!(enters || more) || !marching.click(element, more)) return;
  event.preventDefault();
  event.stopPropagation();
}, true);

page.addEventListener("dressing", () => marching.dress());
page.addEventListener("undone", () => {
  if (!marching.on && !marching.chosen.length) return;
  marching.forget();
  light();
  say(strings.unpicked);
});
