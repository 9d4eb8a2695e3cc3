// Checking a finished table's chance on its page; loaded when somebody wants it. The arithmetic
// is in chance.js.

import { canCheck, check } from "./chance.js";
import { kept } from "./seed.js";
import { $, fill, make, table } from "./page.js";
import { firstSeal } from "./settings.js";

let strings;
const api = (path) => `/api/v1/tables/${encodeURIComponent(table().dataset.table)}${path}`;

async function get(path) {
  const answer = await fetch(path, { credentials: "same-origin" });
  if (answer.ok) return answer;
  throw new Error((await answer.json()).error?.text);
}

/** The report as the page shows it: a sentence or two, what is wrong, and all draws. */
function written({ draws, problems }) {
  const wrong = problems.filter((problem) => problem.kind === "draw").length;
  const sealed = !problems.some((problem) => ["not_sealed", "other_seal", "other_table"].includes(problem.kind));
  const summary = wrong ? fill(strings.wrong, { n: wrong, total: draws.length })
    : draws.length ? fill(strings.right, { n: draws.length }) : strings.none;
  const heading = make("p", { class: problems.length ? "dice-wrong" : "dice-right" }, `${problems.length ? "✗" : "✓"} ${summary}${sealed ? ` ${strings.seal}` : ""}`);
  const list = make("ul", {}, ...problems.map((problem) => make("li", {}, fill(strings[problem.kind], problem))));
  return [heading, ...(problems.length ? [list] : []), ...(draws.length ? [listed(draws)] : []), make("p", { class: "hint" }, strings.weights)];
}

function listed(draws) {
  const head = make("tr", {}, ...strings.head.map((title) => make("th", { scope: "col" }, title)));
  const rows = draws.map(({ draw, action, taken, right, weight, total }) =>
    make("tr", { class: right === taken ? "" : "dice-wrong" },
      make("td", {}, String(draw)), make("td", {}, String(action)),
      make("td", {}, `${right === taken ? "✓" : "✗"} ${taken}`), make("td", {}, fill(strings.of, { n: weight, total }))),
  );
  const all = make("div", { class: "dice-all", tabindex: "0", role: "region", "aria-label": strings.all }, make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows)));
  return make("details", {}, make("summary", {}, strings.all), all);
}

/** Check every draw, and tell what was found. */
export async function run() {
  const box = $("dice");
  const tell = (text) => box.replaceChildren(make("p", {}, text));
  try {
    strings ??= await (await get("/words/dice")).json();
    if (!canCheck()) return tell(strings.insecure);
    tell(strings.working);
    const [transcript, chance] = await Promise.all([get(api("/transcript")), get(api("/chance"))]);
    box.replaceChildren(...written(await check(await transcript.text(), await chance.json(), firstSeal(), kept(table().dataset.table))));
  } catch (error) {
    tell(error.message);
  }
}
