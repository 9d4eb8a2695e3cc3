// Each player's own part of chance: made at random in this browser, once the table's seal was seen.
// The server has chosen its secret by then, so neither side can choose what comes of both.

const BYTES = 16;
const KEY = "tianxia-seeds";
const KEPT = 200;

export const random = () => Array.from(crypto.getRandomValues(new Uint8Array(BYTES)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Remember the seal that was shown and the seed that was added, to compare them at the end. */
function keep(table, seal, seed) {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    kept[table] = { seal, seed };
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(Object.entries(kept).slice(-KEPT))));
  } catch {
    // Then "tianxia verify" is what checks it.
  }
}

/** What this browser has added at a table, and under which seal; null where it has not. */
export function kept(table) {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}")[table] ?? null;
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
    const answer = await fetch("/promise", { method: "POST", credentials: "same-origin", headers: { Accept: "application/json" } });
    if (!answer.ok) return {};
    const { promise, hash } = await answer.json();
    return { promise, seed: seedFor(promise, hash) };
  } catch {
    return {}; // the request that follows says what is wrong
  }
}

let asked = "";
/** Add a seed where the table waits for one. */
function add() {
  const place = document.querySelector(".table[data-wants-seed]");
  if (!place || asked === place.dataset.wantsSeed) return;
  asked = place.dataset.wantsSeed;
  const seed = seedFor(asked, document.querySelector("[data-seal]")?.dataset.seal ?? "");
  /** @type {RequestInit} */
  const how = { method: "POST", credentials: "same-origin", headers: { "Content-Type": "application/json", Accept: "application/json" }, body: JSON.stringify({ seed }) };
  fetch(`/t/${encodeURIComponent(asked)}/seed`, how).catch(() => (asked = ""));
}

const page = document.getElementById("table-page");
if (page) {
  new MutationObserver(add).observe(page, { childList: true, subtree: true, attributes: true, attributeFilter: ["data-wants-seed"] });
  add();
}
