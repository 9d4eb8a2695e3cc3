// The table page in the browser. Knows no game: the server sends pictures whose clickable parts
// carry `data-e`, and the legal gestures as lists of such parts; see docs/table-page.md.

import { Idiomorph } from "../vendor/idiomorph.esm.js";
import { elementsOf, follow, times } from "./gestures.js";
import { DIRECTIONS, nearest } from "./nearest.js";
import { parsed, patched } from "./parts.js";
import { seedFor } from "./seed.js";
import * as tabs from "./tabs.js";
import { begin, isAway, quiet, request, tell } from "./waiting.js";
import * as zoom from "./zoom.js";

const SVG = "http://www.w3.org/2000/svg";

const page = document.getElementById("table-page");
const strings = JSON.parse(document.getElementById("strings").textContent);
const calm = matchMedia("(prefers-reduced-motion: reduce)");

const $ = (id) => document.getElementById(id);
const table = () => $("table");
const address = (path = "") => `/t/${encodeURIComponent(table().dataset.table)}${path}`;
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);

function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

/** A button that does something when it is pressed. */
function pressed(label, act, extra = {}) {
  const node = make("button", { type: "button", class: "button", ...extra }, label);
  node.addEventListener("click", act);
  return node;
}

// --- Settings, kept in this browser ---------------------------------------------------------

const store = {
  get(key, otherwise, where = "localStorage") {
    try {
      return JSON.parse(window[where].getItem(`tianxia:${key}`)) ?? otherwise;
    } catch {
      return otherwise;
    }
  },
  set(key, value, where = "localStorage") {
    try {
      window[where].setItem(`tianxia:${key}`, JSON.stringify(value));
      return true;
    } catch {
      return false;
    }
  },
};
const settings = { steps: false, ask: false, keys: true, hover: true, speed: "", sounds: false, ...store.get("settings", {}) };

/** How many times as long as usual things are shown; 0: what has happened is there at once. */
const pace = (usual = 1) => ({ slow: 2, normal: 1, once: 0 })[settings.speed] ?? usual;
/** How long that is in milliseconds, for what moves. */
const lasting = (ms) => ms * pace(calm.matches ? 0 : 1);

/** What moves is the matter of style sheets, what sounds that of a module of its own. */
function heed() {
  document.documentElement.dataset.speed = settings.speed;
  if (settings.sounds) import("./sounds.js");
}

// --- What is on the page --------------------------------------------------------------------

/** The legal gestures, as the fragment on the page gives them. */
let data = { gestures: [], decision: 0, arrangement: null };
/** What has been clicked of a gesture that is not complete yet. */
let clicks = [];
/** The element that the Tab key reaches. */
let current = null;
/** Stands for what was sent and is not answered yet; null once what follows is on the page. */
let sending = null;
/** What the server is asked for a click, sent things among it: {mark, end} of each. */
const asked = new Set();
/** Says whether what has failed could be tried again on the page as it is. */
let repeatable = () => true;
let toastTimer = 0;

const nodes = (element) => [...table().querySelectorAll(`[data-e="${CSS.escape(element)}"]`)];
const places = () => [...table().querySelectorAll("[data-e]")].filter((node) => node.getClientRects().length);
const nodeOf = (element) => nodes(element).find((node) => node.hasAttribute("role")) ?? nodes(element)[0];
const nameOf = (element) => nodeOf(element)?.getAttribute("aria-label") ?? element;
const yourTurn = () => table().hasAttribute("data-your-turn");
const isOver = () => table().dataset.status === "over";

/** The tray of a set-up: its code is fetched where a game has one. */
let arrange = { on: false, hand: null, begin: null, drop() {} };
let fetched = Promise.resolve();

function setUp() {
  if (arrange.begin) return arrange.begin(data.arrangement);
  if (!data.arrangement) return;
  fetched = import("./arrange.js").then((module) => {
    arrange = module.arrange;
    arrange.begin(data.arrangement);
    light();
  });
}

/** Read what the fragment on the page says, and dress it for this person. */
function dress() {
  const before = data.decision;
  data = JSON.parse($("gestures").textContent || "{}");
  data.gestures ??= [];
  for (const [from, targets] of Object.entries(data.premoves ?? {})) {
    for (const to of targets) data.gestures.push({ a: LATER, s: [[from], [to]], l: fill(strings.premove, { from, to }) });
  }
  if (data.decision !== before) {
    hush(); // what was said there was about another choice
    settle(); // the live connection may bring what follows before the answer comes
  }
  if (!repeatable()) quiet();
  if ($("status").classList.contains("awaits-mind")) page.dataset.awaited = ""; // its place is kept
  if (data.decision !== before || data.partial || !isUndecided(ahead(clicks))) clicks = [];
  setUp();
  light();
  badge();
  tabs.dress();
  const watches = "gallery" in table().dataset;
  if (watches || $("gallery-lines")) import("./gallery.js").then((gallery) => (watches ? gallery.begin() : gallery.end()));
  const name = $("sit-name");
  if (name && !name.value) name.value = page.dataset.name;
}

const plainTitle = document.title;
let unread = 0;
function badge() {
  const turn = yourTurn() ? `● ${strings.your_turn} · ` : "";
  document.title = `${unread ? `(${unread}) ` : ""}${turn}${plainTitle}`;
  const icon = document.querySelector("link[rel=icon]");
  if (!icon) return;
  icon.dataset.calm ??= icon.getAttribute("href");
  icon.href = yourTurn() ? page.dataset.turnIcon : icon.dataset.calm;
}

/** Show in the title how much of the talk is unread. */
function setUnread(count) {
  unread = count;
  badge();
}

const morphing = {
  morphStyle: "outerHTML",
  ignoreActiveValue: true,
  callbacks: {
    beforeNodeMorphed: (old, fresh) => !(old.dataset && "keep" in old.dataset) && !(fresh.dataset && ["log", "chances"].includes(fresh.id) && "keep" in fresh.dataset),
    // What somebody has unfolded stays so.
    beforeAttributeUpdated: (name, node) => !(name === "open" && node.tagName === "DETAILS"),
  },
};

/** Put a fragment in the place of the one on the page. */
function show(html) {
  drag.cancel();
  const seen = newestLine();
  const status = $("status").textContent;
  const under = aim.under();
  const handed = ghost?.handOver();
  Idiomorph.morph(table(), html.trim(), morphing);
  handed?.();
  dress();
  if (sending && doing) foreshow(doing, 0);
  aim.check(under);
  const lines = [...$("log").querySelectorAll("li[id]")].filter((line) => lineNumber(line) > seen).reverse();
  for (const told of tellings(lines)) say(told);
  const now = $("status").textContent;
  if (now !== status && !table().dataset.ply) say(unsaid(spoken($("status")), lines));
  retell();
  premove?.turn();
  page.dispatchEvent(new Event("shown"));
}

/** What is new in the log, each thing once: a turn that is new as a whole by its one sentence. */
function tellings(lines) {
  const fresh = new Set(lines);
  const told = new Set();
  for (const line of lines) {
    const turn = line.closest(".log-turn");
    const whole = turn && [...turn.querySelectorAll("li[id]")].every((one) => fresh.has(one));
    told.add(whole ? turn.querySelector("summary") : line);
  }
  return [...told].map((node) => node.textContent.trim());
}

/** A status without what the log's new lines say already. */
function unsaid(text, lines) {
  const left = lines.reduce((rest, line) => rest.replace(line.dataset.plain ?? line.textContent.trim(), ""), text);
  return left.replace(/\s+/g, " ").trim();
}

const lineNumber = (line) => Number(line.id.slice(4)); // log-12
const newestLine = () => Math.max(-1, ...[...$("log").querySelectorAll("li[id]")].map(lineNumber));

/** What stands in an element, its paragraphs one after the other. */
const spoken = (node) => [...node.children].map((part) => part.textContent.trim()).filter(Boolean).join(" ");

/** Let screen readers say something. */
function say(text) {
  if (!text) return;
  const announcer = $("announcer");
  announcer.append(make("span", {}, text, " "));
  while (announcer.childElementCount > 12) announcer.firstElementChild.remove();
}

/** Say something near the board; a refusal names its statement and links to it. */
function toast(text, { statement = "", link = "", refused = false } = {}) {
  const box = $("toast");
  clearTimeout(toastTimer);
  box.replaceChildren(make("span", {}, text));
  if (statement && link) {
    box.append(" ", make("a", { href: link, target: "_blank", rel: "noopener" }, `${strings.rule} ${statement}`));
  }
  box.classList.toggle("is-refusal", refused);
  box.hidden = false;
  toastTimer = setTimeout(hush, 12000);
}

function hush() {
  clearTimeout(toastTimer);
  const box = $("toast");
  if (!box.hidden) Object.assign(box, { hidden: true }).replaceChildren();
}

// --- Happenings, one at a time --------------------------------------------------------------

const queue = [];
let newest = table().dataset.version;
/** The newest fragment, as the server has drawn it: what is sent later are parts of it. */
let latest = table().cloneNode(true);
const asItIs = () => latest.outerHTML;
let pumping = false;
let shown = 0;
let hurry = null; // while a step is held: goes on to the next
const STAGED = 1200; // milliseconds that a fight or a province is given before the board shows it
const ONE_HAPPENING = 450; // milliseconds that each is given
const TOGETHER = 3000; // what comes within this time of the last one is "several things"

/** Take in a fragment from the server, or its changed parts, unless it is the one that came last. */
function receive(message) {
  if (message.version === newest || !(message.html || message.parts)) return;
  if (message.parts && message.known !== newest) return resync(); // parts of what is not here
  try {
    latest = message.html ? parsed(message.html) : patched(latest, message);
  } catch {
    return resync(); // parts of something else
  }
  newest = message.version;
  queue.push({ html: latest.outerHTML, stage: latest.dataset.stage });
  pump();
}

async function pump() {
  if (pumping) return;
  pumping = true;
  page.dataset.telling = "";
  while (queue.length) {
    if (settings.steps && Date.now() - shown < TOGETHER) await held(queue.length, Infinity);
    else if (document.hidden) queue.splice(0, queue.length - 1); // nobody is looking
    const { html, stage } = queue.shift();
    const seen = newestLine();
    const whole = document.hidden || !(pace() || settings.steps) || (await between(html, seen));
    if (whole) await staged(stage, seen);
    show(html);
    shown = Date.now();
    await wait(document.hidden ? 0 : lasting(ONE_HAPPENING));
  }
  pumping = false;
  delete page.dataset.telling;
  finish();
}

/** When the last step of a game has been shown: how it has ended. */
async function finish(asked = false) {
  const { plies, ply } = table().dataset;
  if (!isOver() || !Number(plies) || (ply && !asked)) return;
  const { tell } = await import("./ending.js");
  const under = aim.under();
  await tell(asked);
  aim.check(under);
}

/** Stage what a step or a fragment tells as news, where its game says that it matters. */
async function staged(told, seen = -1) {
  const stage = typeof told === "string" ? JSON.parse(told) : told;
  const time = document.hidden ? 0 : lasting(STAGED);
  if (!stage || stage.line <= seen || !time) return 0;
  const { perform } = await import("./stage.js");
  await perform(stage, time, unhurried);
  return time;
}

/** Wait a while; false as soon as somebody clicks on the board. */
function unhurried(milliseconds) {
  return new Promise((done) => {
    const go = (hurried) => {
      clearTimeout(timer);
      hurry = null;
      done(!hurried);
    };
    hurry = () => go(true);
    const timer = setTimeout(go, milliseconds, false);
  });
}

/** Show what lies between the page as it is and a fragment, step by step; false: skip what is left. */
async function between(html, seen) {
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
  part("gestures").textContent = JSON.stringify({ gestures: [], decision: data.decision });
  return whole.outerHTML;
}

/** Wait a while, or until somebody hurries; false: the rest is not to be shown. */
function held(left, milliseconds, told = "") {
  $("step-text").replaceChildren(make("span", { class: "step-told" }, told), " ", fill(strings.more, { n: left }));
  $("step-bar").hidden = false;
  return new Promise((done) => {
    let timer = 0;
    const go = (more) => {
      clearTimeout(timer);
      hurry = null;
      $("step-bar").hidden = true;
      done(more);
    };
    hurry = go;
    $("step-next").onclick = () => go(true);
    $("step-end").onclick = () => go(false);
    if (milliseconds < Infinity) timer = setTimeout(() => go(true), milliseconds);
  });
}

/** Show once more what has happened since one's own last decision. */
async function again() {
  if (pumping || sending || arrange.hand) return;
  const answer = await ask("GET", "/fragment", undefined, { by: $("again") });
  if (!answer.ok) return failed(answer, again);
  if (!/ data-steps="/.test(answer.body.html)) return toast(strings.nothing_again);
  pumping = true;
  $("menu").hidePopover?.();
  if (tabs.covers()) tabs.close();
  if (await between(answer.body.html, 0)) await staged(parsed(answer.body.html).dataset.stage);
  show(answer.body.html);
  newest = answer.body.version;
  latest = parsed(answer.body.html);
  pumping = false;
  pump();
}

// --- Gestures -------------------------------------------------------------------------------

/** What can follow some clicks: the next elements, and the gestures that are complete. */
function ahead(clicked) {
  const next = new Set();
  const complete = [];
  for (const gesture of data.gestures) {
    const more = follow(gesture, clicked);
    if (more?.length === 0) complete.push(gesture);
    more?.forEach((element) => next.add(element));
  }
  return { next, complete };
}

/** Whether it is still open what becomes of some clicks. */
const isUndecided = ({ next, complete }) => next.size > 0 || complete.length > 1 || complete.some((gesture) => gesture.p);

const MOST_FORETOLD = 4;
/**
 * What the clicks can still become, where the game wants it told before it is done; null where it
 * does not. Of very many only those that are complete.
 */
function foretold() {
  const fitting = data.gestures.filter((gesture) => follow(gesture, clicks));
  if (!fitting.some((gesture) => gesture.p)) return null;
  return fitting.length <= MOST_FORETOLD ? fitting : fitting.filter((gesture) => !follow(gesture, clicks).length);
}

/** Mark what can be clicked, and what has been. */
function light() {
  const { next, complete } = ahead(clicks);
  const lit = arrange.on ? arrange.lit() : sending || table().dataset.ply || (data.premoves && !clicks.length) ? new Set() : next;
  const picked = arrange.on ? arrange.picked() : clicks;
  const later = new Set(clicks.length ? (data.ahead?.[clicks[0]] ?? []) : []);
  for (const node of table().querySelectorAll("[data-e]")) {
    const element = node.dataset.e;
    node.classList.toggle("is-lit", lit.has(element));
    node.classList.toggle("is-target", clicks.length > 0 && lit.has(element));
    node.classList.toggle("is-picked", picked.includes(element));
    node.classList.toggle("is-ahead", later.has(element) && !lit.has(element));
    if (picked.includes(element)) node.dataset.picked = times(element, picked);
    else delete node.dataset.picked;
    node.classList.toggle("is-filled", arrange.on && arrange.at(element) >= 0);
    if (node.hasAttribute("role")) {
      if (picked.includes(element)) node.setAttribute("aria-pressed", "true");
      else node.removeAttribute("aria-pressed");
    }
  }
  table().classList.toggle("is-choosing", clicks.length > 0);
  guide(next.size);
  busy();
  offer(sending || !clicks.length ? [] : foretold() ?? (isUndecided({ next, complete }) ? complete : []));
  premove?.mark();
  rove();
}

/** Say what goes on with what has been clicked, in the place of the prompt. */
function guide(count) {
  const held = arrange.on ? arrange.named() : clicks.length ? nameOf(clicks.at(-1)) : "";
  const shown = Boolean(held) && !sending;
  $("undo").hidden = !shown;
  $("following").hidden = !shown || arrange.on;
  const words = [strings.then_sure, strings.then_there][count] ?? strings.then_where;
  $("following").textContent = shown ? fill(words, { what: held, n: count }) : "";
}

/** Show that something is under way, on the page as it is now. */
function busy() {
  for (const one of asked) one.mark();
  if (asked.size) table().setAttribute("aria-busy", "true");
  else table().removeAttribute("aria-busy");
}

/** Take one click on an element, however it was made. */
async function choose(element) {
  if (hurry) return hurry(true);
  await further; // who is quicker than the line is not refused
  if (sending || table().dataset.ply) return;
  hush();
  if (arrange.on) return arrange.choose(element);
  if (!clicks.length && premove?.takenBack(element)) return undo();
  if (follows([...clicks, element])) return advance([...clicks, element]);
  if (isFurther(element)) return (await import("./journey.js")).offer(clicks[0], element);
  if (clicks.includes(element)) return putBack(element);
  if (clicks.length && begins(element)) {
    wholeAgain();
    return advance([element]);
  }
  await refuse([...clicks, element]);
}

/** Whether what is chosen could go on to an element; a click there may mean what stands there instead. */
function isFurther(element) {
  return clicks.length === 1 && Boolean(data.ahead?.[clicks[0]]?.includes(element)) && (drag.justEnded() || !begins(element));
}

/** Undo the last click on an element; all of them, where the others make no sense without it. */
function putBack(element) {
  const rest = clicks.toSpliced(clicks.lastIndexOf(element), 1);
  if (!rest.length || !follows(rest)) return undo();
  clicks = rest;
  light();
  say(strings.unpicked);
}

function follows(clicked) {
  const { next, complete } = ahead(clicked);
  return next.size > 0 || complete.length > 0;
}

const begins = (element) => (data.first ?? data.gestures).some((gesture) => follow(gesture, [element]));

async function advance(clicked) {
  clicks = clicked;
  if (data.partial) await (further = fetchFurther(clicked));
  if (clicks !== clicked) return; // another decision has come in the meantime
  const { next, complete } = ahead(clicked);
  if (complete.length === 1 && !next.size && !complete[0].p && !isSmall(clicked.at(-1))) return play(complete[0]);
  light();
  if (complete.length && !next.size) return offer(complete, true);
  say(fill(strings.picked, { what: nameOf(clicked.at(-1)), n: next.size }));
}

const FINGER = 44; // pixels that a finger hits for sure

/** Whether a finger has pointed at something so small that it may have meant what lies beside it. */
function isSmall(element) {
  if (aim.by !== "touch" || drag.justEnded()) return false;
  const { width, height } = nodeOf(element)?.getBoundingClientRect() ?? {};
  return Math.min(width, height) < FINGER - 0.5;
}

let further = null; // the gestures that are asked for
/** With very many gestures the page holds first steps only; ask for those that begin so. */
async function fetchFurther(clicked) {
  const asked = data;
  const query = clicked.map((element) => `e=${encodeURIComponent(element)}`).join("&");
  const answer = await ask("GET", `/next-steps?${query}`);
  if (data !== asked) return;
  if (!answer.ok) return failed(answer);
  Object.assign(data, answer.body, { partial: false, first: data.gestures });
}

function wholeAgain() {
  if (data.first) Object.assign(data, { gestures: data.first, partial: true, first: null });
}

function undo() {
  const chosen = premove?.drop() || clicks.length || arrange.hand;
  clicks = [];
  wholeAgain();
  arrange.drop();
  hush();
  light();
  page.dispatchEvent(new Event("undone"));
  if (chosen) say(strings.unpicked);
}

/** Several gestures fit what was clicked, or one that is foretold: let the person say which. */
function offer(gestures, take = false) {
  const box = $("choice");
  const focused = box.contains(document.activeElement);
  const shown = gestures.map((gesture) => gesture.a).join();
  if (box.dataset.shown === shown && !box.hidden && gestures.length && !take) return standAside(box);
  box.dataset.shown = shown;
  box.hidden = !gestures.length;
  // What is complete stays in sight; what is not must not cover the cards still to be chosen.
  box.classList.toggle("is-preview", gestures.some((gesture) => gesture.p));
  box.classList.toggle("is-sticky", gestures.every((gesture) => follow(gesture, clicks)?.length === 0));
  if (!gestures.length) return box.replaceChildren();
  const buttons = gestures.map((gesture) => {
    const button = make("button", { type: "button", class: "button primary" }, gesture.l || strings.do_it);
    button.onclick = () => play(gesture);
    return button;
  });
  const cancel = make("button", { type: "button", class: "button" }, strings.cancel);
  cancel.onclick = undo;
  const question = gestures.length > 1 ? strings.choose : strings.sure;
  box.replaceChildren(make("p", {}, question), ...buttons, cancel);
  standAside(box);
  if (take && !focused) buttons[0].focus({ preventScroll: true });
}

/** Where the question lies over the board, put it where it covers least that can be chosen. */
function standAside(box) {
  const lit = [...table().querySelectorAll(".is-lit")].map((node) => node.getBoundingClientRect());
  const covered = (place) => {
    box.dataset.place = place;
    const { left, right, top, bottom } = box.getBoundingClientRect();
    return lit.filter((one) => one.left < right && one.right > left && one.top < bottom && one.bottom > top).length;
  };
  const counts = ["below", "above", "hand"].map((place) => [covered(place), place]);
  box.dataset.place = counts.reduce((best, one) => (one[0] < best[0] ? one : best))[1];
}

/** Fill a gesture in, as if it had been clicked, and ask whether it is meant. */
function suggest(gesture) {
  if (sending || !yourTurn()) return;
  hush();
  if (!data.gestures.some((one) => one.a === gesture.a)) Object.assign(data, { gestures: [...data.gestures, gesture] });
  clicks = gesture.s.flatMap((step) => step.set ?? (step.count ? Array(step.count).fill(step.one) : [elementsOf(step)[0]]));
  light();
  offer([gesture], true);
}

async function play(gesture) {
  if (gesture.a === LATER) return inAdvance("set", gesture);
  if (settings.ask && gesture.f && !(await confirmed(gesture.l))) return undo();
  if (!sending) foreshow(gesture, lasting(GLIDE));
  await act([gesture.a]);
}

const GLIDE = 300; // milliseconds
let ghost = null; // shows what is done before the server has answered; fetched when the page stands
let doing = null; // the gesture that is sent
function foreshow(gesture, glide) {
  doing = gesture;
  preview(gesture, glide);
}

/** Show what a gesture does, or nothing more. */
function preview(gesture, glide = 0) {
  if (!gesture) return ghost?.clear();
  const steps = gesture.s.flatMap((step) =>
    Array.isArray(step) ? [[...clicks.filter((element) => step.includes(element)), ...step]] : elementsOf(step).map((element) => [element]));
  ghost?.show(steps.map((step) => step.map(nodeOf).filter(Boolean)), gesture.u ?? "", (node) => drawingAt(node.dataset.e), glide);
}

const LATER = -2; // for an action: it is not one's turn, but may be set for then
let premove = null; // fetched when something is set in advance, or was before the page was loaded
async function inAdvance(what, ...given) {
  clicks = [];
  premove ??= await import("./premove.js");
  premove[what](...given);
}
/** Where that is kept: it is this page's, and of this seat. */
const wish = () => [`premove:${table().dataset.table}:${table().dataset.viewer}`, null, "sessionStorage"];

function confirmed(label) {
  $("confirm-text").textContent = fill(strings.confirm, { move: label });
  return answered($("confirm-dialog"));
}

function answered(dialog) {
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((done) => {
    dialog.addEventListener("close", () => done(dialog.returnValue === "yes"), { once: true });
  });
}

// --- Talking to the server ------------------------------------------------------------------

/**
 * Ask the server, for a click on the button `by`, if there is one; `words` say what is waited for.
 * Without anybody who waits (`calmly`) nothing is shown.
 */
async function ask(method, path, body, { by = null, words = null, longest, calmly = false } = {}) {
  const json = body === undefined ? {} : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const shown = calmly ? null : begin(by, words);
  if (shown) asked.add(shown);
  busy();
  const answer = await request(address(path), { method, longest, ...json });
  if (shown) over(shown);
  return answer;
}

function over(shown) {
  asked.delete(shown);
  shown.end();
  busy();
}

/** What was sent has arrived, by whichever way. */
function settle() {
  if (!sending) return;
  over(sending);
  sending = doing = null;
}

/**
 * Send something that changes the table; one at a time, so that a double click is harmless.
 *
 * `by` is what was clicked; `then` is called when all went well, and says whether another page comes.
 */
async function post(path, body, { by = null, then = null } = {}) {
  if (sending) return null;
  const mine = (sending = begin(by));
  asked.add(mine);
  light();
  const [version, { decision }, brought] = [newest, data, live.brought];
  const answer = await ask("POST", `${path}?known=${version}`, body, { calmly: true });
  // What the live connection has brought in the meantime is newer than the answer.
  const arrived = sending !== mine;
  const overtaken = arrived || (live.isOpen() && live.brought > brought);
  if (answer.ok && then?.(answer)) return answer;
  if (!arrived) settle();
  if (!answer.ok && !(arrived && isAway(answer))) {
    failed(answer, () => post(path, body, { by, then }), () => ("decision" in body ? data.decision === decision : newest === version));
  } else if (answer.ok && !overtaken) receive(answer.body);
  if (!pumping) ghost?.clear();
  light();
  return answer;
}

/** Say what went wrong, and put the page right; what no answer came to can be tried `again`. */
function failed(answer, again = null, still = () => true) {
  const error = answer.body.error ?? { text: strings.sorry };
  clicks = [];
  wholeAgain();
  ghost?.clear(lasting(GLIDE));
  light();
  if (isAway(answer)) {
    repeatable = still;
    tell(error.text || strings.sorry, still() ? again : null);
    return resync();
  }
  if (answer.status === 409 && error.code === "stale") {
    resync();
    return toast(strings.stale);
  }
  toast(error.text || strings.sorry, { ...error, refused: answer.status === 422 });
}

async function act(actions, then = null) {
  const { decision } = data;
  const answer = await post("/act", { actions, decision }, { by: $("tray-ready"), then });
  if (answer?.ok && data.decision === decision) {
    clicks = []; // of the next decision something may be chosen already
    light();
  }
}

/** Say why what was clicked cannot be done; the rules know, this module does not. */
async function refuse(clicked) {
  const element = clicked.at(-1);
  mark(element);
  if (isOver() || !("viewer" in table().dataset) || table().dataset.viewer === "") return toast(strings.not_now);
  const answer = await ask("POST", "/why", { elements: clicked, decision: data.decision });
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

/** Ask how the table stands now. */
async function resync() {
  const { brought } = live;
  const answer = await ask("GET", "/fragment", undefined, { calmly: true });
  if (answer.ok && live.brought === brought) receive(answer.body);
}

// --- The live connection --------------------------------------------------------------------

const SILENCE = 45000;
const UNSAID = 1200; // milliseconds that a lost line is kept quiet about
const OPENING = 8000; // and that one may take to open
const live = {
  socket: null,
  tries: 0,
  timer: 0,
  heard: Date.now(), // anything at all
  brought: 0, // how many fragments
  missed: 0, // a timer: says that the line is lost, unless it is soon back
  told: false, // that it is lost
  isOpen: () => live.socket?.readyState === WebSocket.OPEN,

  connect() {
    clearTimeout(this.timer);
    if (this.socket && this.socket.readyState < WebSocket.CLOSING) return;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const [talk, gallery] = ["talk", "gallery-lines"].map((id) => $(id)?.dataset.version ?? "");
    const known = new URLSearchParams({ version: newest, talk, gallery });
    const socket = new WebSocket(`${scheme}://${location.host}${address("/live")}?${known}`);
    this.socket = socket;
    this.timer = setTimeout(() => this.give_up(socket), OPENING);
    socket.onopen = () => this.opened();
    socket.onmessage = (event) => {
      this.heard = Date.now();
      const message = JSON.parse(event.data);
      const talk = ["talk", "gallery"].find((name) => message[name]);
      if (talk) return page.dispatchEvent(new CustomEvent(talk, { detail: message[talk] }));
      if (message.html || message.parts) this.brought += 1;
      receive(message);
    };
    socket.onclose = () => {
      if (this.socket === socket) this.lost();
    };
  },

  opened() {
    this.heard = Date.now();
    clearTimeout(this.timer);
    clearTimeout(this.missed);
    if (this.told) say(strings.back);
    this.tries = this.missed = 0;
    this.told = false;
    $("banner").hidden = true;
  },

  lost() {
    this.socket = null;
    this.tries += 1;
    // A server that was restarted is soon back: for a moment nothing is said.
    this.missed ||= setTimeout(() => this.tell(), UNSAID);
    const pause = Math.min(15000, 250 * 2 ** Math.min(this.tries, 6)) * (0.75 + Math.random() / 2);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.connect(), this.tries === 1 ? 100 : pause);
  },

  tell() {
    this.told = true;
    Object.assign($("banner"), { textContent: strings.lost, hidden: false });
  },

  /** A line that does not open is none; another one is tried. */
  give_up(socket) {
    if (this.socket !== socket || socket.readyState !== WebSocket.CONNECTING) return;
    this.lost();
    socket.close();
  },

  /** This device has lost its own line to the world. */
  offline() {
    if (!this.socket) return this.tell();
    const gone = this.socket;
    this.lost();
    this.tell();
    gone.close();
  },

  /** Come back from sleep, from another window, from a tunnel. */
  wake() {
    if (document.hidden) return;
    if (!this.isOpen()) return this.connect();
    if (Date.now() - this.heard > 5000) resync();
  },

  /** The server beats every 20 seconds; where nothing comes, the line is dead. */
  watch() {
    if (!this.isOpen() || Date.now() - this.heard < SILENCE) return;
    const silent = this.socket;
    this.lost();
    silent.close();
  },

  leave() {
    clearTimeout(this.timer);
    clearTimeout(this.missed);
    this.missed = 0;
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  },
};

// --- Where the keys are ---------------------------------------------------------------------

/** Let the Tab key reach one place of the board; the arrow keys do the rest. */
function rove() {
  const all = places();
  if (!all.length) return;
  const focused = document.activeElement?.closest?.("[data-e]");
  const chosen =
    all.find((node) => node === focused) ??
    all.find((node) => node.dataset.e === current) ??
    all.find((node) => node.classList.contains("is-lit")) ??
    all[0];
  for (const node of all) node.setAttribute("tabindex", node === chosen ? "0" : "-1");
}

function focus(node) {
  if (!node) return;
  current = node.dataset.e;
  node.focus({ preventScroll: false });
  rove();
}

function jump(back) {
  const lit = places().filter((node) => node.classList.contains("is-lit"));
  if (!lit.length) return say(strings.moves_none);
  const at = lit.findIndex((node) => node === document.activeElement);
  focus(lit.at(at < 0 ? (back ? -1 : 0) : (at + (back ? -1 : 1)) % lit.length));
}

function onBoardKey(event, node) {
  if (DIRECTIONS[event.key]) {
    focus(nearest(places(), node, DIRECTIONS[event.key]));
  } else if (event.key === "Enter" || event.key === " ") {
    if (!event.repeat) choose(node.dataset.e);
  } else if ((event.key === "Delete" || event.key === "Backspace") && arrange.on) {
    arrange.remove(node.dataset.e);
  } else {
    return false;
  }
  event.preventDefault();
  return true;
}

const SHORTCUTS = {
  n: () => jump(false),
  N: () => jump(true),
  b: () => focus(places().find((node) => node.getAttribute("tabindex") === "0")),
  m: () => moves.open(),
  t: () => {
    tabs.open("talk");
    $("talk-text")?.focus();
  },
  a: () => again(),
  h: () => hint(),
  s: () => {
    say(spoken($("status")));
    say(($("log").querySelector("li:first-child > details > summary") ?? $("log").firstElementChild)?.textContent.trim());
  },
  "?": () => $("help-dialog").showModal(),
  "[": () => stepper?.go(stepper.at - 1),
  "]": () => stepper?.go(stepper.at + 1),
};

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("dialog, input, select, textarea")) return;
  if (event.key === "Escape") return tabs.covers() ? tabs.close() : undo();
  const node = event.target.closest("[data-e]");
  if (node && table().contains(node) && onBoardKey(event, node)) return;
  const shortcut = settings.keys && SHORTCUTS[event.key];
  if (!shortcut) return;
  event.preventDefault();
  shortcut();
});

document.addEventListener("focusin", (event) => {
  const node = event.target.closest?.("[data-e]");
  if (node && node.dataset.e !== current) {
    current = node.dataset.e;
    rove();
  }
});

// --- Mouse, pen and finger ------------------------------------------------------------------

const SLIP = 600; // milliseconds
const CONTROL = "button:not([data-e]), a[href]";
/** Where the pointer is: a click that is on its way must not hit what has just come there. */
const aim = {
  at: null, // {x, y} of the newest click
  by: "", // with what: mouse, pen, touch, key
  slipped: null, // {node, time} of what came under it

  under() {
    return this.at && (document.elementFromPoint(this.at.x, this.at.y)?.closest(CONTROL) ?? null);
  },

  check(before) {
    const now = this.under();
    if (now && now !== before) this.slipped = { node: now, time: Date.now() };
  },

  isStray(event) {
    const { node, time } = this.slipped ?? {};
    return event.detail > 0 && node === event.target.closest?.(CONTROL) && node !== undefined && Date.now() - time < SLIP;
  },
};
document.addEventListener("pointerdown", (event) => Object.assign(aim, { at: { x: event.clientX, y: event.clientY }, by: event.pointerType }), true);
document.addEventListener("keydown", () => (aim.by = "key"), true);
document.addEventListener("pointermove", (event) => {
  if (aim.at && Math.hypot(event.clientX - aim.at.x, event.clientY - aim.at.y) > FAR) aim.at = aim.slipped = null;
}, true);
document.addEventListener("click", (event) => {
  if (!aim.isStray(event)) return;
  event.preventDefault();
  event.stopPropagation();
}, true);

page.addEventListener("pinch", () => drag.cancel());
page.addEventListener("click", (event) => {
  if (drag.justEnded() || zoom.isPinching()) return;
  const node = event.target.closest("[data-e], [data-kind], button, a");
  if (!node || !page.contains(node)) return;
  if (node.dataset.e !== undefined) {
    event.preventDefault();
    choose(node.dataset.e);
  } else if (node.dataset.kind !== undefined) {
    arrange.take(Number(node.dataset.kind));
  }
});

const FAR = 7; // pixels, before a press becomes a drag
const drag = {
  from: null, // {x, y, element, kind, id}
  picture: null,
  ended: 0,

  begin(event) {
    if (!event.isPrimary || event.button !== 0 || sending) return;
    const node = event.target.closest("[data-e], [data-kind]");
    if (!node || !page.contains(node)) return;
    const { e: element, kind } = node.dataset;
    const held = arrange.on && (arrange.at(element) >= 0 || arrange.left(arrange.kindOf(element)) > 0);
    const draggable = kind !== undefined || (arrange.on ? held : begins(element) || clicks.includes(element));
    if (!draggable) return;
    this.from = { x: event.clientX, y: event.clientY, element, kind, id: event.pointerId };
  },

  move(event) {
    if (!this.from || event.pointerId !== this.from.id) return;
    const [x, y] = [event.clientX - this.from.x, event.clientY - this.from.y];
    if (!this.picture && Math.hypot(x, y) < FAR) return;
    if (!this.picture) this.lift();
    event.preventDefault();
    this.picture.style.translate = `${event.clientX}px ${event.clientY}px`;
    const over = placeAt(event.clientX, event.clientY);
    for (const node of table().querySelectorAll(".is-over-it")) node.classList.remove("is-over-it");
    if (over) over.classList.add("is-over-it");
  },

  /** The press has become a drag: choose what is lifted, and show it under the pointer. */
  lift() {
    const { element, kind } = this.from;
    if (kind !== undefined) arrange.take(Number(kind), true);
    else if (arrange.on && arrange.kindOf(element) >= 0) arrange.take(arrange.kindOf(element), true);
    else if (arrange.on) arrange.lift(element);
    else if (!clicks.includes(element)) advance([element]);
    this.picture = pictureOf(element, kind);
    if (kind === undefined) drawingAt(element)?.classList.add("is-lifted");
    document.body.append(this.picture);
    table().classList.add("is-dragging");
  },

  end(event) {
    if (!this.from || event.pointerId !== this.from.id) return;
    const dragged = this.picture !== null;
    const from = this.from.element;
    this.cancel();
    if (!dragged) return;
    this.ended = Date.now();
    const over = placeAt(event.clientX, event.clientY);
    if (arrange.on) return arrange.land(over?.dataset.e);
    if (over && over.dataset.e !== from) choose(over.dataset.e);
    else if (!over) undo();
  },

  cancel() {
    this.picture?.remove();
    this.from = this.picture = null;
    for (const node of table().querySelectorAll(".is-lifted")) node.classList.remove("is-lifted");
    table().classList.remove("is-dragging");
    for (const node of table().querySelectorAll(".is-over-it")) node.classList.remove("is-over-it");
  },

  /** A click that the browser makes of the end of a drag is none. */
  justEnded() {
    return Date.now() - this.ended < 60;
  },
};

const placeAt = (x, y) => document.elementsFromPoint(x, y).map((node) => node.closest("[data-e]")).find((node) => node && table().contains(node));

/** A picture of what is dragged: a copy of what is drawn at that place. */
function pictureOf(element, kind) {
  const box = make("div", { class: "dragged", "aria-hidden": "true" });
  const drawn = kind !== undefined ? $("tray").querySelector(`[data-kind="${kind}"] svg`) : drawingAt(element);
  if (!drawn) return box;
  const size = drawn.getBoundingClientRect();
  box.style.inlineSize = `${size.width}px`;
  if (drawn instanceof SVGSVGElement) {
    box.append(drawn.cloneNode(true));
    return box;
  }
  const inside = drawn.getBBox();
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `${inside.x} ${inside.y} ${inside.width} ${inside.height}`);
  const copy = drawn.cloneNode(true);
  copy.removeAttribute("id");
  copy.removeAttribute("style");
  copy.removeAttribute("transform");
  svg.setAttribute("class", drawn.ownerSVGElement?.getAttribute("class") ?? "");
  svg.append(copy);
  box.append(svg);
  return box;
}

/** The piece, card or stack that stands on a place of the board. */
function drawingAt(element) {
  const marked = table().querySelector(`.piece[data-at="${CSS.escape(element)}"]`);
  if (marked) return marked;
  const card = nodeOf(element)?.querySelector(":scope > svg");
  if (card) return card;
  const place = nodeOf(element)?.getBoundingClientRect();
  if (!place) return null;
  const [x, y] = [place.x + place.width / 2, place.y + place.height / 2];
  const inside = (box) => box.left <= x && x <= box.right && box.top <= y && y <= box.bottom;
  return [...table().querySelectorAll(".piece")].findLast((piece) => inside(piece.getBoundingClientRect())) ?? null;
}

page.addEventListener("pointerdown", (event) => drag.begin(event));
document.addEventListener("pointermove", (event) => drag.move(event), { passive: false });
document.addEventListener("pointerup", (event) => drag.end(event));
// Parts of pictures do not obey `touch-action`: a finger on what can be dragged must not scroll.
page.addEventListener("touchmove", (event) => drag.from && event.cancelable && event.preventDefault(), { passive: false });
document.addEventListener("pointercancel", () => {
  const dragged = drag.picture !== null;
  drag.cancel();
  if (dragged) undo();
});

// --- After the game: step through it ----------------------------------------------------------

/** What steps through a finished game; loaded when there is one. */
let stepper = null;

async function retell() {
  if (!$("stepper")) return;
  stepper ??= (await import("./stepper.js")).stepper;
  stepper.refresh();
}

// --- Buttons, forms, dialogs --------------------------------------------------------------------

const moves = {
  open() {
    this.fill("");
    $("moves-filter").value = "";
    $("moves-dialog").showModal();
  },

  fill(words) {
    const wanted = words.toLocaleLowerCase().split(/\s+/);
    // What can be clicked in several ways is one move.
    const each = new Map(data.gestures.map((gesture) => [gesture.a < 0 ? gesture : gesture.a, gesture]));
    const found = [...each.values()].filter((gesture) => wanted.every((word) => gesture.l.toLocaleLowerCase().includes(word)));
    const items = found.map((gesture) => {
      const button = make("button", { type: "button", class: "button quiet" }, gesture.l);
      button.onclick = () => {
        $("moves-dialog").close();
        play(gesture);
      };
      return make("li", {}, button);
    });
    $("moves-list").replaceChildren(...(items.length ? items : [make("li", {}, strings.moves_none)]));
  },
};

const hint = () => import("./hints.js").then((hints) => hints.hint());

async function copy(button) {
  const field = $(button.dataset.copy);
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    toast(strings.copied);
  } catch {
    toast(strings.copy_by_hand);
  }
}

/** The seal of chance that this browser was shown first: a server could show another one later. */
function firstSeal() {
  const shelf = `seal:${table().dataset.table}`;
  const shown = $("chance")?.dataset.seal;
  const first = store.get(shelf, null) ?? shown;
  if (shown) store.set(shelf, first);
  return first;
}

/** Go to another page; until it comes, this one shows that it is awaited. */
function leaveFor(path) {
  location.assign(path);
  return true;
}

async function press(button) {
  // Read at once: while a question is open, news may make another button of this one.
  const { ask: question, post: path, body = "{}" } = button.dataset;
  if (question && !(await answered($(question)))) return;
  await post(`/${path}`, JSON.parse(body), { by: button, then: ({ body: { rematch } }) => rematch && leaveFor(`/t/${rematch.table}`) });
}

page.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  if (button.id === "again") again();
  else if (button.id === "undo") undo();
  else if (button.id === "hint-ask") hint();
  else if (button.dataset.post) press(button);
  else if (button.dataset.copy) copy(button);
  else if ("share" in button.dataset) import("./sharing.js").then((sharing) => sharing.share(button));
  else if (button.id === "end-open") finish(true);
  else if ("dice" in button.dataset) import("./dice.js").then((dice) => dice.run());
  else if (button.dataset.step) stepper?.click(button.dataset.step);
  else if (button.dataset.tab) tabs.toggle(button.dataset.tab);
  else if (button.dataset.zoom) zoom.by(button.dataset.zoom);
  else if (button.dataset.open === "moves-dialog") moves.open();
  else if (button.dataset.open) $(button.dataset.open).showModal();
  if (button.closest("#menu")) $("menu").hidePopover?.();
});

page.addEventListener("input", (event) => {
  if (event.target.dataset.step === "slider") stepper?.go(Number(event.target.value));
  if (event.target.id === "moves-filter") moves.fill(event.target.value);
  if (event.target.dataset.setting) {
    const { type, checked, value, dataset } = event.target;
    settings[dataset.setting] = type === "checkbox" ? checked : value;
    store.set("settings", settings);
    heed();
  }
});

page.addEventListener("submit", async (event) => {
  if (!("sit" in event.target.dataset)) return;
  event.preventDefault();
  const name = new FormData(event.target).get("name");
  // Who has sat down needs another page and another connection.
  await post("/sit", { seat: Number(event.submitter.value), name, seed: seedFor(table().dataset.table, firstSeal()) }, { by: event.submitter, then: () => leaveFor(address()) });
});

for (const box of document.querySelectorAll("[data-setting]")) {
  box[box.type === "checkbox" ? "checked" : "value"] = settings[box.dataset.setting];
}
document.addEventListener("visibilitychange", () => live.wake());
addEventListener("focus", () => live.wake());
addEventListener("online", () => live.wake());
addEventListener("offline", () => live.offline());
setInterval(() => live.watch(), 5000);
addEventListener("pagehide", () => live.leave());
addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  settle();
  live.wake();
});
addEventListener("resize", () => arrange.on && arrange.drawPieces());

if ($("guide")) import("./guide.js");
if (isOver() && new URLSearchParams(location.search).has("together")) import("./together.js");
dress();
firstSeal();
retell();
live.connect();
heed();
finish();
// For tests: from here on clicks count.
Promise.allSettled([fetched, import("./ghost.js").then((module) => (ghost = module)), store.get(...wish()) && inAdvance("resume")]).then(() => { page.dataset.ready = ""; });

const decision = () => data.decision;
const setting = (name) => settings[name];

/** The action that the clicks so far mean, with one more on an element if that ends one; else null. */
function chosenWith(element) {
  const meant = [[...clicks, element], clicks].map((clicked) => ahead(clicked).complete).find(({ length }) => length === 1);
  return meant && meant[0].a >= 0 ? meant[0].a : null;
}

export {
  $, SVG, act, ahead, answered, arrange, asItIs, tabs, ask, chosenWith, decision, drawingAt, elementsOf, failed, fill, firstSeal, hush, isOver, light, make, morphing, nameOf,
  nodeOf, nodes, pace, page, play, pressed, preview, quiet, refuse, say, setting, setUnread, show, store, strings, suggest, table, tell, times, toast, undo, wait, wish, yourTurn,
};
