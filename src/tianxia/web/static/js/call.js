// Whoever waits for somebody is called, on whatever page of ours they are. Does nothing for all others.

const KEY = "tianxia-seek";
const SOON = 20000; // milliseconds until a bot is offered meanwhile
const PAUSE = 3000;
const place = document.querySelector("[data-seek]");
const words = document.getElementById("call");
const kept = () => {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
};
const keep = (id) => {
  try {
    if (id) localStorage.setItem(KEY, id);
    else localStorage.removeItem(KEY);
  } catch {
    // then only the page that waits is told
  }
};

function call(table) {
  keep(null);
  const address = `/t/${encodeURIComponent(table)}`;
  if (place) return location.assign(address);
  if (!words || location.pathname === address) return;
  words.querySelector("a").href = address;
  words.hidden = false;
  document.title = `● ${document.title}`;
}

async function wait(id) {
  for (;;) {
    try {
      const answer = await fetch(`/api/v1/lobby/seeks/${encodeURIComponent(id)}?wait=20`, { credentials: "same-origin" });
      if (answer.status === 429 || answer.status >= 500) throw new Error("again");
      if (!answer.ok) return keep(null);
      const { table } = await answer.json();
      if (table) return call(table);
    } catch {
      await new Promise((done) => setTimeout(done, PAUSE));
    }
  }
}

if (place) {
  keep(place.dataset.seek);
  setTimeout(() => (document.getElementById("meanwhile").hidden = false), SOON);
  document.querySelector("[data-give-up]").addEventListener("click", () => keep(null));
}
const id = place?.dataset.seek ?? kept();
if (id) wait(id);
