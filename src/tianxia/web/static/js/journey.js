// What is chosen is to go further than one action takes it: how many, and then all at once.

import { hush, say } from "./announce.js";
import { ask } from "./happenings.js";
import { inquire, light } from "./meaning.js";
import { $, pressed } from "./page.js";
import { act, failed, refuse } from "./sending.js";
import { decision } from "./state.js";

/** Ask how many go from one element to another, and send them. */
export async function offer(origin, target) {
  hush();
  const query = new URLSearchParams({ origin, target });
  const answer = await ask("GET", `/journeys?${query}`);
  if (!answer.ok) return failed(answer);
  if (answer.body.decision !== decision()) return; // the table has moved on
  const { journeys, question } = answer.body;
  if (!journeys.length) return refuse([origin, target]);
  light();
  const buttons = journeys.map((one) => pressed([one.number, one.told].filter(Boolean).join(" · "), () => go(one), { class: "button primary journey", title: one.label, "aria-label": one.label }));
  inquire("journeys", question, buttons);
  buttons[0].focus({ preventScroll: true });
  say(question);
}

function go(journey) {
  $("choice").hidden = true;
  act(journey.actions);
}
