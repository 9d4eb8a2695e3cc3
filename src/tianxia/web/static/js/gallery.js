// The talk of those who watch, as a tab of the table. The server sends it to whoever may read it only.

import { Idiomorph } from "../vendor/idiomorph.esm.js";
import { $, page, table, tabs } from "./table.js";

const SHOWN = 3000; // milliseconds between two looks while it is in sight,
const HIDDEN = 20000; // and while it is not
const JSON_ONLY = { credentials: "same-origin", headers: { Accept: "application/json" } };
const where = `/t/${encodeURIComponent(table().dataset.table)}/gallery`;
const panel = $("tab-panel-gallery");
const lines = () => [...panel.querySelectorAll(".lines > li")].map((line) => line.id);

let version = "";
let timer = 0;
let read = new Set();

/** Ask for the panel, as often as somebody may read it who could not before. */
export async function begin() {
  if (panel.childElementCount || timer) return;
  timer = setTimeout(look, HIDDEN);
  const found = await get(`/panel${location.search}`);
  if (!found) return;
  panel.innerHTML = found.html;
  read = new Set(lines());
  tabs.dress();
  if (panel.querySelector("[data-open]")) tabs.invite("gallery");
  page.dispatchEvent(new Event("gallery"));
}

async function get(path) {
  try {
    const answer = await fetch(where + path, JSON_ONLY);
    if (answer.status === 409) end();
    return answer.ok ? await answer.json() : null;
  } catch {
    return null; // the next look will tell
  }
}

/** Whoever plays here now reads it no more. */
function end() {
  panel.replaceChildren();
  tabs.dress();
}

const shown = () => tabs.shown() === "gallery" && !document.hidden;

async function look() {
  clearTimeout(timer);
  if (!document.hidden && $("gallery-lines")) {
    const news = await get(`/lines?version=${encodeURIComponent(version)}`);
    if (news) {
      version = news.version;
      if (news.html && $("gallery-lines")) Idiomorph.morph($("gallery-lines"), news.html, { morphStyle: "innerHTML" });
      count();
    }
  }
  timer = setTimeout(look, shown() ? SHOWN : HIDDEN);
}

function count() {
  if (shown()) read = new Set(lines());
  tabs.count("gallery", lines().filter((line) => !read.has(line)).length);
}

page.addEventListener("tab", () => {
  if (!shown()) return;
  count();
  look();
});

panel.addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  const problem = $("gallery-problem");
  const sent = { ...JSON_ONLY, method: "POST", body: new URLSearchParams(new FormData(form)) };
  const answer = await fetch(form.action, sent).catch(() => null);
  const told = answer?.ok ? "" : ((await answer?.json().catch(() => null))?.error?.text ?? problem.dataset.sorry);
  Object.assign(problem, { textContent: told, hidden: !told });
  if (!told) form.querySelector("textarea")?.form.reset();
  look();
});

panel.addEventListener("keydown", (event) => {
  if (event.target.id !== "say-text" || event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  event.target.form.requestSubmit();
});
