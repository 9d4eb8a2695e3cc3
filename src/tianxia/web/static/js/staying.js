// Parts of a picture that stay where they are when it is enlarged: only some games have any.

/** What keeps a part of the picture in its size, and in the corner of the board's place. */
export function inCorner(view, width, height) {
  const all = /** @type {SVGSVGElement} */ (document.querySelector("#board > svg")).viewBox.baseVal;
  const scale = Math.min(width / all.width, height / all.height);
  const [right, down] = [[all.x, all.width, width, view.x], [all.y, all.height, height, view.y]].map(
    ([start, size, room, moved]) => start - (room / scale - size) / 2 - (start + moved / scale) / view.zoom);
  return `translate(${right}px, ${down}px) scale(${1 / view.zoom})`;
}
