// Of the editor of boards: the drawing larger, smaller and moved, with fingers, mouse, buttons and keys;
// and what one finger does instead where the tool takes hold of something.

import { all, boxOf, closeTo, MOST, moved, scaled, scaleOf } from "./viewport.js";

/** @typedef {{ move: (event: PointerEvent) => void, drop: () => void, cancel: () => void }} Hand */
/** @typedef {{ hand: Hand | null, start: number[], last: number[], moved: boolean }} Grip */
/** @typedef {{ x: number, y: number, distance: number, angle: number }} Span of two fingers, on the screen */

const SLOP = 8; // pixels that a finger may move and has but pressed
const STEP = 1.5;
const AROUND = 90; // units that are seen around what is looked for

/** @param {any} $ @param {{ grab?: (event: PointerEvent) => Hand | null, pinch?: (from: Span, to: Span) => boolean }} host */
export function viewOf($, host) {
  const sheet = $("sheet");
  const picture = () => $("board").querySelector("svg");
  const whole = /** @type {import("./viewport.js").Box} */ (picture().getAttribute("viewBox").split(" ").map(Number));
  let view = all(whole);
  /** @type {Map<number, number[]>} */
  const fingers = new Map();
  /** @type {Grip | null} */
  let one = null;
  /** @type {Span | null} */
  let two = null;
  let stray = false; // the click that a browser makes of what is done already is none

  const size = () => /** @type {[number, number]} */ ([sheet.clientWidth || 1, sheet.clientHeight || 1]);
  const box = () => boxOf(view, whole, size());
  const scale = () => scaleOf(view, whole, size());

  /** Where something on the screen lies in the drawing. @param {{ clientX: number, clientY: number }} event */
  function at({ clientX, clientY }) {
    const [left, top] = box();
    const frame = sheet.getBoundingClientRect();
    return [left + (clientX - frame.left) / scale(), top + (clientY - frame.top) / scale()];
  }

  /** Show what is to be seen; the picture may be a new one. */
  function show() {
    picture().setAttribute("viewBox", box().join(" "));
    $("view-in").disabled = view.zoom >= MOST;
    $("view-out").disabled = $("view-all").disabled = view.zoom <= 1;
    sheet.dispatchEvent(new Event("view"));
  }

  /** @param {typeof view} next */
  function become(next) {
    view = next;
    show();
  }

  const enlarge = (/** @type {number} */ factor, point = [view.x, view.y]) => become(scaled(view, factor, point, whole, size()));

  /** Bring elements of the picture into the middle, and say which they are. @param {string[]} keys */
  function seek(keys) {
    const nodes = keys.flatMap((key) => [...$("board").querySelectorAll(`[data-e="${CSS.escape(key)}"]`)]);
    for (const node of $("board").querySelectorAll(".is-sought")) node.classList.remove("is-sought");
    if (!nodes.length) return;
    const frames = nodes.map((node) => node.getBoundingClientRect());
    const [left, top] = at({ clientX: Math.min(...frames.map((one) => one.left)), clientY: Math.min(...frames.map((one) => one.top)) });
    const [right, bottom] = at({ clientX: Math.max(...frames.map((one) => one.right)), clientY: Math.max(...frames.map((one) => one.bottom)) });
    become(closeTo([left - AROUND, top - AROUND, right - left + 2 * AROUND, bottom - top + 2 * AROUND], whole, size()));
    for (const node of nodes) node.classList.add("is-sought");
    sheet.scrollIntoView({ block: "nearest" });
  }

  // --- Fingers and mouse --------------------------------------------------------------------

  /** @returns {Span} */
  function span() {
    const [[x, y], [otherX, otherY]] = [...fingers.values()];
    return { x: (x + otherX) / 2, y: (y + otherY) / 2, distance: Math.hypot(x - otherX, y - otherY) || 1, angle: Math.atan2(otherY - y, otherX - x) };
  }

  sheet.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
    if (event.button) return;
    stray = fingers.size > 0 && !fingers.has(event.pointerId);
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (fingers.size === 1) {
      const start = [event.clientX, event.clientY];
      one = { hand: host.grab?.(event) ?? null, start, last: start, moved: false };
    } else if (fingers.size === 2) {
      if (one?.moved) one.hand?.cancel();
      one = null;
      two = span();
    }
  });

  document.addEventListener("pointermove", (event) => {
    if (!fingers.has(event.pointerId)) return;
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (two && fingers.size === 2) pinch(two, (two = span()));
    else if (one) drag(one, event);
  });

  /** @param {Span} from @param {Span} to */
  function pinch(from, to) {
    if (host.pinch?.(from, to)) return;
    view = moved(view, to.x - from.x, to.y - from.y, whole, size());
    enlarge(to.distance / from.distance, at({ clientX: to.x, clientY: to.y }));
  }

  /** @param {Grip} grip @param {PointerEvent} event */
  function drag(grip, event) {
    const now = [event.clientX, event.clientY];
    if (!grip.moved && Math.hypot(now[0] - grip.start[0], now[1] - grip.start[1]) < SLOP) return;
    if (!grip.moved) sheet.setPointerCapture(event.pointerId);
    grip.moved = stray = true;
    if (grip.hand) grip.hand.move(event);
    else become(moved(view, now[0] - grip.last[0], now[1] - grip.last[1], whole, size()));
    grip.last = now;
  }

  /** @param {PointerEvent} event @param {"drop" | "cancel"} how */
  function lift(event, how) {
    if (!fingers.delete(event.pointerId)) return;
    const done = one;
    one = two = null;
    if (done?.moved) done.hand?.[how]();
    else if (done && how === "drop" && event.pointerType === "touch") press(event);
  }

  /** Click at once: after a fast line a browser takes the next tap for the end of a fling, and clicks nothing. @param {PointerEvent} event */
  function press({ target, clientX, clientY, pointerType }) {
    stray = true; // its own click would be the second
    target?.dispatchEvent(new PointerEvent("click", { bubbles: true, cancelable: true, clientX, clientY, pointerType }));
  }
  document.addEventListener("pointerup", (event) => lift(event, "drop"));
  document.addEventListener("pointercancel", (event) => lift(event, "cancel"));
  sheet.addEventListener("click", (/** @type {MouseEvent} */ event) => {
    if (stray && event.detail) event.stopPropagation();
  }, true);

  sheet.addEventListener("wheel", (/** @type {WheelEvent} */ event) => {
    if (!event.ctrlKey) return; // the page is scrolled as everywhere
    event.preventDefault();
    enlarge(Math.exp(-event.deltaY / 200), at(event));
  }, { passive: false });

  $("view-in").onclick = () => enlarge(STEP);
  $("view-out").onclick = () => enlarge(1 / STEP);
  $("view-all").onclick = () => become(all(whole));
  new ResizeObserver(() => become(moved(view, 0, 0, whole, size()))).observe(sheet);

  /** Wait until nothing is pressed, and clicked by that. */
  async function free() {
    while (fingers.size) await new Promise((done) => document.addEventListener("pointerup", () => setTimeout(done), { once: true }));
  }

  return {
    at, box, scale, seek, show, free,
    /** @param {KeyboardEvent} event */
    key(event) {
      if (event.key === "+") enlarge(STEP);
      else if (event.key === "-") enlarge(1 / STEP);
      else if (event.key === "0") become(all(whole));
    },
  };
}
