// Clocks at the seats: what the server has said of each, counted on from there. The server alone
// decides when a flag falls. Also asks now and then how long messages are on the way, so that
// this can be forgiven, and whether somebody has been silent for so long that nobody need wait.

const DAY = 86400;
const LOW = 20; // seconds from which on a clock is marked
const TICK = 200; // milliseconds
const SYNC = 20000;

const table = () => document.getElementById("table");
let ahead = 0; // seconds by which the server's clock is ahead of ours
let watched = null;

const now = () => Date.now() / 1000 + ahead;
const two = (number) => String(number).padStart(2, "0");

function words(seconds, running) {
  const whole = Math.floor(seconds);
  if (whole >= DAY) return null; // the server's words will do
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  if (hours) return `${hours}:${two(minutes)}:${two(rest)}`;
  const tenths = running && seconds < LOW ? `.${Math.floor((seconds * 10) % 10)}` : "";
  return `${minutes}:${two(rest)}${tenths}`;
}

function show() {
  for (const clock of document.querySelectorAll(".clock")) {
    const { left, falls } = clock.dataset;
    const seconds = Math.max(0, falls ? Math.min(Number(falls) - now(), Number(left)) : Number(left));
    const text = words(seconds, Boolean(falls));
    if (text && clock.textContent !== text) clock.textContent = text;
    clock.classList.toggle("is-running", Boolean(falls));
    clock.classList.toggle("is-low", Boolean(falls) && seconds < LOW);
  }
}

async function sync() {
  const page = table();
  if (!page || page.dataset.status !== "playing" || document.hidden) return;
  const silence = document.getElementById("silence");
  if (!silence && !document.querySelector(".clock")) return;
  const begun = performance.now();
  try {
    const answer = await fetch(`/t/${page.dataset.table}/clock`, { credentials: "same-origin", headers: { Accept: "application/json" } });
    if (!answer.ok) return;
    const took = performance.now() - begun;
    const { now: theirs, wishes } = await answer.json();
    ahead = theirs + took / 2000 - Date.now() / 1000;
    document.cookie = `tianxia_lag=${Math.min(1000, Math.round(took))}; path=/t/; samesite=lax`;
    if (silence) {
      for (const button of silence.querySelectorAll("[data-wish]")) button.hidden = !wishes.includes(button.dataset.wish);
      silence.hidden = wishes.length === 0;
    }
  } catch {
    // the page says itself when the connection is lost
  }
}

function watch() {
  if (table() !== watched) {
    watched = table();
    if (watched) new MutationObserver(show).observe(watched, { childList: true, subtree: true, attributeFilter: ["data-left", "data-falls"] });
  }
  show();
}

watch();
setInterval(watch, TICK);
setInterval(sync, SYNC);
document.addEventListener("visibilitychange", sync);
sync();
