// What comes from the server, shown one happening at a time.

import { Idiomorph } from "../vendor/idiomorph.esm.js";
import { badge, hush, lineNumber, newestLine, say, spoken, tellings, unsaid } from "./announce.js";
import { busy, follows, foreshow, LATER, light } from "./meaning.js";
import { $, address, fill, make, page, strings, table, wait } from "./page.js";
import { parsed, patched } from "./parts.js";
import { aim } from "./pointer.js";
import { back } from "./roving.js";
import { lasting, pace, settings } from "./settings.js";
import { state } from "./state.js";
import * as tabs from "./tabs.js";
import { begin, quiet, request } from "./waiting.js";

// Milliseconds that each is given.
const ONE_HAPPENING = 450;
// What comes within this time of the last one is "several things".
const TOGETHER = 3000;
// Milliseconds that a fight or a province is given before the board shows it.
const STAGED = 1200;

// Milliseconds.
const LATE_TAP = 700;
let lately = 0;

const queue = [];
export const asItIs = () => state.latest.outerHTML;
let shown = 0;

export const morphing = {
  morphStyle: "outerHTML",
  ignoreActiveValue: true,
  callbacks: {
    beforeNodeMorphed: (old, fresh) => !(old.dataset && "keep" in old.dataset) && !(fresh.dataset && ["log", "chances"].includes(fresh.id) && "keep" in fresh.dataset),
    // What somebody has unfolded stays so.
    beforeAttributeUpdated: (name, node) => !(name === "open" && node.tagName === "DETAILS"),
  },
};

/**
 * Ask the server, for a click on the button `by`, if there is one; `words` say what is waited for.
 * Without anybody who waits (`calmly`) nothing is shown.
 */
export async function ask(method, path, body, { by = null, words = null, longest = undefined, calmly = false } = {}) {
  const json = body === undefined ? {} : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const shown = calmly ? null : begin(by, words);
  if (shown) state.asked.add(shown);
  busy();
  const answer = await request(address(path), { method, longest, ...json });
  if (shown) over(shown);
  return answer;
}

function over(shown) {
  state.asked.delete(shown);
  shown.end();
  busy();
}

/** What was sent has arrived, by whichever way. */
export function settle() {
  if (!state.sending) return;
  over(state.sending);
  state.sending = state.doing = null;
}

/** Read what the fragment on the page says, and dress it for this person. */
export function dress() {
  const before = state.data;
  state.data = JSON.parse($("gestures").textContent || "{}");
  state.data.gestures ??= [];
  for (const [from, targets] of Object.entries(state.data.premoves ?? {})) {
    for (const to of targets) state.data.gestures.push({ a: LATER, s: [[from], [to]], l: fill(strings.premove, { from, to }) });
  }
  const same = state.data.decision === before.decision;
  if (same && state.data.partial && before.first) Object.assign(state.data, { gestures: before.gestures, first: state.data.gestures, partial: false });
  if (!same) {
    // What was said there was about another choice.
    hush();
    // The live connection may bring what follows before the answer comes.
    settle();
  }
  if (!state.repeatable()) quiet();
  // Its place is kept.
  if ($("status").classList.contains("awaits-mind")) page.dataset.awaited = "";
  if (!same || !follows(state.clicks)) state.clicks = [];
  page.dispatchEvent(new Event("dressing"));
  light();
  badge();
  tabs.dress();
  const watches = "gallery" in table().dataset;
  if (watches || $("gallery-lines")) import("./gallery.js").then((gallery) => (watches ? gallery.begin() : gallery.end()));
  const name = $("sit-name");
  if (name && !name.value) name.value = page.dataset.name;
}

/** Put a fragment in the place of the one on the page. */
export function show(html) {
  page.dispatchEvent(new Event("showing"));
  const seen = newestLine();
  const status = $("status").textContent;
  const under = aim.under();
  const held = document.activeElement.matches("#table :focus-visible");
  const panel = document.activeElement.closest(".tab-panel");
  const handed = state.ghost?.handOver();
  Idiomorph.morph(table(), html.trim(), morphing);
  handed?.();
  dress();
  // What had the keyboard may be gone: it goes on from where it stood, or from the board.
  const title = panel?.querySelector("h2[tabindex]");
  if (held && document.activeElement === document.body) title ? title.focus() : back();
  if (state.sending && state.doing) foreshow(state.doing, 0);
  aim.check(under);
  const lines = [...$("log").querySelectorAll("li[id]")].reverse();
  for (const told of tellings(lines.filter((line) => lineNumber(line) > seen))) say(told);
  const now = $("status").textContent;
  // What is shown again has no new line.
  if (now !== status && !table().dataset.ply) say(unsaid(spoken($("status")), newestLine() < seen ? [] : lines));
  state.premove?.turn();
  page.dispatchEvent(new Event("shown"));
}

/** Take in a fragment from the server, or its changed parts, unless it is the one that came last. */
export function receive(message) {
  if (message.version === state.newest || !(message.html || message.parts)) return;
  // Parts of what is not here.
  if (message.parts && message.known !== state.newest) return resync();
  try {
    state.latest = message.html ? parsed(message.html) : patched(state.latest, message);
  } catch {
    // Parts of something else.
    return resync();
  }
  state.newest = message.version;
  queue.push({ html: state.latest.outerHTML, stage: state.latest.dataset.stage });
  pump();
}

/** Ask how the table stands now. */
export async function resync() {
  const { brought } = state;
  const answer = await ask("GET", "/fragment", undefined, { calmly: true });
  if (answer.ok && state.brought === brought) receive(answer.body);
}

/** Whether nobody wants to see how things come about. */
const unwatched = () => document.hidden || state.skipping;

/** Skip to the present; it lasts until nobody else is waited for who could hurry. */
export function skip() {
  state.skipping = state.pumping || Boolean($("do-hurry"));
  state.hurry?.(false);
}

export async function pump() {
  if (state.pumping) return;
  state.pumping = true;
  page.dataset.telling = "";
  while (queue.length) {
    if (settings.steps && !state.skipping && Date.now() - shown < TOGETHER) await held(queue.length, Infinity);
    // Nobody is looking.
    else if (unwatched()) queue.splice(0, queue.length - 1);
    const { html, stage } = queue.shift();
    const seen = newestLine();
    const whole = unwatched() || !(pace() || settings.steps) || (await between(html, seen));
    if (whole && !state.skipping) await staged(stage, seen);
    show(html);
    shown = Date.now();
    await wait(unwatched() ? 0 : lasting(ONE_HAPPENING));
  }
  state.pumping = false;
  state.skipping &&= Boolean($("do-hurry"));
  delete page.dataset.telling;
  page.dispatchEvent(new Event("caught-up"));
}

/** Stage what a step or a fragment tells as news, where its game says that it matters. */
export async function staged(told, seen = -1) {
  const stage = typeof told === "string" ? JSON.parse(told) : told;
  const time = document.hidden ? 0 : lasting(STAGED);
  if (!stage || stage.line <= seen || !time) return 0;
  const { perform } = await import("./stage.js");
  await perform(stage, time, unhurried);
  return time;
}

/** Wait a while, or until somebody hurries: what they said then, else null. */
function hurried(milliseconds) {
  return new Promise((done) => {
    let timer = 0;
    state.hurry = (more) => {
      clearTimeout(timer);
      state.hurry = null;
      done(more);
    };
    if (milliseconds < Infinity) timer = setTimeout(state.hurry, milliseconds, null);
  });
}

/** Wait a while; false as soon as somebody clicks on the board. */
const unhurried = async (milliseconds) => (await hurried(milliseconds)) === null;

/** Show what lies between the page as it is and a fragment, step by step; false: skip what is left. */
export async function between(html, seen) {
  const fresh = make("template");
  fresh.innerHTML = html;
  const told = (fresh.content.firstElementChild?.dataset.steps ?? "").split(" ").filter(Boolean).map(Number);
  const newestTold = Math.max(-1, ...[...fresh.content.querySelectorAll("#log li[id]")].map(lineNumber));
  if (!told.some((line) => line > seen && line < newestTold)) return true;
  const answer = await ask("GET", `/steps?after=${Math.max(seen, 0)}`, undefined, { calmly: true });
  const steps = (answer.body.steps ?? []).filter((step) => step.line <= newestTold);
  for (const [number, step] of steps.entries()) {
    const spent = await staged(step.stage);
    show(asOf(fresh, step));
    table().classList.add("is-telling");
    const rest = Math.max(step.hold * (pace() || 1) - spent, lasting(ONE_HAPPENING));
    const more = await held(steps.length - number, settings.steps ? Infinity : rest, step.status);
    if (!more) return false;
  }
  return true;
}

/** A fragment as it was at an earlier step: another picture, fewer lines, nothing to choose. */
function asOf(fresh, step) {
  const whole = fresh.content.firstElementChild.cloneNode(true);
  const part = (id) => whole.querySelector(`#${id}`);
  part("board").innerHTML = step.svg;
  part("status").className = "status";
  part("status").replaceChildren(make("p", {}, step.status));
  part("board-text").querySelector("pre").textContent = step.text;
  for (const [id, body] of Object.entries(step.panels)) {
    const panel = whole.querySelector(`#panel-${id} .panel-body`);
    if (panel) panel.innerHTML = body;
  }
  for (const line of [...part("log").querySelectorAll("li[id]")]) if (lineNumber(line) > step.line) line.remove();
  // The sentence of a turn tells all of it: until its last step is shown its lines stand by themselves.
  for (const turn of part("log").querySelectorAll(".log-turn")) {
    const shown = turn.querySelectorAll("li[id]");
    if (shown.length < fresh.content.querySelectorAll(`#${turn.id} li[id]`).length) turn.replaceWith(...shown);
  }
  for (const seat of whole.querySelectorAll(".seat.has-won")) {
    seat.classList.remove("has-won");
    seat.querySelector(".seat-state").textContent = "";
  }
  for (const seat of whole.querySelectorAll(".seat.is-acting")) {
    seat.classList.remove("is-acting");
    seat.querySelector(".seat-state").textContent = "";
  }
  delete whole.dataset.yourTurn;
  part("gestures").textContent = JSON.stringify({ gestures: [], decision: state.data.decision });
  return whole.outerHTML;
}

/** Wait a while, or until somebody hurries; false: the rest is not to be shown. */
async function held(left, milliseconds, told = "") {
  $("step-text").replaceChildren(make("span", { class: "step-told" }, told), " ", fill(strings.more, { n: left }));
  $("step-bar").hidden = false;
  $("step-next").onclick = () => state.hurry?.(true);
  $("step-end").onclick = () => state.hurry?.(false);
  const more = await hurried(milliseconds);
  $("step-bar").hidden = true;
  // A tap meant for it that comes late does not open what lies beneath.
  page.dataset.stepped = "";
  clearTimeout(lately);
  lately = setTimeout(() => delete page.dataset.stepped, LATE_TAP);
  return more ?? true;
}
