// Of the editor of boards that are graphs: what lies over the game's map, to be seen and taken hold of.

import { svg } from "./draw-nodes.js";
import { dragonOf, isDragon, placeOf } from "./graph.js";

/** @typedef {{ mode: string, from: string, wrong: Set<string>, line: number[][] | null }} Look */

/**
 * @param {import("./graph.js").Graph} board
 * @param {Look} look the tool, what is taken first of two, what is wrong, and what is just being drawn
 * @param {Record<string, string>} words
 */
export function layerOf(board, { mode, from, wrong, line }, words) {
  const layer = svg("g", { class: `draw-layer is-${mode}` });
  const colourOf = (/** @type {string} */ name) => board.provinces[name];
  for (const [one, other] of board.roads) layer.append(between(placeOf(board, one), placeOf(board, other), "draw-road"));
  for (const [number, [one, other]] of Object.entries(board.alliances)) {
    const ends = [placeOf(board, dragonOf(one)), placeOf(board, dragonOf(other))];
    const text = svg("text", { x: (ends[0][0] + ends[1][0]) / 2, y: (ends[0][1] + ends[1][1]) / 2, class: "draw-number" }, number);
    layer.append(between(ends[0], ends[1], "draw-alliance"), text);
  }
  if (line) layer.append(between(line[0], line[1], "draw-line"));
  for (const name of Object.keys(board.provinces)) {
    const key = dragonOf(name);
    const picked = from === name || from === key ? " is-from" : "";
    layer.append(handle(board, key, words.dragon.replace("{name}", name), "", `is-dragon ch-${colourOf(name)}${picked}`));
  }
  for (const [name, space] of Object.entries(board.spaces)) {
    const post = space.provinces.length > 1;
    const kind = post ? words.border_post : space.harbour ? words.harbour : words.space;
    const label = words.labelled.replace("{name}", name).replace("{what}", `${kind}, ${space.provinces.join(" / ")}`);
    const marks = [post && "is-post", space.harbour && "is-harbour", from === name && "is-from", wrong.has(name) && "is-fault"].filter(Boolean);
    layer.append(handle(board, name, label, name, [`ch-${colourOf(space.provinces[0])}`, ...marks].join(" ")));
  }
  return layer;
}

/** @param {number[]} a @param {number[]} b @param {string} className */
const between = (a, b, className) => svg("line", { x1: a[0], y1: a[1], x2: b[0], y2: b[1], class: className });

/** @param {import("./graph.js").Graph} board @param {string} key @param {string} label @param {string} text @param {string} className */
function handle(board, key, label, text, className) {
  const [x, y] = placeOf(board, key);
  const shape = svg("circle", { r: isDragon(key) ? 31 : 24 });
  const name = svg("text", { y: 5, "aria-hidden": true }, text);
  return svg("g", { class: `draw-node ${className}`, "data-place": "", "data-e": key, transform: `translate(${x} ${y})`, role: "button", tabindex: -1, "aria-label": label }, shape, name);
}
