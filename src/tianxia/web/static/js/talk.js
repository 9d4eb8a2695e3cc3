// Talk at the table: what the server sends of it is a piece of its own, kept apart from the board's.

import { heard as listen, renew, toEnd, write } from "./saying.js";
import { setUnread, toast } from "./announce.js";
import { ask, morphing } from "./happenings.js";
import { $, answered, fill, page, strings, table } from "./page.js";
import { store } from "./settings.js";
import * as tabs from "./tabs.js";

const READING = 1500; // milliseconds that something new is in sight before it counts as read
const FEW = 100; // characters left, from which on they are counted

const talk = () => $("talk");
const language = document.documentElement.lang;

/** The seats that are to read what is being written; none: all. */
const readers = new Set();
let brought = 0; // how often the live connection has brought something
let sending = false;
let inSight = false;

// --- What is on the page --------------------------------------------------------------------

function receive({ version, html }) {
  if (!html || version === talk().dataset.version) return;
  renew(talk(), html, morphing, "talk-log", dress);
}

/** Dress what the server has sent for this person, this clock and this moment. */
function dress() {
  for (const time of talk().querySelectorAll("time")) time.textContent = clock(new Date(time.dateTime));
  for (const seat of readers) if (!chip(seat)) readers.delete(seat);
  address();
  tabs.dress(); // who watches has the tab once there is something to read
  countNew();
  watch($("talk-log"));
}

function clock(when) {
  const today = when.toDateString() === new Date().toDateString();
  /** @type {Intl.DateTimeFormatOptions} */
  const how = today ? { timeStyle: "short" } : { dateStyle: "short", timeStyle: "short" };
  return new Intl.DateTimeFormat(language, how).format(when);
}

// --- What is new ----------------------------------------------------------------------------

const shelf = () => `heard:${table().dataset.table}:${talk().dataset.seat}`;
let heard = store.get(shelf(), 0); // when the newest line was said that was read here
const lines = () => [...talk().querySelectorAll(".talk-line")];
const saidAt = (line) => Number(line.dataset.at);

function countNew() {
  const fresh = lines().filter((line) => !line.classList.contains("is-own") && saidAt(line) > heard);
  for (const line of lines()) line.classList.toggle("is-new", fresh.includes(line));
  setUnread(fresh.length);
  tabs.count("talk", inSight ? 0 : fresh.length, fill(strings.talk_new, { n: fresh.length }));
  if (fresh.length && inSight) setTimeout(read, READING);
}

function read() {
  if (!inSight || document.hidden) return;
  heard = Math.max(heard, ...lines().map(saidAt));
  store.set(shelf(), heard);
  countNew();
}

const eye = new IntersectionObserver((entries) => {
  inSight = entries.at(-1).isIntersecting;
  countNew();
});
let watched = null;
function watch(log) {
  if (log === watched) return;
  eye.disconnect();
  eye.observe((watched = log));
}

// --- Writing --------------------------------------------------------------------------------

const chip = (seat) => talk().querySelector(`[data-to="${seat}"]`);

/** Choose who is to read, and say who that is. */
function address(seat) {
  const chips = [...talk().querySelectorAll(".chip:not([data-to=all])")];
  if (seat === "all") readers.clear();
  else if (seat !== undefined && !readers.delete(seat)) readers.add(seat);
  if (readers.size === chips.length) readers.clear();
  for (const one of chips) one.setAttribute("aria-pressed", String(readers.has(one.dataset.to)));
  chip("all")?.setAttribute("aria-pressed", String(!readers.size));
  $("talk-form")?.classList.toggle("is-private", readers.size > 0);
  if (!$("talk-readers")) return;
  const sides = [...[...readers].map((one) => chip(one).textContent.trim()), strings.talk_you];
  const some = fill(strings.talk_some, { sides: new Intl.ListFormat(language).format(sides) });
  $("talk-readers").textContent = readers.size ? some : strings.talk_all;
}

/** How many more characters fit: as people count, not in the units of this language. */
function left() {
  return Number($("talk-text").dataset.longest) - [...$("talk-text").value.trim()].length;
}

function count() {
  $("talk-left").textContent = left() < FEW ? fill(strings.talk_left, { n: left() }) : "";
  $("talk-left").classList.toggle("is-over", left() < 0);
}

async function send(asPact) {
  const box = $("talk-text");
  if (sending || !box.value.trim()) return box.focus();
  const text = box.value;
  const by = $("talk-form").querySelector(asPact ? "[value=pact]" : ".primary");
  const sent = await post("/say", { text, to: readers.size ? [...readers].map(Number) : null, pact: asPact }, by);
  if (sent && box.value === text) box.value = "";
  count();
  if (sent) toEnd("talk-log");
  box.focus();
}

/** Send something; say in the panel what was refused. */
async function post(path, body, by) {
  if (sending) return false;
  sending = true;
  const before = brought;
  const answer = await ask("POST", path, body, { by });
  sending = false;
  const problem = $("talk-problem");
  const text = answer.ok ? "" : (answer.body.error?.text ?? strings.sorry);
  if (problem) Object.assign(problem, { textContent: text, hidden: answer.ok });
  else if (text) toast(text);
  if (answer.ok && brought === before) receive(answer.body);
  return answer.ok;
}

// --- Events ---------------------------------------------------------------------------------

listen("talk", (news) => {
  brought += 1;
  receive(news);
});
page.addEventListener("tab", () => tabs.shown() === "talk" && toEnd("talk-log"));

page.addEventListener("click", async (event) => {
  const button = event.target.closest("#talk button");
  if (!button) return;
  if (button.dataset.to) address(button.dataset.to);
  if (!button.dataset.talk) return;
  if (button.dataset.sure && !(await answered($(button.dataset.sure)))) return;
  post(`/${button.dataset.talk}`, JSON.parse(button.dataset.body ?? "{}"), button);
});

page.addEventListener("submit", (event) => {
  if (event.target.id !== "talk-form") return;
  event.preventDefault();
  send(event.submitter?.value === "pact");
});

page.addEventListener("input", (event) => event.target.id === "talk-text" && count());

write("talk-text");

document.addEventListener("visibilitychange", countNew);

dress();
toEnd("talk-log");
page.dataset.talks = ""; // for tests: from here on one can talk
