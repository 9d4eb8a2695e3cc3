// Clicks on the board, one after the other, until they mean something that is done.

import { hush, say } from "./announce.js";
import { elementsOf } from "./gestures.js";
import { ask } from "./happenings.js";
import { ahead, begins, follows, foreshow, GLIDE, LATER, light, offer, undo, wholeAgain } from "./meaning.js";
import { $, answered, fill, nameOf, nodeOf, page, strings, table, yourTurn } from "./page.js";
import { aim } from "./pointer.js";
import { act, failed, refuse } from "./sending.js";
import { lasting, settings } from "./settings.js";
import { state } from "./state.js";

/** Take one click on an element, however it was made. */
export async function choose(element) {
  if (state.hurry) return state.hurry(true);
  await state.further; // who is quicker than the line is not refused
  if (state.sending || table().dataset.ply) return;
  hush();
  if (state.arrange.on) return state.arrange.choose(element);
  if (!state.clicks.length && state.premove?.takenBack(element)) return undo();
  if (follows([...state.clicks, element])) return advance([...state.clicks, element]);
  if (isFurther(element)) return (await import("./journey.js")).offer(state.clicks[0], element);
  if (state.clicks.includes(element)) return putBack(element);
  if (state.clicks.length && begins(element)) {
    wholeAgain();
    return advance([element]);
  }
  await refuse([...state.clicks, element]);
}

/** Whether what is chosen could go on to an element; a click there may mean what stands there instead. */
function isFurther(element) {
  return state.clicks.length === 1 && Boolean(state.data.ahead?.[state.clicks[0]]?.includes(element)) && (aim.justDragged() || !begins(element));
}

/** Undo the last click on an element; all of them, where the others make no sense without it. */
function putBack(element) {
  const rest = state.clicks.toSpliced(state.clicks.lastIndexOf(element), 1);
  if (!rest.length || !follows(rest)) return undo();
  state.clicks = rest;
  light();
  say(strings.unpicked);
}

export async function advance(clicked) {
  state.clicks = clicked;
  if (state.data.partial) await (state.further = fetchFurther(clicked));
  if (state.clicks !== clicked) return; // another decision has come in the meantime
  const { next, complete } = ahead(clicked);
  if (complete.length === 1 && !next.size && !complete[0].p && !isSmall(clicked.at(-1))) return play(complete[0]);
  if (complete.length && !next.size) state.doubted = clicked;
  light();
  if (state.doubted === clicked) return offer(complete, true);
  say(fill(strings.picked, { what: nameOf(clicked.at(-1)), n: next.size }));
}

const FINGER = 44; // pixels that a finger hits for sure

/** Whether a finger has pointed at something so small that it may have meant what lies beside it. */
function isSmall(element) {
  if (aim.by !== "touch" || aim.justDragged()) return false;
  const { left, top, right, bottom, width, height } = nodeOf(element)?.getBoundingClientRect() ?? {};
  const isNear = (box) => Math.max(box.left - right, left - box.right, box.top - bottom, top - box.bottom) < FINGER / 2;
  return Math.min(width, height) < FINGER - 0.5 && [...table().querySelectorAll("[data-e]")].some((node) =>
    node.dataset.e !== element && (node.matches(".is-lit, .is-picked") || begins(node.dataset.e)) && isNear(node.getBoundingClientRect()));
}

/** With very many gestures the page holds first steps only; ask for those that begin so. */
async function fetchFurther(clicked) {
  const asked = state.data;
  const answer = await ask("GET", `/next-steps?${new URLSearchParams(clicked.map((element) => ["e", element]))}`);
  if (state.data.decision !== asked.decision) return;
  if (!answer.ok) return failed(answer);
  Object.assign(state.data, answer.body, { partial: false, first: state.data.gestures });
}

/** Fill a gesture in, as if it had been clicked, and ask whether it is meant. */
export function suggest(gesture) {
  if (state.sending || !yourTurn()) return;
  hush();
  if (!state.data.gestures.some((one) => one.a === gesture.a)) Object.assign(state.data, { gestures: [...state.data.gestures, gesture] });
  state.doubted = state.clicks = gesture.s.flatMap((step) => step.set ?? (step.count ? Array(step.count).fill(step.one) : [elementsOf(step)[0]]));
  light();
  offer([gesture], true);
}

export async function play(gesture) {
  if (gesture.a === LATER) return inAdvance("set", gesture);
  if (settings.ask && gesture.f && !(await confirmed(gesture))) return undo();
  if (!state.sending) foreshow(gesture, lasting(GLIDE));
  await act([gesture.a]);
}

/** Do something about a move that is set in advance. */
export async function inAdvance(what, ...given) {
  state.clicks = [];
  state.premove ??= await import("./premove.js");
  state.premove[what](...given);
}

/** Ask whether a gesture is meant; of another position than it was asked about it is not. */
async function confirmed({ l: move }) {
  const asked = state.data;
  $("confirm-text").textContent = fill(strings.confirm, { move });
  return (await answered($("confirm-dialog"))) && state.data.decision === asked.decision;
}

page.addEventListener("meant", ({ detail }) => play(detail));
