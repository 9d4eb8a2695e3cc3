// Forms that open something: sent once, and never silently.

import { promised } from "./seed.js";
import { begin, isAway, request, tell } from "./waiting.js";

let sending = null;

async function send(form, button) {
  if (sending) return;
  const mine = (sending = begin(button));
  const body = new URLSearchParams(new FormData(form));
  for (const [name, value] of Object.entries(await promised())) body.set(name, value);
  const answer = await request(form.action, { method: "POST", body });
  if (answer.ok && answer.body.table) return location.assign(`/t/${encodeURIComponent(answer.body.table)}`);
  mine.end();
  sending = null;
  tell(answer.body.error?.text ?? "", isAway(answer) ? () => send(form, button) : null);
}

document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-send]")) return;
  event.preventDefault();
  send(event.target, event.submitter ?? event.target.querySelector("button"));
});

addEventListener("pageshow", () => {
  sending?.end();
  sending = null;
});
