// Fragments that come in parts: pure functions on trees that are not on the page.

/**
 * @typedef {object} Changed
 * @property {string} root  the tag of the fragment, without what is in it
 * @property {Record<string, string>} parts  by id, each as a whole
 * @property {Bits} [bits]  single elements of the board
 * @property {(string | number[])[]} [log]  its lines, newest first: HTML, or from which and how many of the old ones
 */

/**
 * @typedef {object} Bits
 * @property {string[]} set  elements that stand in the place of those of the same id
 * @property {string[]} gone  ids
 * @property {[string, string, boolean?][]} new  each after the element of an id, or as its first child
 */

/** A fragment as a tree.
 * @param {string} html
 * @returns {Element}
 */
export function parsed(html) {
  const box = document.createElement("template");
  box.innerHTML = html.trim();
  const root = box.content.firstElementChild;
  if (!root) throw new Error("there is nothing in this fragment");
  return root;
}

/** A fragment after a change; the old one is used up.
 * @param {Element} old
 * @param {Changed} changed
 * @returns {Element}
 */
export function patched(old, { root, parts, bits, log }) {
  const fresh = parsed(root);
  fresh.append(...old.childNodes);
  if (bits) change(fresh, bits);
  for (const [id, html] of Object.entries(parts)) fresh.querySelector(`:scope > #${id}`)?.replaceWith(parsed(html));
  if (log) addLines(fresh, log);
  return fresh;
}

/** Change single elements of a picture; throws where one of them is not there.
 * @param {Element} fragment
 * @param {Bits} bits
 */
function change(fragment, { set, gone, new: come }) {
  const at = (/** @type {string} */ id) => {
    const found = fragment.querySelector(`#${id}`);
    if (!found) throw new Error(`there is no ${id} in this picture`);
    return found;
  };
  const drawn = (/** @type {string} */ html) => /** @type {Element} */ (parsed(`<svg>${html}</svg>`).firstElementChild);
  for (const id of gone) at(id).remove();
  for (const html of set) {
    const fresh = drawn(html);
    at(fresh.id).replaceWith(fresh);
  }
  for (const [id, html, inside] of come) at(id)[inside ? "prepend" : "after"](drawn(html));
}

/** Make a log of new lines and of those it had.
 * @param {Element} fragment
 * @param {(string | number[])[]} runs
 */
function addLines(fragment, runs) {
  const list = fragment.querySelector("#log");
  const old = list && [...list.children].filter((line) => line.id);
  const fresh = document.createElement("template");
  list?.replaceChildren(
    ...runs.flatMap((run) => {
      if (typeof run !== "string") return old.slice(run[0], run[0] + run[1]);
      fresh.innerHTML = run;
      return [...fresh.content.children];
    }),
  );
}
