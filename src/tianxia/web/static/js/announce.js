// What is said: to screen readers, near the board, in the title of the page.

import { $, make, page, strings, yourTurn } from "./page.js";

export const lineNumber = (line) => Number(line.id.slice(4)); // log-12
export const newestLine = () => Math.max(-1, ...[...$("log").querySelectorAll("li[id]")].map(lineNumber));

/** What is new in the log, each thing once: a turn that is new as a whole by its one sentence. */
export function tellings(lines) {
  const fresh = new Set(lines);
  const told = new Set();
  for (const line of lines) {
    const turn = line.closest(".log-turn");
    const whole = turn && [...turn.querySelectorAll("li[id]")].every((one) => fresh.has(one));
    told.add(whole ? turn.querySelector("summary") : line);
  }
  return [...told].map((node) => node.textContent.trim());
}

/** A status without what the lines of the log say already, of sides or of people by name. */
export function unsaid(text, lines) {
  const left = lines.reduce((rest, line) => rest.replace(line.dataset.plain ?? "", "").replace(line.textContent.trim(), ""), text);
  return left.replace(/\s+/g, " ").trim();
}

/** What stands in an element, its paragraphs one after the other. */
export const spoken = (node) => [...node.children].map((part) => part.textContent.trim()).filter(Boolean).join(" ");

const announcer = $("announcer");

/** A dialog shuts out all that lies beneath, for screen readers too: what is said is said within. */
document.addEventListener("focusin", () => {
  const home = document.querySelector("dialog[open]") ?? page;
  if (announcer.parentNode === home) return;
  announcer.replaceChildren(); // nothing is said again
  home.append(announcer);
});

/** Let screen readers say something. */
export function say(text) {
  if (!text) return;
  announcer.append(make("span", {}, text, " "));
  while (announcer.childElementCount > 12) announcer.firstElementChild.remove();
}

/** Tell the style sheet how much room a phone has above the picture or, on its side, under the hand. */
export function measureRoom() {
  const box = (node) => node.getBoundingClientRect();
  const svg = $("board").querySelector("svg");
  const { width, height } = svg?.viewBox.baseVal ?? {};
  const frame = box(svg ?? $("board"));
  const above = frame.top + Math.max(0, frame.height - (frame.width * height) / width) / 2 - box($("board")).top;
  const under = box($("actions")).top - Math.max(...[...document.querySelectorAll("#status, #go, #dock > *, #tray")].map((node) => box(node).bottom));
  const free = Math.max(0, (matchMedia("(orientation: landscape)").matches ? under : above) - 4) || 0;
  page.style.setProperty("--free", `${free}px`);
  return free;
}

const READ = 7000; // milliseconds that something is shown, and longer as long as somebody is at it
let toastTimer = 0;

/** Say something near the board; a refusal names its statement and links to it. */
export function toast(text, { statement = "", link = "", refused = false } = {}) {
  const box = $("toast");
  clearTimeout(toastTimer);
  box.replaceChildren(make("span", {}, text));
  if (statement && link) {
    box.append(" ", make("a", { href: link, target: "_blank", rel: "noopener" }, `${strings.rule} ${statement}`));
  }
  box.classList.toggle("is-refusal", refused);
  box.hidden = false;
  if (announcer.closest("dialog")) say(text);
  box.classList.toggle("has-room", box.offsetHeight + 8 < measureRoom());
  const over = () => (box.matches(":hover, :focus-within") ? (toastTimer = setTimeout(over, 1000)) : hush());
  toastTimer = setTimeout(over, READ);
}

$("toast").addEventListener("click", ({ target }) => target.closest("a") || hush());

export function hush() {
  clearTimeout(toastTimer);
  const box = $("toast");
  if (!box.hidden) Object.assign(box, { hidden: true }).replaceChildren();
}

const plainTitle = document.title;
let unread = 0;

export function badge() {
  const turn = yourTurn() ? `● ${strings.your_turn} · ` : "";
  document.title = `${unread ? `(${unread}) ` : ""}${turn}${plainTitle}`;
  const icon = document.querySelector("link[rel=icon]");
  if (!icon) return;
  icon.dataset.calm ??= icon.getAttribute("href");
  icon.href = yourTurn() ? page.dataset.turnIcon : icon.dataset.calm;
}

/** Show in the title how much of the talk is unread. */
export function setUnread(count) {
  unread = count;
  badge();
}
