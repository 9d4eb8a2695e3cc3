// Whoever still looks at a finished game of a tournament is told when the next one begins: it does not wait for long.

const call = document.getElementById("round-call");
const PAUSE = 3000;
const table = () => document.getElementById("table");
const pause = () => new Promise((done) => setTimeout(done, PAUSE));

/** Wait for the table of the next round; it says that it is there, and leads to it. */
async function wait() {
  let known = "";
  while (table().dataset.viewer) {
    await pause();
    if (table().dataset.status !== "over") continue;
    try {
      const query = new URLSearchParams(known ? { known, wait: "20" } : {});
      const answer = await fetch(`/api/v1${call.dataset.cup}?${query}`, { credentials: "same-origin" });
      if (!answer.ok) continue;
      const cup = await answer.json();
      known = cup.version;
      if (cup.table && cup.table !== table().dataset.table) return tell(cup.table);
      if (cup.status !== "playing") return;
    } catch {
      // The next time will tell.
    }
  }
}

function tell(next) {
  call.querySelector("a").href = `/t/${encodeURIComponent(next)}`;
  call.hidden = false;
  document.title = `● ${document.title}`;
}

wait();
