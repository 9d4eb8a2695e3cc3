// The editor of boards: what was done and undone, what the server says of it, saving, links and files.
// How a board is drawn by hand is its tool's: a module `draw-….js` that gets `bench` and returns `drawn`; how it is looked at, `draw-view.js`.

import { node } from "./draw-nodes.js";
import { viewOf } from "./draw-view.js";
import { quiet, request, tell } from "./waiting.js";

/** @typedef {Record<string, any>} Board */
/** @typedef {{ board: Board, faults: { text: string, elements: string[] }[], play: string, svg?: string }} Checked */

/** @param {string} id */
const $ = (id) => /** @type {any} */ (document.getElementById(id));
const page = $("draw");
const strings = JSON.parse($("strings").textContent);
const state = JSON.parse($("state").textContent);
const JSON_BODY = { "Content-Type": "application/json" };
const API = "/api/v1/boards";

/** @type {Checked} */
let checked = state.checked;
/** @type {Board} */
let board = checked.board;
let id = state.id;
let draft = `tianxia:draft:${location.pathname}`;
const FAULTS = 5; // that are shown at a time
const RULE = / ?\(([A-Z]+-\d+\w?)\)/;
let asked = 0;
let timer = 0;
let leaving = false;
/** @type {string[]} */
const past = [];
/** @type {string[]} */
let future = [];

const copy = () => JSON.parse(JSON.stringify(board));

/** Change the board: `next` is what it becomes. @param {Board} next */
function change(next) {
  past.push(JSON.stringify(board));
  future = [];
  adopt(next);
}

/** @param {Board} next */
function adopt(next) {
  board = next;
  quiet();
  $("saved").textContent = strings.changed;
  keepDraft(JSON.stringify(next));
  tool?.drawn();
  showUndo();
  $("play").setAttribute("aria-disabled", "true");
  $("faults").setAttribute("aria-busy", "true");
  clearTimeout(timer);
  timer = setTimeout(check, tool?.pause ?? 0);
}

/** @param {string[]} from @param {string[]} to */
function back(from, to) {
  const text = from.pop();
  if (text === undefined) return;
  to.push(JSON.stringify(board));
  adopt(JSON.parse(text));
}

/** @param {string} path @param {any} body */
const post = (path, body) => request(path, { method: "POST", headers: JSON_BODY, body: JSON.stringify(body) });

/** Ask the server what is wrong, and how it looks; only the newest answer counts. */
async function check() {
  const mine = ++asked;
  const text = JSON.stringify(board);
  const answer = await post(`${API}/check`, { board });
  await bench.view.free(); // a new picture under what is pressed would take its click away
  if (mine !== asked || text !== JSON.stringify(board)) return;
  $("faults").setAttribute("aria-busy", "false");
  if (!answer.ok) return tell(answer.body.error?.text ?? strings.sorry, answer.status ? null : check);
  checked = answer.body;
  const held = $("board").contains(document.activeElement);
  $("board").innerHTML = checked.svg;
  bench.view.show();
  show();
  if (held) tool?.hold?.();
}

/** Show what is known of the board. */
function show() {
  const { faults } = checked;
  const lines = faults.slice(0, FAULTS).map(faultLine);
  if (faults.length > FAULTS) lines.push(line(strings.more.replace("{n}", String(faults.length - FAULTS))));
  if (!lines.length) lines.push(line(strings.fine, "is-fine"));
  $("faults").replaceChildren(...lines);
  const play = $("play");
  if (checked.play) play.href = checked.play;
  else play.removeAttribute("href");
  play.setAttribute("aria-disabled", String(!checked.play));
  showUndo();
  if (document.activeElement !== $("title")) $("title").value = board.title ?? "";
  tool?.drawn();
  page.dataset.checked = String(asked);
}

function showUndo() {
  $("undo").disabled = !past.length;
  $("redo").disabled = !future.length;
}

const line = (/** @type {string} */ text, className = "") => node("p", { textContent: text, className });

/** What is wrong; where it can be seen on the board, a button that shows it. @param {{ text: string, elements: string[] }} fault */
function faultLine({ text, elements }) {
  const rule = text.match(RULE)?.[1];
  const said = text.replace(RULE, "");
  const place = line(elements.length ? "" : said);
  if (elements.length) place.append(node("button", { type: "button", className: "draw-fault", textContent: said, title: strings.where, onclick: () => bench.view.seek(elements) }));
  if (rule) place.append(" ", node("a", { href: `/rules/${page.dataset.game}#${rule}`, target: "_blank", rel: "noopener", textContent: `${strings.rule} ${rule}` }));
  return place;
}

/** What is not saved outlives a page that is loaded anew, as phones do of themselves. @param {string} text */
function keepDraft(text) {
  try {
    if (text) sessionStorage.setItem(draft, text);
    else sessionStorage.removeItem(draft);
  } catch {
    // a browser that keeps nothing
  }
}

function foundDraft() {
  try {
    return JSON.parse(sessionStorage.getItem(draft) ?? "null");
  } catch {
    return null;
  }
}

// --- Saving, links, files -------------------------------------------------------------------

async function save() {
  const answer = await post(API, { board, id });
  if (!answer.ok) return tell(answer.body.error?.text ?? strings.sorry, answer.status ? null : save);
  id = answer.body.id;
  keepDraft("");
  history.replaceState(null, "", `/boards/${id}`);
  draft = `tianxia:draft:${location.pathname}`;
  $("saved").textContent = strings.saved;
  link();
}

function link() {
  $("link-field").hidden = $("share").hidden = !id;
  $("link").value = id ? `${location.origin}/boards/${id}` : "";
}

async function share() {
  const url = $("link").value;
  if (navigator.share && matchMedia("(pointer: coarse)").matches) return navigator.share({ url, title: document.title }).catch(() => {});
  $("link").select();
  try {
    await navigator.clipboard.writeText(url);
    $("saved").textContent = strings.copied;
  } catch {
    // it is marked, to be copied by hand
  }
}

function exportFile() {
  const blob = new Blob([JSON.stringify(board, null, 1)], { type: "application/json" });
  const name = (board.title || "board").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-");
  const link = node("a", { href: URL.createObjectURL(blob), download: `${page.dataset.game}-${name}.json` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Take a file over if it holds a board; whatever is wrong with it changes nothing. @param {File} file */
async function importFile(file) {
  let read;
  try {
    read = JSON.parse(await file.text());
  } catch {
    return tell(strings.no_file);
  }
  const answer = await post(`${API}/check`, { board: read });
  if (!answer.ok) return tell(answer.body.error?.text ?? strings.sorry);
  if (answer.body.board.game !== page.dataset.game) return tell(strings.no_file);
  change(answer.body.board);
}

// --- The page -------------------------------------------------------------------------------

/**
 * @type {{ drawn: () => void, pause?: number, hold?: () => void, key?: (event: KeyboardEvent) => void,
 *   grab?: (event: PointerEvent) => any, pinch?: (from: any, to: any) => boolean } | undefined}
 */
let tool;
const bench = {
  $, page, strings, tools: state.tools, change, copy, say: tell,
  view: viewOf($, { grab: (event) => tool?.grab?.(event) ?? null, pinch: (from, to) => tool?.pinch?.(from, to) ?? false }),
  get board() { return board; },
  get faults() { return checked.faults; },
};

async function begin() {
  const made = await import(page.dataset.tool);
  tool = made.default(bench);
  $("undo").onclick = () => back(past, future);
  $("redo").onclick = () => back(future, past);
  for (const [at, start] of state.starts.entries()) $("start").add(new Option(start.label, String(at)));
  $("start").onchange = () => {
    if ($("start").value) change({ ...copy(), ...state.starts[$("start").value].board, title: board.title ?? "" });
    $("start").value = "";
  };
  $("title").onchange = () => change({ ...copy(), title: $("title").value });
  $("save").onclick = save;
  $("share").onclick = share;
  $("export").onclick = exportFile;
  $("import").onchange = () => {
    const [file] = $("import").files;
    $("import").value = "";
    if (file) importFile(file);
  };
  document.addEventListener("keydown", (event) => {
    if (event.target instanceof Element && event.target.matches("input:not([type=radio]), select, textarea")) return;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") {
      event.preventDefault();
      return event.shiftKey ? back(future, past) : back(past, future);
    }
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "y") {
      event.preventDefault();
      return back(future, past);
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    bench.view.key(event);
    tool?.key?.(event);
  });
  link();
  show();
  const kept = foundDraft();
  if (kept) change(kept);
  page.dataset.ready = "";
}

$("play").onclick = () => (leaving = true); // the draft is there when they come back
addEventListener("beforeunload", (event) => {
  if (!leaving && $("saved").textContent === strings.changed) event.preventDefault();
});

begin();
