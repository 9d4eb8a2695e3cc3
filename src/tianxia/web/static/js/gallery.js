// The talk of those who watch, as a tab of the table. The server sends it to whoever may read it only.

import { toast } from "./announce.js";
import * as company from "./company.js";
import "./moments.js";
import { heard, renew, toEnd, write } from "./saying.js";
import { $, page, table } from "./page.js";
import * as tabs from "./tabs.js";

const AGAIN = 20000; // milliseconds before a panel is asked for again that did not come
/** @type {RequestInit} */
const JSON_ONLY = { credentials: "same-origin", headers: { Accept: "application/json" } };
const where = `/t/${encodeURIComponent(table().dataset.table)}/gallery`;
const panel = $("tab-panel-gallery");
const lines = () => [...panel.querySelectorAll(".lines > li")].map((line) => line.id);

let asked = false; // for the panel
let pushed = null; // what came before there was a place for it
let read = new Set();
let invited = false; // to look together, and has not seen yet where the link to that is

/** Ask for the panel, as often as somebody may read it who could not before. */
export async function begin() {
  if (panel.childElementCount || asked || !("gallery" in table().dataset)) return;
  asked = true;
  const found = await get(`/panel${location.search}`);
  setTimeout(() => (asked = false) || begin(), found ? 0 : AGAIN);
  if (!found) return;
  panel.innerHTML = found.html;
  read = new Set(lines());
  invited = Boolean(panel.querySelector("[data-open]"));
  tabs.dress();
  if (invited) tabs.invite("gallery");
  company.dress();
  if (pushed) receive(pushed);
}

/** Whoever plays here now reads it no more. */
export function end() {
  panel.replaceChildren();
  pushed = null;
  tabs.dress();
}

async function get(path) {
  const answer = await fetch(where + path, JSON_ONLY).catch(() => null);
  return answer?.ok ? await answer.json().catch(() => null) : null;
}

function receive(news) {
  const log = $("gallery-lines");
  if (!log) pushed = news;
  else if (!news.version) end();
  else if (news.html && news.version !== log.dataset.version) {
    log.dataset.version = news.version;
    renew(log, news.html, { morphStyle: "innerHTML" }, log.id, count);
  }
}

const shown = () => tabs.shown() === "gallery" && !document.hidden;

function count() {
  if (shown()) {
    read = new Set(lines());
    invited = false;
  }
  tabs.count("gallery", Number(invited) + lines().filter((line) => !read.has(line)).length);
}

heard("gallery", receive);
page.addEventListener("tab", () => {
  if (!shown()) return;
  count();
  if ($("gallery-lines")) toEnd("gallery-lines");
});
document.addEventListener("visibilitychange", count);

panel.addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  const problem = $("gallery-problem");
  const sent = { ...JSON_ONLY, method: "POST", body: new URLSearchParams(/** @type {any} */ (new FormData(form))) };
  const answer = await fetch(form.action, sent).catch(() => null);
  const { error, done } = (await answer?.json().catch(() => null)) ?? {};
  const told = answer?.ok ? "" : (error?.text ?? problem.dataset.sorry);
  Object.assign(problem, { textContent: told, hidden: !told });
  const words = form.querySelector("textarea");
  if (!told && words) words.value = ""; // the name stays
  if (problem.dataset[done]) toast(problem.dataset[done]);
  const news = await get(`/lines?version=${encodeURIComponent($("gallery-lines")?.dataset.version ?? "")}`);
  if (news) receive(news); // whom one hears no more is told to nobody, so nothing is pushed
});

write("say-text");
