// The board larger than its place: with two fingers, or with buttons where there is no wheel.

import { page } from "./page.js";

const MOST = 4;
const STEP = 1.5;
const view = { zoom: 1, x: 0, y: 0 };
// A rule of its own restyles the one picture; variables on the page would restyle all that is in it.
const sheet = new CSSStyleSheet();
const enlarged = /** @type {CSSStyleRule} */ (sheet.cssRules[sheet.insertRule(".is-zoomed .board > svg {}")]);
const kept = /** @type {CSSStyleRule} */ (sheet.cssRules[sheet.insertRule(".is-zoomed .stays {}")]);
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];

const frame = () => document.getElementById("board").getBoundingClientRect();

function show() {
  const { width, height } = frame();
  view.zoom = Math.min(MOST, Math.max(1, view.zoom));
  view.x = Math.min(0, Math.max(width * (1 - view.zoom), view.x));
  view.y = Math.min(0, Math.max(height * (1 - view.zoom), view.y));
  page.classList.toggle("is-zoomed", view.zoom > 1);
  enlarged.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.zoom})`;
  if (page.querySelector(".stays")) import("./staying.js").then(({ inCorner }) => { kept.style.transform = inCorner(view, width, height); });
  page.querySelector("[data-zoom=out]").disabled = view.zoom <= 1;
  page.querySelector("[data-zoom=in]").disabled = view.zoom >= MOST;
  page.dispatchEvent(new Event("zoomed"));
}

/** Enlarge by a factor round a point of the board's place. */
function scale(factor, x, y) {
  const next = Math.min(MOST, Math.max(1, view.zoom * factor));
  view.x = x - ((x - view.x) * next) / view.zoom;
  view.y = y - ((y - view.y) * next) / view.zoom;
  view.zoom = next;
  show();
}

/** One step larger ("in") or smaller ("out"). */
export function by(way) {
  const { width, height } = frame();
  scale(way === "in" ? STEP : 1 / STEP, width / 2, height / 2);
}

// --- Two fingers ----------------------------------------------------------------------------

const fingers = new Map();
let pinch = null; // {distance, x, y} of two fingers

function span() {
  const [one, two] = [...fingers.values()];
  const { left, top } = frame();
  return { distance: Math.hypot(one.x - two.x, one.y - two.y), x: (one.x + two.x) / 2 - left, y: (one.y + two.y) / 2 - top };
}

/** Whether two fingers hold the board: then nothing on it is clicked or dragged. */
export const isPinching = () => pinch !== null;

page.addEventListener("pointerdown", (event) => {
  if (event.pointerType !== "touch" || !event.target.closest("#board")) return;
  fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  if (fingers.size === 2) {
    pinch = span();
    page.dispatchEvent(new Event("pinch"));
  }
});

document.addEventListener("pointermove", (event) => {
  if (!fingers.has(event.pointerId)) return;
  const before = fingers.get(event.pointerId);
  fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  if (fingers.size === 1) return pan(event.clientX - before.x, event.clientY - before.y);
  if (!pinch || fingers.size !== 2) return;
  const now = span();
  view.x += now.x - pinch.x;
  view.y += now.y - pinch.y;
  scale(now.distance / pinch.distance, now.x, now.y);
  pinch = now;
});

/** One finger moves what is larger than its place, unless it drags a piece. */
function pan(right, down) {
  if (view.zoom <= 1 || document.getElementById("table").matches(".is-dragging")) return;
  view.x += right;
  view.y += down;
  show();
}

function lifted(event) {
  if (!fingers.delete(event.pointerId) || fingers.size) return;
  setTimeout(() => (pinch = null), 80); // the click that a browser makes of it is none
}
document.addEventListener("pointerup", lifted);
document.addEventListener("pointercancel", lifted);
addEventListener("resize", show);
show();
