// Where the arrow keys lead on a board, and what a finger beside everything means.

export const DIRECTIONS = /** @type {Record<string, [number, number]>} */ ({
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
});

/** The middle of an element on the screen. @param {any} node @returns {[number, number]} */
function middle(node) {
  const box = node.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

/**
 * The nearest in a direction, or null; `place` says where each is, usually on the screen.
 * @param {any[]} all @param {any} from @param {[number, number]} direction @param {(one: any) => [number, number]} place
 */
export function nearest(all, from, [right, down], place = middle) {
  const [x, y] = place(from);
  let best = null;
  let least = Infinity;
  for (const other of all) {
    const [otherX, otherY] = place(other);
    const along = (otherX - x) * right + (otherY - y) * down;
    const aside = Math.abs((otherX - x) * down) + Math.abs((otherY - y) * right);
    if (other === from || along < 4 || aside > along * 1.5) continue;
    if (along + 2 * aside < least) [best, least] = [other, along + 2 * aside];
  }
  return best;
}

const REACH = 24; // pixels: so far from its middle a finger still means something
const CLEAR = 5; // by so much something must be nearer than all else

/** What a finger means that has hit none of these: the nearest, or null where two are about as near. @param {Iterable<any>} all */
export function meantAt(all, { clientX, clientY }) {
  let [best, least, next] = /** @type {[any, number, number]} */ ([null, REACH, Infinity]);
  for (const node of all) {
    const [x, y] = middle(node);
    const far = Math.hypot(x - clientX, y - clientY);
    if (far < least) [best, least, next] = [node, far, best ? least : next];
    else next = Math.min(next, far);
  }
  return next - least < CLEAR ? null : best;
}
