// Each player's own part of chance: made at random in this browser, once the table's seal was seen.
// The server has chosen its secret by then, so neither side can choose what comes of both.

const BYTES = 16;
const KEY = "tianxia-seeds";
const KEPT = 200;

export const random = () => Array.from(crypto.getRandomValues(new Uint8Array(BYTES)), (byte) => byte.toString(16).padStart(2, "0")).join("");

const all = () => JSON.parse(localStorage.getItem(KEY) ?? "{}");

/** Remember the seal that was shown and the seed that was added, to compare them at the end. */
function keep(table, seal, seed) {
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries([...Object.entries(all()), [table, { seal, seed }]].slice(-KEPT))));
  } catch {
    // Then "tianxia verify" is what checks it.
  }
}

/** What this browser has added at a table, and under which seal; null where it has not. */
export function kept(table) {
  try {
    return all()[table] ?? null;
  } catch {
    return null;
  }
}

/** A seed for a table whose seal this page shows. */
export function seedFor(table, seal) {
  const seed = random();
  keep(table, seal, seed);
  return seed;
}

/** Ask for a table to come, and return what makes it with a seed of one's own. */
export async function promised() {
  try {
    const answer = await fetch("/promise", { method: "POST" });
    if (!answer.ok) return {};
    const { promise, hash } = await answer.json();
    return { promise, seed: seedFor(promise, hash) };
  } catch {
    return {}; // the request that follows says what is wrong
  }
}

let asked = "";
/** Add a seed where the table waits for one; whoever's does not arrive would count as absent, so it is sent again. */
async function add() {
  const id = document.querySelector(".table")?.dataset.wantsSeed;
  if (!id || asked === id) return;
  asked = id;
  const seed = kept(id)?.seed ?? seedFor(id, document.querySelector("[data-seal]")?.dataset.seal ?? "");
  const answer = await fetch(`/t/${encodeURIComponent(id)}/seed`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ seed }) }).catch(() => null);
  if (!(answer?.status < 429)) setTimeout(() => (asked = "") || add(), 3000);
}

const page = document.getElementById("table-page");
if (page) {
  new MutationObserver(add).observe(page, { childList: true, subtree: true, attributeFilter: ["data-wants-seed"] });
  add();
}
