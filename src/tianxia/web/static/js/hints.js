// Hints, where a person plays against bots alone: asked for, shown on the board and in a list.
// To choose one fills the choice in; the person still has to say yes.

import { measureRoom, say, toast } from "./announce.js";
import { suggest } from "./choosing.js";
import { elementsOf } from "./gestures.js";
import { ask } from "./happenings.js";
import { vacate } from "./meaning.js";
import { $, drawn, fill, make, nodeOf, page, strings, table } from "./page.js";
import { failed } from "./sending.js";
import { decision, state } from "./state.js";
import { uncover } from "./tabs.js";

const LONGEST = 75000; // milliseconds: the best bot may have to wake up first
const box = () => $("hints");
const marks = () => $("hint-marks");
const isWaking = () => Boolean($("hint-place")?.querySelector("progress"));
let given = null;
let waiting = false;

/** The style sheet comes with the first hints. */
const styled = new Promise((done) => {
  const sheet = make("link", { rel: "stylesheet", href: new URL("../css/advice.css", import.meta.url).href });
  sheet.onload = sheet.onerror = done;
  document.head.append(sheet);
});

/** Ask for hints and show them; where they are shown, go there. */
export async function hint() {
  if (given) return box().querySelector("li button")?.focus();
  if (waiting) return;
  if (!$("hint-ask")) return toast(table().dataset.status === "playing" ? strings.hints_when : strings.not_now);
  const { waking } = $("hint-place").dataset;
  if (waking && !isWaking()) return toast(waking); // it cannot
  waiting = true;
  const words = () => $("hint-place")?.dataset.waking || strings.hints_wait;
  const asked = () => ask("GET", "/hint", undefined, { by: $("hint-ask"), words, longest: LONGEST });
  let [answer] = await Promise.all([asked(), styled]);
  // As long as the adviser is waking up, nobody has to ask again.
  while (answer.body.error?.code === "no-answer" && isWaking()) answer = await asked();
  waiting = false;
  if (!answer.ok) return failed(answer, hint);
  if (answer.body.decision !== decision()) return; // the table has moved on
  show(answer.body);
}

function show(body) {
  given = body;
  const items = body.hints.map((one, number) => make("li", {}, entry(one, number)));
  const close = make("button", { type: "button", class: "button quiet" }, strings.hints_close);
  close.onclick = forget;
  const head = make("div", { class: "hints-head" }, make("h2", { id: "hints-title" }, strings.hints_title), close);
  box().replaceChildren(head, make("ol", {}, ...items));
  box().hidden = false;
  uncover();
  measureRoom();
  draw();
  box().querySelector("li button").focus({ preventScroll: true });
  say(fill(strings.hints_told, { n: items.length }));
}

function entry(one, number) {
  const parts = [make("strong", {}, one.label)];
  if (one.reason) parts.push(make("span", { class: "hint-reason" }, one.reason));
  if (one.prospects !== null) parts.push(prospects(one.prospects));
  const badge = make("span", { class: "hint-number", "aria-hidden": "true" }, String(number + 1));
  const button = make("button", { type: "button", class: "hint-entry" }, badge, make("span", { class: "hint-words" }, ...parts));
  button.onclick = () => choose(one);
  for (const [event, to] of [["pointerenter", number], ["focus", number], ["pointerleave", -1], ["blur", -1]]) {
    button.addEventListener(event, () => point(to));
  }
  return button;
}

/** A bar, and the same in words. */
function prospects(value) {
  const bar = make("span", { class: "prospects", "aria-hidden": "true" }, make("span", {}));
  bar.firstElementChild.style.inlineSize = `${value}%`;
  return make("span", { class: "hint-prospects" }, bar, fill(strings.prospects, { n: value }));
}

function choose(one) {
  if (one.layout) {
    state.arrange.set(one.layout);
    forget();
    $("tray-ready")?.focus();
  } else if (one.gesture) {
    const gesture = one.gesture;
    forget();
    suggest(gesture);
  }
}

export function forget() {
  if (!given) return;
  given = null;
  vacate(box());
  marks().replaceChildren();
}

// --- On the board ---------------------------------------------------------------------------

/** Make one mark stand out; −1: all are alike. */
function point(number) {
  marks().classList.toggle("is-pointing", number >= 0);
  for (const mark of marks().children) mark.classList.toggle("is-pointed", Number(mark.dataset.hint) === number);
}

const middle = (element) => {
  const frame = page.getBoundingClientRect();
  const found = nodeOf(element)?.getBoundingClientRect();
  if (!found?.width) return null;
  return { x: found.x - frame.x + found.width / 2, y: found.y - frame.y + found.height / 2, top: found.y - frame.y, right: found.right - frame.x };
};

/** Number the places that each hint is about; from place to place an arrow. */
function draw() {
  if (!given) return;
  const frame = page.getBoundingClientRect();
  marks().setAttribute("viewBox", `0 0 ${frame.width} ${frame.height}`);
  marks().style.height = `${frame.height}px`;
  const taken = new Map(); // how many marks a place has already
  marks().replaceChildren(...given.hints.map((one, number) => markOf(one, number, taken)));
}

function markOf(one, number, taken) {
  const group = drawn("g", { class: "hint-mark", "data-hint": number });
  const elements = [...new Set((one.gesture?.s ?? []).flatMap((step) => (Array.isArray(step) ? [step[0]] : elementsOf(step))))];
  const from = elements.length === 2 && $("board").contains(nodeOf(elements[0])) && $("board").contains(nodeOf(elements[1]));
  if (from) arrow(group, middle(elements[0]), middle(elements[1]));
  for (const element of from ? elements.slice(1) : elements) {
    const place = middle(element);
    if (!place) continue;
    const before = taken.get(element) ?? 0;
    taken.set(element, before + 1);
    const at = { x: place.right - 8 - 22 * before, y: place.top + 8 };
    group.append(drawn("circle", { cx: at.x, cy: at.y, r: 11 }), drawn("text", { x: at.x, y: at.y }, String(number + 1)));
  }
  return group;
}

function arrow(group, from, to) {
  if (!from || !to) return;
  const long = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [right, down] = [(to.x - from.x) / long, (to.y - from.y) / long];
  const neck = { x: to.x - 14 * right, y: to.y - 14 * down };
  group.append(
    drawn("line", { x1: from.x, y1: from.y, x2: neck.x, y2: neck.y }),
    drawn("path", { d: `M${to.x} ${to.y}L${neck.x - 8 * down} ${neck.y + 8 * right}L${neck.x + 8 * down} ${neck.y - 8 * right}z` }),
  );
}

addEventListener("resize", draw);
// Another position: what was said there is of no more use.
page.addEventListener("shown", () => (given && given.decision === decision() ? draw() : forget()));
page.addEventListener("undone", forget);
page.addEventListener("acted", forget);
