// Checking a finished table's chance on its page; the arithmetic is in chance.js.

import { canCheck, check } from "./chance.js";
import { $, fill, make, page, store, strings, table } from "./table.js";

const api = (path) => `/api/v1/tables/${encodeURIComponent(table().dataset.table)}${path}`;
const shelf = () => `seal:${table().dataset.table}`;

/** Remember the seal that this table showed first: a server could show another one later. */
function rememberSeal() {
  const shown = $("chance")?.dataset.seal;
  if (shown && !store.get(shelf(), null)) store.set(shelf(), shown);
}

async function get(path) {
  const answer = await fetch(api(path), { credentials: "same-origin" });
  if (answer.ok) return answer;
  throw new Error((await answer.json()).error?.text);
}

/** The report as the page shows it: a sentence or two, what is wrong, and all draws. */
function written({ draws, problems }) {
  const wrong = problems.filter((problem) => problem.kind === "draw").length;
  const sealed = !problems.some((problem) => ["not_sealed", "other_seal", "other_table"].includes(problem.kind));
  const summary = wrong ? fill(strings.dice_wrong, { n: wrong, total: draws.length })
    : draws.length ? fill(strings.dice_right, { n: draws.length }) : strings.dice_none;
  const heading = make("p", { class: problems.length ? "dice-wrong" : "dice-right" }, `${problems.length ? "✗" : "✓"} ${summary}${sealed ? ` ${strings.dice_seal}` : ""}`);
  const list = make("ul", {}, ...problems.map((problem) => make("li", {}, fill(strings[`dice_${problem.kind}`], problem))));
  return [heading, ...(problems.length ? [list] : []), ...(draws.length ? [listed(draws)] : []), make("p", { class: "hint" }, strings.dice_weights)];
}

function listed(draws) {
  const head = make("tr", {}, ...strings.dice_head.map((title) => make("th", { scope: "col" }, title)));
  const rows = draws.map(({ draw, action, taken, right, weight, total }) =>
    make("tr", { class: right === taken ? "" : "dice-wrong" },
      make("td", {}, String(draw)), make("td", {}, String(action)),
      make("td", {}, `${right === taken ? "✓" : "✗"} ${taken}`), make("td", {}, fill(strings.dice_of, { n: weight, total }))),
  );
  const all = make("div", { class: "dice-all", tabindex: "0", role: "region", "aria-label": strings.dice_all }, make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows)));
  return make("details", {}, make("summary", {}, strings.dice_all), all);
}

async function run() {
  const box = $("dice");
  const tell = (text) => box.replaceChildren(make("p", {}, text));
  if (!canCheck()) return tell(strings.dice_insecure);
  tell(strings.dice_working);
  try {
    const [transcript, chance] = await Promise.all([get("/transcript"), get("/chance")]);
    const seal = store.get(shelf(), null) ?? $("chance").dataset.seal;
    box.replaceChildren(...written(await check(await transcript.text(), await chance.json(), seal)));
  } catch (error) {
    tell(error.message || strings.sorry);
  }
}

page.addEventListener("click", (event) => event.target.closest("[data-dice]") && run());
rememberSeal();
