// What the modules of a table's page share: its words and its elements.
// Knows none of them; what they have to tell each other are events of the page, see docs/table-page.md.

export const SVG = "http://www.w3.org/2000/svg";
export const PAPER = "#f5efe0"; // what pictures lie on

export const page = document.getElementById("table-page");
export const strings = JSON.parse(document.getElementById("strings").textContent);
export const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** Any, not `HTMLElement`: whoever asks knows what it is. @type {(id: string) => any} */
export const $ = (id) => document.getElementById(id);
export const table = () => $("table");
export const address = (path = "") => `/t/${encodeURIComponent(table().dataset.table)}${path}`;
export const wait = (ms) => new Promise((done) => setTimeout(done, ms));
export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);

export function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

/** A part of a picture. */
export function drawn(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}

/** A button that does something when it is pressed. */
export function pressed(label, act, extra = {}) {
  const node = make("button", { type: "button", class: "button", ...extra }, label);
  node.addEventListener("click", act);
  return node;
}

export function answered(dialog) {
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((done) => {
    dialog.addEventListener("close", () => done(dialog.returnValue === "yes"), { once: true });
  });
}

export const nodes = (element) => [...table().querySelectorAll(`[data-e="${CSS.escape(element)}"]`)];
export const places = () => [...table().querySelectorAll("[data-e]")].filter((node) => node.getClientRects().length);
export const nodeOf = (element) => nodes(element).find((node) => node.hasAttribute("role")) ?? nodes(element)[0];
/** What an element is called; a button is called what stands on it. */
export const nameOf = (element) => nodeOf(element)?.getAttribute("aria-label") ?? (nodeOf(element)?.textContent.trim() || element);
export const yourTurn = () => table().hasAttribute("data-your-turn");
export const isOver = () => table().dataset.status === "over";

/** The piece, card or stack that stands on a place of the board. */
export function drawingAt(element) {
  const marked = table().querySelector(`.piece[data-at="${CSS.escape(element)}"]`);
  if (marked) return marked;
  const card = nodeOf(element)?.querySelector(":scope > svg");
  if (card) return card;
  const place = nodeOf(element)?.getBoundingClientRect();
  if (!place) return null;
  const [x, y] = [place.x + place.width / 2, place.y + place.height / 2];
  const inside = (box) => box.left <= x && x <= box.right && box.top <= y && y <= box.bottom;
  return [...table().querySelectorAll(".piece")].findLast((piece) => inside(piece.getBoundingClientRect())) ?? null;
}
