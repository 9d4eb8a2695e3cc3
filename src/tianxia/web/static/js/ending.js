// The end of a game: shown over the board once its last step has been told, and when asked for.

import { Idiomorph } from "../vendor/idiomorph.esm.js";
import { ask } from "./happenings.js";
import { $, make, page, table } from "./page.js";
import { failed } from "./sending.js";
import { store } from "./settings.js";

const REMEMBERED = 60; // tables of which this browser has seen the end
const box = $("ending");
let drawn = ""; // the version of the table that it belongs to
let from = null; // where the keys were

const styled = new Promise((done) => {
  const sheet = make("link", { rel: "stylesheet", href: new URL("../css/ending.css", import.meta.url).href });
  sheet.onload = sheet.onerror = done;
  document.head.append(sheet);
});

/** Show the end of the game; without being `asked` for only once in this browser. */
export async function tell(asked) {
  const { table: id } = table().dataset;
  const seen = store.get("ends", []);
  if (!asked && (!box.hidden || seen.includes(id) || /^#ply-/.test(location.hash))) return;
  if (!(await fetched())) return;
  if (table().dataset.ply && !asked) return; // somebody looks back already
  store.set("ends", [...seen.filter((one) => one !== id), id].slice(-REMEMBERED));
  from = document.activeElement;
  box.hidden = false;
  if (!from?.matches("input, textarea")) $("ending-title").focus({ preventScroll: true });
}

/** Fetch what is shown, unless it is here. */
async function fetched() {
  const { version } = table().dataset;
  if (version === drawn) return true;
  const [answer] = await Promise.all([ask("GET", "/end", undefined, { calmly: true }), styled]);
  if (!answer.ok) {
    failed(answer, () => tell(true));
    return false;
  }
  drawn = version;
  const inside = box.contains(document.activeElement);
  Idiomorph.morph(box, answer.body.html, { morphStyle: "innerHTML" });
  // The button that asked for a review is gone: the keyboard stays in the result.
  if (inside && !box.contains(document.activeElement)) $("ending-title").focus({ preventScroll: true });
  return true;
}

function close() {
  if (box.hidden) return;
  const inside = box.contains(document.activeElement);
  box.hidden = true;
  if (inside) (from?.isConnected && from !== document.body ? from : $("end-open"))?.focus({ preventScroll: true });
}

box.addEventListener("click", (event) => {
  const button = event.target.closest("button, a");
  if (!button) return;
  if (button.dataset.tab) page.addEventListener("tab", () => $("chances-title").focus(), { once: true });
  if (button.dataset.ending || button.dataset.tab || button.dataset.look) close();
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || box.hidden || event.target.closest("dialog, textarea, [popover]")) return;
  event.preventDefault();
  close();
}, true);

// The review goes on, somebody asks for a rematch; or one looks back, and wants to see the board.
page.addEventListener("shown", () => {
  if (box.hidden) return;
  if (table().dataset.ply) close();
  else fetched();
});
