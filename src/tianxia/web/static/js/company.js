// Who is at the table: marks at the seats, who watches, and who looks at a finished game together.

import { say, toast } from "./announce.js";
import { $, fill, make, page, strings, table } from "./page.js";

const PATIENCE = 5000; // milliseconds in which somebody may come back before they count as gone
const DAY = 86400; // seconds on a clock by mail, where nobody stays
let company = null;
const going = new Map(); // by seat, what will say that its person is gone

const isHere = (seat) => company.seats.includes(seat) || going.has(seat);
const live = (seat) => table().dataset.status === "playing" && !(Number($(`seat-${seat}`)?.querySelector(".clock")?.dataset.left) >= DAY);
const nameOf = (seat) => ($(`here-${seat}`)?.closest(".seat-who").querySelector(".seat-name, .seat-side").textContent ?? "").trim();

function tell(words, seat, how) {
  const name = nameOf(seat);
  if (name && live(seat)) how(fill(words, { name }));
}

function receive(news) {
  const before = company?.seats ?? [];
  company = news;
  for (const seat of before.filter((one) => !news.seats.includes(one))) going.set(seat, setTimeout(() => gone(seat), PATIENCE));
  for (const seat of news.seats) {
    const known = going.has(seat) || before.includes(seat);
    clearTimeout(going.get(seat));
    going.delete(seat);
    if (!known && $(`here-${seat}`)?.dataset.gone) tell(strings.came_back, seat, say);
  }
  dress();
}

function gone(seat) {
  going.delete(seat);
  tell(strings.went, seat, toast);
  dress();
  const mark = $(`here-${seat}`);
  if (mark) mark.dataset.gone = "";
}

/** Put names and a number of others into one sentence. */
function listed(names, others, words) {
  if (others) names = [...names, fill(others === 1 ? words.one : words.many, { n: others })];
  return names.join(", ");
}

function mark(node) {
  const here = isHere(Number(node.dataset.here));
  const words = here ? strings.here : strings.away;
  if (node.title === words) return;
  node.classList.toggle("is-here", here);
  node.title = words;
  node.replaceChildren(make("span", { class: "visually-hidden" }, words));
  if (here) delete node.dataset.gone;
}

/** Show all of it in the places that the page has for it now. */
export function dress() {
  if (!company) return;
  page.querySelectorAll("[data-here]").forEach(mark);
  const { names, guests, looking, others } = company;
  const found = { watching: listed(names, guests, strings.guests), looking: listed(looking, others, strings.others) };
  for (const place of page.querySelectorAll("[data-company]")) {
    const who = found[place.dataset.company];
    const text = who && fill(strings[place.dataset.company], { who });
    if (place.textContent !== text) place.textContent = text;
  }
}

page.addEventListener("company", (event) => receive(event.detail));
page.addEventListener("shown", dress);
