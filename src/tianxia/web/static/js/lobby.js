// The lists of the lobby and of tournaments, drawn again while somebody looks at them; what has the focus keeps it.

import { Idiomorph } from "../vendor/idiomorph.esm.js";

const EVERY = 3000;
const lists = document.getElementById("lists");
let version = "";

async function refresh() {
  if (document.hidden) return;
  const query = new URLSearchParams(lists.dataset.query);
  query.set("version", version);
  try {
    const answer = await fetch(`${lists.dataset.source}?${query}`, { credentials: "same-origin", headers: { Accept: "application/json" } });
    if (!answer.ok) return;
    const news = await answer.json();
    version = news.version;
    if (news.html) Idiomorph.morph(lists, news.html, { morphStyle: "innerHTML" });
  } catch {
    // The next one will tell.
  }
}

setInterval(refresh, EVERY);
document.addEventListener("visibilitychange", refresh);
