// What can be done to a board that is a graph: places in provinces, roads, alliances. No page.
// Each changes the board that it is given, a copy of the one that is shown.

/**
 * @typedef {{x: number, y: number, provinces: string[], harbour?: boolean}} Space
 * @typedef {{spaces: Record<string, Space>, roads: [string, string][], provinces: Record<string, string>,
 *   dragons: Record<string, [number, number]>, alliances: Record<string, [string, string]>, players: number[]}} Graph
 */

export const STEP = 10; // of the canvas: places lie on a grid, keys move by it
const APART = 45; // a place that is added by keys keeps off others
const DRAGON = "dragon-";

/** @param {string} name */
export const dragonOf = (name) => DRAGON + name;
/** @param {string} key */
export const isDragon = (key) => key.startsWith(DRAGON);
/** Of a place, or of a dragon. @param {Graph} board @param {string} key */
export const provinceOf = (board, key) => (isDragon(key) ? key.slice(DRAGON.length) : board.spaces[key].provinces[0]);

/** @param {Graph} board @param {string} key @returns {[number, number]} */
export function placeOf(board, key) {
  if (isDragon(key)) return board.dragons[provinceOf(board, key)] ?? [0, 0];
  const space = board.spaces[key];
  return space ? [space.x, space.y] : [0, 0];
}

/** Of the grid of a canvas the point nearest to one. @param {number[]} point @param {number[]} size @returns {[number, number]} */
export function onGrid([x, y], [width, height]) {
  const near = (/** @type {number} */ value, /** @type {number} */ most) => Math.min(most, Math.max(0, Math.round(value / STEP) * STEP));
  return [near(x, width), near(y, height)];
}

/** @param {Graph} board @param {string} key @param {[number, number]} point */
export function put(board, key, [x, y]) {
  if (isDragon(key)) board.dragons[provinceOf(board, key)] = [x, y];
  else Object.assign(board.spaces[key], { x, y });
}

/** Add a place to a province; return its name. @param {Graph} board @param {string} province @param {[number, number]} point */
export function add(board, province, [x, y]) {
  const name = freeName(board, province);
  board.spaces[name] = { x, y, provinces: [province] };
  return name;
}

/** A name for a new place: the letter of its province and the first free number. @param {Graph} board @param {string} province */
function freeName(board, province) {
  const plain = province.normalize("NFD").replace(/[^A-Za-z]/g, "") || "X";
  const sharing = Object.keys(board.provinces).filter((one) => one[0] === province[0]);
  const letters = plain[0].toUpperCase() + (sharing.length > 1 ? (plain[1] ?? "").toLowerCase() : "");
  const taken = new Set(Object.keys(board.spaces).map((one) => one.toLowerCase()));
  for (let number = 1; ; number += 1) if (!taken.has(`${letters}${number}`.toLowerCase())) return `${letters}${number}`;
}

/** A free point near another; null where all is full. @param {Graph} board @param {number[]} from @param {number[]} size */
export function spotNear(board, [x, y], size) {
  const all = [...Object.values(board.spaces).map((one) => [one.x, one.y]), ...Object.values(board.dragons)];
  for (let turn = 0; turn < 60; turn += 1) {
    const [far, angle] = [70 + 4 * turn, turn * 2.4];
    const spot = onGrid([x + far * Math.cos(angle), y + far * Math.sin(angle)], size);
    if (all.every(([a, b]) => Math.hypot(a - spot[0], b - spot[1]) > APART)) return spot;
  }
  return null;
}

/** Let a place go over to a province, where it gets another name; "" where it does not. @param {Graph} board @param {string} key @param {string} province */
export function settle(board, key, province) {
  const space = board.spaces[key];
  if (space.provinces.length > 1 || space.provinces[0] === province) return "";
  const name = freeName(board, province);
  const swap = (/** @type {string} */ one) => (one === key ? name : one);
  board.spaces = Object.fromEntries(Object.entries(board.spaces).map(([one, facts]) => [swap(one), facts]));
  board.roads = board.roads.map(([one, other]) => [swap(one), swap(other)]);
  space.provinces = [province];
  return name;
}

/** What lies nearest to a point, not farther than `reach`; "" if nothing does. @param {Graph} board @param {number[]} point @param {number} reach @param {boolean} dragons whether they count */
export function nearTo(board, [x, y], reach, dragons) {
  let [best, least] = ["", reach];
  for (const key of [...Object.keys(board.spaces), ...(dragons ? Object.keys(board.provinces).map(dragonOf) : [])]) {
    const [atX, atY] = placeOf(board, key);
    const far = Math.hypot(atX - x, atY - y);
    if (far <= least) [best, least] = [key, far];
  }
  return best;
}

/** How far along a line the point of it lies that is nearest to another (0 to 1), and how near that is. @param {number[]} point @param {number[]} from @param {number[]} to */
function along([x, y], [fromX, fromY], [toX, toY]) {
  const [right, down] = [toX - fromX, toY - fromY];
  const part = Math.min(1, Math.max(0, ((x - fromX) * right + (y - fromY) * down) / (right * right + down * down || 1)));
  return { part, far: Math.hypot(fromX + part * right - x, fromY + part * down - y) };
}

/** The places that a line passes, in this order. @param {Graph} board @param {number[]} from @param {number[]} to @param {number} reach */
export function passed(board, from, to, reach) {
  return Object.keys(board.spaces).map((key) => ({ key, ...along(placeOf(board, key), from, to) }))
    .filter(({ far }) => far <= reach).sort((a, b) => a.part - b.part).map(({ key }) => key);
}

/** The road nearest to a point, or null. @param {Graph} board @param {number[]} point @param {number} reach */
export function roadNear(board, point, reach) {
  const found = board.roads.map((road) => ({ road, ...along(point, placeOf(board, road[0]), placeOf(board, road[1])) }))
    .filter(({ far }) => far <= reach).sort((a, b) => a.far - b.far);
  return found[0]?.road ?? null;
}

/** @param {Graph} board @param {string} key */
export function erase(board, key) {
  delete board.spaces[key];
  board.roads = board.roads.filter((road) => !road.includes(key));
}

/** Make a place a harbour, or none; a post is none: say whether. @param {Graph} board @param {string} key */
export function harbour(board, key) {
  const space = board.spaces[key];
  if (space.provinces.length > 1) return false;
  if (space.harbour) delete space.harbour;
  else space.harbour = true;
  return true;
}

/** Let a place be one of a province too, or not: say whether. @param {Graph} board @param {string} key @param {string} province */
export function belong(board, key, province) {
  const space = board.spaces[key];
  if (!space.provinces.includes(province)) {
    space.provinces = [...space.provinces.slice(-1), province];
    delete space.harbour;
    return true;
  }
  if (space.provinces.length < 2) return false;
  space.provinces = space.provinces.filter((one) => one !== province);
  return true;
}

/** Of some pairs without one, or with it if it was not there. @param {[string, string][]} pairs @param {[string, string]} pair */
function toggled(pairs, pair) {
  const rest = pairs.filter((other) => !pair.every((one) => other.includes(one)));
  return rest.length === pairs.length ? [...rest, pair] : rest;
}

/** Join two places by a road, or take it away. @param {Graph} board @param {string} one @param {string} other */
export function join(board, one, other) {
  board.roads = toggled(board.roads, [one, other]);
}

/** Join two places by a road, if they are two and there is none. @param {Graph} board @param {string} one @param {string} other */
export function road(board, one, other) {
  if (one !== other && !board.roads.some((ends) => ends.includes(one) && ends.includes(other))) board.roads.push([one, other]);
}

/** Ally two provinces, or part them; alliances are numbered in a row. @param {Graph} board @param {string} one @param {string} other */
export function ally(board, one, other) {
  const numbers = Object.keys(board.alliances).sort((a, b) => Number(a) - Number(b));
  const pairs = toggled(numbers.map((number) => board.alliances[number]), [one, other]);
  board.alliances = Object.fromEntries(pairs.map((pair, at) => [String(at + 1), pair]));
}

/**
 * Call a province differently, everywhere; say whether the name can be told from the others.
 * @param {Graph} board @param {string} old @param {string} name
 */
export function rename(board, old, name) {
  const letters = (/** @type {string} */ text) => text.replace(/[^\p{L}]/gu, "").toLowerCase();
  const others = Object.keys(board.provinces).filter((one) => one !== old);
  if (!letters(name) || others.some((one) => letters(one) === letters(name))) return false;
  const swap = (/** @type {string} */ one) => (one === old ? name : one);
  const keys = (/** @type {any} */ object) => Object.fromEntries(Object.entries(object).map(([key, value]) => [swap(key), value]));
  board.provinces = keys(board.provinces);
  board.dragons = keys(board.dragons);
  for (const space of Object.values(board.spaces)) space.provinces = space.provinces.map(swap);
  for (const [number, [one, other]] of Object.entries(board.alliances)) board.alliances[number] = [swap(one), swap(other)];
  return true;
}
