// What changes the table is sent to the server, which alone judges it.

import { hush, toast } from "./announce.js";
import { ask, between, pump, receive, resync, settle, show, staged } from "./happenings.js";
import { live } from "./live.js";
import { GLIDE, light, wholeAgain } from "./meaning.js";
import { $, isOver, nodes, page, strings, table, yourTurn } from "./page.js";
import { parsed } from "./parts.js";
import { lasting } from "./settings.js";
import { state } from "./state.js";
import * as tabs from "./tabs.js";
import { begin, isAway, tell } from "./waiting.js";

/**
 * Send something that changes the table; one at a time, so that a double click is harmless.
 *
 * `by` is what was clicked; `then` is called when all went well, and says whether another page comes.
 */
export async function post(path, body, { by = null, then = null } = {}) {
  if (state.sending) return null;
  hush(); // what was said before is answered by this
  const mine = (state.sending = begin(by));
  state.asked.add(mine);
  light();
  const [version, { decision }, brought] = [state.newest, state.data, state.brought];
  const answer = await ask("POST", `${path}?known=${version}&page=${state.name}`, body, { calmly: true });
  // What the live connection has brought in the meantime is newer than the answer.
  const arrived = state.sending !== mine;
  const overtaken = arrived || (live.isOpen() && state.brought > brought);
  if (answer.ok && then?.(answer)) return answer;
  if (!arrived) settle();
  if (!answer.ok && !(arrived && isAway(answer))) {
    failed(answer, () => post(path, body, { by, then }), () => ("decision" in body ? state.data.decision === decision : state.newest === version));
  } else if (answer.ok && !overtaken) receive(answer.body);
  else if (answer.ok && answer.body.version !== state.newest) resync(); // it is not pushed as well
  if (!state.pumping) state.ghost?.clear();
  light();
  return answer;
}

/** Say what went wrong, and put the page right; what no answer came to can be tried `again`. */
export function failed(answer, again = null, still = () => true) {
  const error = answer.body.error ?? { text: strings.sorry };
  state.clicks = [];
  wholeAgain();
  state.ghost?.clear(lasting(GLIDE));
  light();
  if (isAway(answer)) {
    state.repeatable = still;
    tell(error.text || strings.sorry, still() ? again : null);
    return resync();
  }
  if (answer.status === 409 && error.code === "stale") {
    resync();
    return toast(strings.stale);
  }
  toast(error.text || strings.sorry, { ...error, refused: answer.status === 422 });
}

export async function act(actions, then = null) {
  const { decision } = state.data;
  const answer = await post("/act", { actions, decision }, { by: $("tray-ready"), then });
  if (!answer?.ok) return;
  page.dispatchEvent(new Event("acted"));
  // Of the next decision something may be chosen already.
  if (state.data.decision !== decision) return;
  state.clicks = [];
  light();
}

/** Say why what was clicked cannot be done; the rules know, this module does not. */
export async function refuse(clicked) {
  const element = clicked.at(-1);
  mark(element);
  if (isOver() || !("viewer" in table().dataset) || table().dataset.viewer === "") return toast(strings.not_now);
  const answer = await ask("POST", "/why", { elements: clicked, decision: state.data.decision });
  if (isAway(answer)) return failed(answer, () => refuse(clicked));
  const why = answer.body.error ?? answer.body;
  if (!why?.text) return toast(yourTurn() ? strings.cannot : strings.not_turn);
  toast(why.text, { ...why, refused: true });
}

/** Show for a moment which element refuses. */
function mark(element) {
  page.dispatchEvent(new Event("refused"));
  for (const node of nodes(element)) {
    node.classList.add("is-refused");
    setTimeout(() => node.classList.remove("is-refused"), 900);
  }
}

/** Show once more what has happened since one's own last decision. */
export async function again() {
  if (state.pumping || state.sending || state.arrange.hand) return;
  const answer = await ask("GET", "/fragment", undefined, { by: $("again") });
  if (!answer.ok) return failed(answer, again);
  if (!/ data-steps="/.test(answer.body.html)) return toast(strings.nothing_again);
  state.pumping = true;
  $("menu").hidePopover?.();
  tabs.uncover();
  if (await between(answer.body.html, 0)) await staged(parsed(answer.body.html).dataset.stage);
  show(answer.body.html);
  state.newest = answer.body.version;
  state.latest = parsed(answer.body.html);
  state.pumping = false;
  pump();
}
