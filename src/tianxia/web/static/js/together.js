// Looking at a finished game together: who steps, the others follow.

import { stepper } from "./stepper.js";
import { toast } from "./announce.js";
import { fill, page, table, wait } from "./page.js";

const WAIT = 20; // seconds that the server keeps a question open
const PAUSE = 2000; // milliseconds before it is asked again that did not answer
const look = new URLSearchParams(location.search).get("together");
const where = `/api/v1/tables/${encodeURIComponent(table().dataset.table)}/together/${encodeURIComponent(look)}`;
/** @type {RequestInit} */
const CREDENTIALS = { credentials: "same-origin" };

let known = 0; // the number of the newest step that was shown or made here
let version = "";
let following = -1; // the position to which the others lead
let own = Promise.resolve(); // the answers to one's own steps: only they say which step is the newest

/** Show where the others are, unless one has stepped oneself after them. */
async function show({ number, ply, name }) {
  await own;
  if (number <= known) return;
  known = number;
  if (ply === stepper.ply) return;
  following = ply;
  await stepper.to(ply);
  following = -1;
  const words = document.querySelector("[data-together]")?.dataset;
  if (words && version) toast(name ? fill(words.together, { name }) : words.somebody);
}

async function follow() {
  for (;;) {
    try {
      const answer = await fetch(`${where}?version=${version}&wait=${WAIT}`, CREDENTIALS);
      if (answer.status === 404 || answer.status === 409) return; // it was forgotten
      if (!answer.ok) throw new Error(answer.statusText);
      const news = await answer.json();
      await show(news);
      version = news.version;
      page.dataset.together = version; // for tests: how far this page is
    } catch {
      await wait(PAUSE);
    }
  }
}

async function send(ply) {
  const body = JSON.stringify({ ply });
  const answer = await fetch(where, { ...CREDENTIALS, method: "POST", headers: { "Content-Type": "application/json" }, body }).catch(() => null);
  if (answer?.ok) known = Math.max(known, (await answer.json()).number);
}

page.addEventListener("stepped", () => {
  if (stepper.ply === following || !version) return;
  const [before, mine] = [own, send(stepper.ply)];
  own = mine.then(() => before);
});

follow();
