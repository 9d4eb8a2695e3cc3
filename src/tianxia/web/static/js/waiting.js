// What is asked of the server and not answered yet: shown at once where it was clicked, and in
// words where it takes long or fails. For the page of a table and for forms; the element #pending
// is where the words stand, and has them.

const SOON = 200;
const SLOW = 4000; // milliseconds until it is said that the server is waited for
const LONGEST = 15000; // after these it has failed

const box = document.getElementById("pending");
const { slow, failed: away, again: repeat, close } = box.dataset;

/**
 * Ask the server; status 0: no answer has come in time, or none at all.
 * @param {string} address @param {RequestInit & {longest?: number}} [what]
 */
export async function request(address, { longest = LONGEST, headers = {}, ...how } = {}) {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), longest);
  try {
    const answer = await fetch(address, { ...how, credentials: "same-origin", headers: { Accept: "application/json", ...headers }, signal: stop.signal });
    const json = (answer.headers.get("Content-Type") ?? "").includes("json");
    return { ok: answer.ok, status: answer.status, body: json ? await answer.json() : { html: await answer.text() } };
  } catch {
    return { ok: false, status: 0, body: { error: { text: away } } };
  } finally {
    clearTimeout(timer);
  }
}

/** Whether the server has failed, and not somebody who asked for what cannot be. */
export const isAway = ({ status }) => !status || status >= 500;

/**
 * Show that what a button (or nothing) stands for is under way: `mark` does so once more, `end` ends it.
 * `words` say at once what is waited for, where that is known to take long.
 */
export function begin(button, words = null) {
  let told = "";
  const say = () => tell((told = words?.() ?? slow));
  const timer = setTimeout(say, words ? SOON : SLOW);
  const mark = () => {
    button?.setAttribute("aria-busy", "true");
    if (told) say();
  };
  quiet();
  mark();
  const end = () => {
    clearTimeout(timer);
    button?.removeAttribute("aria-busy");
    if (told && box.dataset.told === told) quiet();
  };
  return { mark, end };
}

/** What had the keyboard when the words came. @type {any} */
let from = null;

/** Say something over the page, where it moves nothing; what failed can be tried again. */
export function tell(text, again = null) {
  if (box.dataset.told === text && !again) return;
  box.dataset.told = text;
  if (!box.contains(document.activeElement)) from = document.activeElement;
  const button = (label, act) => {
    const node = Object.assign(document.createElement("button"), { type: "button", className: "button", textContent: label });
    node.onclick = () => {
      quiet();
      act?.();
    };
    return node;
  };
  const words = Object.assign(document.createElement("span"), { textContent: text });
  box.replaceChildren(words, ...(again ? [button(repeat, again), button(close)] : []));
  box.hidden = false;
}

export function quiet() {
  const held = box.querySelector(":focus-visible");
  delete box.dataset.told;
  box.hidden = true;
  box.replaceChildren();
  if (held) from.focus({ preventScroll: true });
}
