// Forms that open something: sent once, and never silently.

import { promised } from "./seed.js";
import { begin, isAway, request, tell } from "./waiting.js";

let sending = null;
let lost = null; // what was sent and not answered: sent again, with its promise, it makes no second table

async function send(form, button) {
  if (sending) return;
  const mine = (sending = begin(button));
  const wish = JSON.stringify([form.action, ...new FormData(form)]);
  const promise = lost?.wish === wish ? lost.promise : await promised();
  const fields = { ...Object.fromEntries(new FormData(form)), ...promise };
  // Who was never here has no token for a form yet: other sites cannot send JSON either.
  const json = { headers: { "Content-Type": "application/json" }, body: JSON.stringify(fields) };
  const { play } = form.dataset;
  const answer = await request(play ?? form.action, { method: "POST", ...(play ? json : { body: new URLSearchParams(fields) }) });
  if (answer.ok && answer.body.table) return location.assign(`/t/${encodeURIComponent(answer.body.table)}`);
  mine.end();
  sending = null;
  lost = isAway(answer) && promise.promise ? { wish, promise } : null;
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
