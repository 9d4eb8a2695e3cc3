// Which part of a drawing is seen, and how large. No page.

/**
 * @typedef {[number, number, number, number]} Box left, top, width and height, as of a viewBox
 * @typedef {{ zoom: number, x: number, y: number }} View what lies in the middle, in units of the drawing
 * @typedef {[number, number]} Size of the place on the screen, in pixels
 */

export const MOST = 6;

/** @param {number} least @param {number} value @param {number} most */
const between = (least, value, most) => Math.min(most, Math.max(least, value));

/** All of a drawing. @param {Box} whole @returns {View} */
export const all = ([left, top, width, height]) => ({ zoom: 1, x: left + width / 2, y: top + height / 2 });

/** Pixels that a unit is wide. @param {View} view @param {Box} whole @param {Size} size */
export const scaleOf = (view, [, , width, height], size) => view.zoom * Math.min(size[0] / width, size[1] / height);

/** What is seen. @param {View} view @param {Box} whole @param {Size} size @returns {Box} */
export function boxOf(view, whole, size) {
  const scale = scaleOf(view, whole, size);
  const [width, height] = [size[0] / scale, size[1] / scale];
  return [view.x - width / 2, view.y - height / 2, width, height];
}

/** The view nearest to one in which nothing is seen beside the drawing that need not be. @param {View} view @param {Box} whole @param {Size} size @returns {View} */
function kept(view, whole, size) {
  const [, , width, height] = boxOf(view, whole, size);
  const middle = (/** @type {number} */ at, /** @type {number} */ seen, /** @type {number} */ start, /** @type {number} */ length) =>
    seen >= length ? start + length / 2 : between(start + seen / 2, at, start + length - seen / 2);
  return { zoom: view.zoom, x: middle(view.x, width, whole[0], whole[2]), y: middle(view.y, height, whole[1], whole[3]) };
}

/** The drawing taken along by so many pixels. @param {View} view @param {number} right @param {number} down @param {Box} whole @param {Size} size */
export function moved(view, right, down, whole, size) {
  const scale = scaleOf(view, whole, size);
  return kept({ ...view, x: view.x - right / scale, y: view.y - down / scale }, whole, size);
}

/** Larger by a factor; a point stays where it is on the screen. @param {View} view @param {number} factor @param {number[]} point @param {Box} whole @param {Size} size */
export function scaled(view, factor, [x, y], whole, size) {
  const zoom = between(1, view.zoom * factor, MOST);
  const real = zoom / view.zoom;
  return kept({ zoom, x: x + (view.x - x) / real, y: y + (view.y - y) / real }, whole, size);
}

/** A part of the drawing in the middle, as large as it fits. @param {Box} part @param {Box} whole @param {Size} size */
export function closeTo(part, whole, size) {
  const zoom = scaleOf(all(part), part, size) / scaleOf(all(whole), whole, size);
  return kept({ ...all(part), zoom: between(1, zoom, MOST) }, whole, size);
}
