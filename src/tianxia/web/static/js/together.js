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
let following = false;
let stepping = 0; // own steps on their way

/** Show where the others are, unless one has stepped oneself meanwhile. */
async function show({ number, ply, name }) {
  if (stepping || number <= known) return;
  known = number;
  if (ply === stepper.ply) return;
  following = true;
  await stepper.to(ply);
  following = false;
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

page.addEventListener("stepped", async () => {
  if (following || !version) return;
  stepping += 1;
  const body = JSON.stringify({ ply: stepper.ply });
  const answer = await fetch(where, { ...CREDENTIALS, method: "POST", headers: { "Content-Type": "application/json" }, body }).catch(() => null);
  stepping -= 1;
  if (answer?.ok) known = Math.max(known, (await answer.json()).number);
});

follow();
