// What somebody has just done, shown before the server has answered. Knows no game: a gesture
// says which elements it is made of, and what is put there where they do not. The server
// judges alone, so nothing is shown here that it would have to decide: a piece that goes where
// something stands stops before it.

/**
 * @typedef {{x: number, y: number}} Point
 * @typedef {object} Plan
 * @property {SVGGraphicsElement[]} shown  what is drawn there, copies or symbols
 * @property {SVGGraphicsElement | null} mover  what goes there
 * @property {Point} way  how far, in units of the picture
 */

const SVG = "http://www.w3.org/2000/svg";
/** Of the width of a place: how far before its middle a piece stops where something stands. */
const BEFORE = 0.62;
/** Of the height of a place: how high a card is that is laid there. */
const CARD = 0.6;

/** What was done and is not answered yet. @type {Plan | null} */
let plan = null;

/** The middle of a node in the units of its picture, and how large it is.
 * @param {Element} node
 * @param {SVGSVGElement} picture
 */
export function place(node, picture) {
  const box = node.getBoundingClientRect();
  const units = picture.getScreenCTM()?.inverse() ?? new DOMMatrix();
  const { x, y } = middle(node, box).matrixTransform(units);
  return { x, y, width: box.width * units.a, height: box.height * units.d };
}

const SAMPLES = 12;
/** Where the middle of a node is on the screen; of a triangle that is not the middle of its box.
 * @param {Element} node
 * @param {DOMRect} box
 */
function middle(node, box) {
  const outline = node.matches("[data-e]") ? node.querySelector("path") : null;
  if (!outline) return new DOMPoint(box.x + box.width / 2, box.y + box.height / 2);
  const part = outline.getTotalLength() / SAMPLES;
  const points = Array.from({ length: SAMPLES }, (_, number) => outline.getPointAtLength(number * part));
  const [x, y] = [points.reduce((sum, one) => sum + one.x, 0), points.reduce((sum, one) => sum + one.y, 0)];
  return new DOMPoint(x / SAMPLES, y / SAMPLES).matrixTransform(outline.getScreenCTM() ?? new DOMMatrix());
}

/**
 * How far a piece goes: to the middle of a place, or where something stands there, up to it.
 * @param {Point} from
 * @param {Point & {width: number, height: number}} to
 * @param {boolean} held
 * @returns {Point}
 */
function wayTo(from, to, held) {
  const [x, y] = [to.x - from.x, to.y - from.y];
  if (!held) return { x, y };
  const far = Math.hypot(x, y) || 1;
  const part = Math.max(0, 1 - (BEFORE * Math.min(to.width, to.height)) / far);
  return { x: x * part, y: y * part };
}

/**
 * The places of the board among the elements of a gesture, in order: of each step what was
 * clicked, or what stands for it on the board where that was a button.
 * @param {Element[][]} steps  the nodes of each step, the one that was clicked first
 * @returns {SVGGraphicsElement[]}
 */
const placesOf = (steps) => /** @type {SVGGraphicsElement[]} */ (steps.map((nodes) => nodes.find(isPlace)).filter(Boolean));

/** @param {Element} node */
const isPlace = (node) => node instanceof SVGGraphicsElement && node.closest(".board") !== null;

/** A copy of a drawing that nothing takes for the drawing itself.
 * @param {Element} drawn
 */
function copied(drawn) {
  const copy = /** @type {SVGGraphicsElement} */ (drawn.cloneNode(true));
  for (const node of [copy, ...copy.querySelectorAll("*")]) for (const name of ["id", "data-at", "data-e"]) node.removeAttribute(name);
  copy.classList.remove("piece", "is-lifted", "is-away");
  return copy;
}

/** @param {Point} way */
const translate = ({ x, y }) => `translate(${x.toFixed(2)} ${y.toFixed(2)})`;

/** A symbol of the sheet, its middle on a place; `height` as large as that, else as it is drawn.
 * @param {string} symbol
 * @param {SVGSVGElement} picture
 * @param {Point} at
 * @param {number} [height]
 */
function symbolAt(symbol, picture, at, height) {
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", symbol);
  const box = document.createElementNS(SVG, "g");
  box.append(use);
  picture.append(box);
  const size = use.getBBox();
  const scale = height && size.height ? height / size.height : 1;
  const [x, y] = [at.x - scale * (size.x + size.width / 2), at.y - scale * (size.y + size.height / 2)];
  box.setAttribute("transform", `${translate({ x, y })} scale(${scale.toFixed(3)})`);
  return box;
}

/** The cards of a hand that are laid, beside one another on what they are laid for.
 * @param {Element[][]} steps
 * @param {SVGSVGElement} picture
 */
function laid(steps, picture) {
  const cards = steps.map(([node]) => node).filter((node) => node.matches(".hand-card"));
  const target = steps.flatMap((nodes) => nodes.filter(isPlace).slice(-1)).at(-1);
  if (!target) return [];
  const spot = place(target, picture);
  const height = CARD * spot.height;
  const step = Math.min(0.5 * height, spot.width / (cards.length + 1));
  const symbols = cards.map((card) => card.querySelector("use")?.getAttribute("href")).filter(Boolean);
  return symbols.map((symbol, number) =>
    symbolAt(symbol ?? "", picture, { x: spot.x + step * (number - (symbols.length - 1) / 2), y: spot.y }, height));
}

/**
 * Show what a gesture does.
 * @param {Element[][]} steps  the nodes of each step, the one that was clicked first
 * @param {string} put  a symbol, `#` and the id of a piece, or "": the steps say it
 * @param {(node: Element) => Element | null} drawingAt  what stands on a place
 * @param {number} glide  milliseconds that what moves takes
 */
export function show(steps, put, drawingAt, glide) {
  clear();
  const places = placesOf(steps);
  const target = places.at(-1);
  const picture = target?.ownerSVGElement;
  if (!target || !picture) return;
  const own = put.startsWith("#") ? document.getElementById(put.slice(1)) : places.length > 1 ? drawingAt(places[0]) : null;
  const there = drawingAt(target);
  if (own instanceof SVGGraphicsElement && own !== there) plan = moved(own, places, picture, there !== null);
  else if (put && !put.startsWith("#")) plan = placed([symbolAt(`#${put}`, picture, place(target, picture))]);
  else plan = placed(laid(steps, picture));
  for (const one of plan.shown) one.classList.add("ghost");
  if (glide && plan.mover) plan.shown[0].animate(along(plan.way), { duration: glide, easing: "ease-in-out" });
}

/** From where a piece stood to where it is shown. @param {Point} way */
const along = ({ x, y }) => [{ transform: "none" }, { transform: `translate(${x}px, ${y}px)` }];

/** @param {SVGGraphicsElement[]} shown @returns {Plan} */
const placed = (shown) => ({ shown, mover: null, way: { x: 0, y: 0 } });

/**
 * @param {SVGGraphicsElement} mover
 * @param {SVGGraphicsElement[]} places
 * @param {SVGSVGElement} picture
 * @param {boolean} held
 * @returns {Plan}
 */
function moved(mover, places, picture, held) {
  const target = /** @type {SVGGraphicsElement} */ (places.at(-1));
  const from = place(places.length > 1 ? places[0] : mover, picture);
  const way = wayTo(from, place(target, picture), held);
  const box = document.createElementNS(SVG, "g");
  box.append(copied(mover));
  box.setAttribute("transform", translate(way));
  mover.parentNode?.append(box);
  mover.classList.add("is-away");
  return { shown: [box], mover, way };
}

/** Take away what is shown; where it was refused, what has moved goes back.
 * @param {number} [glide]
 */
export function clear(glide = 0) {
  if (!plan) return;
  const { shown, mover, way } = plan;
  plan = null;
  const done = () => {
    for (const one of shown) one.remove();
    mover?.classList.remove("is-away");
  };
  if (!glide || !mover) return done();
  shown[0].animate(along(way), { duration: glide, easing: "ease-in-out", direction: "reverse" }).onfinish = done;
}

/**
 * The page is about to show what the server says: what was shown as moved stands there now, so
 * that it does not set out once more. Call what is returned when the page has changed.
 * @returns {() => void}
 */
export function handOver() {
  if (!plan?.mover) {
    clear();
    return () => {};
  }
  const { mover, way } = plan;
  const [before, style] = [mover.getAttribute("transform") ?? "", mover.style];
  style.transition = "none";
  mover.setAttribute("transform", `${translate(way)} ${before}`);
  clear();
  mover.getBoundingClientRect(); // from here on it stands there
  style.transition = "";
  return () => {
    if (mover.getAttribute("transform") !== before) return;
    style.transition = "none"; // it has stayed where it was
    mover.getBoundingClientRect();
    style.transition = "";
  };
}
