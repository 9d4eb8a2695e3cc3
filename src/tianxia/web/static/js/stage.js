// What matters is staged before the board shows it: the rest steps back, who meets is shown large,
// and what comes of it last. A game says what that is (`Stage` in tianxia/draw/scene.py).

import { make, nodes, page, SVG } from "./page.js";

const MEETING = 0.5; // of the time, before it is shown what comes of it
const LEAST = 48; // pixels around the middle of the place that stay clear
const CLOSE = 12; // pixels between the place and who is shown

const styled = new Promise((done) => {
  const sheet = make("link", { rel: "stylesheet", href: new URL("../css/stage.css", import.meta.url).href });
  sheet.onload = sheet.onerror = done;
  document.head.append(sheet);
});

/** The middle of some boxes, and how far they reach from there: {x, y, reach}; null of none. */
export function around(boxes) {
  if (!boxes.length) return null;
  const [left, top] = [Math.min(...boxes.map((box) => box.left)), Math.min(...boxes.map((box) => box.top))];
  const [right, bottom] = [Math.max(...boxes.map((box) => box.right)), Math.max(...boxes.map((box) => box.bottom))];
  return { x: (left + right) / 2, y: (top + bottom) / 2, reach: Math.max(LEAST, Math.hypot(right - left, bottom - top) / 2) };
}

/** Where a box of a size is put in a room: over the place, else under it, and never outside. */
export function beside({ x, y, reach }, size, room) {
  const within = (value, most) => Math.max(0, Math.min(value, most));
  const above = y - reach - CLOSE - size.height;
  const below = y + reach + CLOSE;
  const fits = above >= 0 || below + size.height > room.height;
  return { left: within(x - size.width / 2, room.width - size.width), top: within(fits ? above : below, room.height - size.height) };
}

/** Show what is staged for some milliseconds; `waited` waits, and is false once somebody hurries. */
export async function perform({ on, cast }, milliseconds, waited) {
  await styled;
  const box = make("div", { id: "stage", class: "stage", "aria-hidden": "true" });
  const shown = make("div", { class: "stage-cast" }, ...cast.map(drawn));
  box.append(shown);
  page.append(box);
  try {
    place(box, shown, on);
    if (!(await waited(milliseconds * MEETING))) return;
    box.classList.add("is-decided");
    await waited(milliseconds * (1 - MEETING));
  } finally {
    box.remove();
  }
}

function drawn({ symbol, box, falls, note }) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", box.join(" "));
  svg.setAttribute("class", "picture");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#${symbol}`);
  svg.append(use);
  return make("div", { class: `stage-actor${falls ? " is-falling" : ""}` }, svg, ...(note ? [make("span", { class: "stage-note" }, note)] : []));
}

function place(box, shown, on) {
  const room = box.getBoundingClientRect();
  const boxes = on.flatMap(nodes).map((node) => node.getBoundingClientRect()).filter(({ width }) => width);
  const spot = around(boxes) ?? { x: room.left + room.width / 2, y: room.top + room.height / 2, reach: 0 };
  const here = { ...spot, x: spot.x - room.left, y: spot.y - room.top };
  const size = { width: shown.offsetWidth, height: shown.offsetHeight }; // as it is once it has entered
  const { left, top } = beside(here, size, room);
  const measures = { "--x": here.x, "--y": here.y, "--reach": here.reach, "--left": left, "--top": top };
  for (const [name, value] of Object.entries(measures)) box.style.setProperty(name, `${value}px`);
}
