// @ts-check
// Fragments that come in parts: pure functions on trees that are not on the page.

/**
 * @typedef {object} Changed
 * @property {string} root  the tag of the fragment, without what is in it
 * @property {Record<string, string>} parts  by id, each as a whole
 * @property {{new: string, gone: number, kept: number}} [log]  new ones, how many of the newest go, and how many stay after them
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
export function patched(old, { root, parts, log }) {
  const fresh = parsed(root);
  fresh.append(...old.childNodes);
  for (const [id, html] of Object.entries(parts)) fresh.querySelector(`:scope > #${id}`)?.replaceWith(parsed(html));
  if (log) addLines(fresh, log);
  return fresh;
}

/** Put new lines into a log, the newest first.
 * @param {Element} fragment
 * @param {{new: string, gone: number, kept: number}} log
 */
function addLines(fragment, log) {
  const list = fragment.querySelector("#log");
  if (!list) return;
  const old = [...list.children].filter((line) => line.id).slice(log.gone, log.gone + log.kept);
  list.innerHTML = log.new;
  list.append(...old);
}
