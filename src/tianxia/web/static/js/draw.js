// The editor of boards: what was done and undone, what the server says of it, saving, links and files.
// How a board is drawn by hand is its tool's: a module `draw-….js` that gets `bench` and returns `drawn`.

import { request, tell } from "./waiting.js";

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
const FAULTS = 5; // that are shown at a time
let asked = 0;
let timer = 0;
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
  $("saved").textContent = strings.changed;
  tool?.drawn();
  $("play").setAttribute("aria-disabled", "true");
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
  if (mine !== asked || text !== JSON.stringify(board)) return;
  if (!answer.ok) return tell(answer.body.error?.text ?? strings.sorry, answer.status ? null : check);
  checked = answer.body;
  const held = $("board").contains(document.activeElement);
  $("board").innerHTML = checked.svg;
  show();
  if (held) tool?.hold?.();
}

/** Show what is known of the board. */
function show() {
  const { faults } = checked;
  const lines = faults.slice(0, FAULTS).map((fault) => line(fault.text));
  if (faults.length > FAULTS) lines.push(line(strings.more.replace("{n}", String(faults.length - FAULTS))));
  if (!lines.length) lines.push(line(strings.fine, "is-fine"));
  $("faults").replaceChildren(...lines);
  const play = $("play");
  if (checked.play) play.href = checked.play;
  else play.removeAttribute("href");
  play.setAttribute("aria-disabled", String(!checked.play));
  $("undo").disabled = !past.length;
  $("redo").disabled = !future.length;
  if (document.activeElement !== $("title")) $("title").value = board.title ?? "";
  tool?.drawn();
  page.dataset.checked = String(asked);
}

/** @param {string} text */
function line(text, className = "") {
  return Object.assign(document.createElement("p"), { textContent: text, className });
}

/** A button of the tools. @param {string} label @param {() => void} act */
function button(label, act, attributes = {}) {
  const node = document.createElement("button");
  Object.assign(node, { type: "button", className: "button draw-tool", textContent: label, onclick: act }, attributes);
  return node;
}

// --- Saving, links, files -------------------------------------------------------------------

async function save() {
  const answer = await post(API, { board, id });
  if (!answer.ok) return tell(answer.body.error?.text ?? strings.sorry, answer.status ? null : save);
  id = answer.body.id;
  history.replaceState(null, "", `/boards/${id}`);
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
  const node = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: `${page.dataset.game}-${name}.json` });
  node.click();
  setTimeout(() => URL.revokeObjectURL(node.href), 10_000);
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

const bench = {
  $, page, strings, tools: state.tools, button, change, copy, say: tell,
  get board() { return board; },
  get faults() { return checked.faults; },
};
/** @type {{ drawn: () => void, pause?: number, hold?: () => void, key?: (event: KeyboardEvent) => void } | undefined} */
let tool;

async function begin() {
  const made = await import(page.dataset.tool);
  const undo = button(strings.undo, () => back(past, future), { id: "undo" });
  const redo = button(strings.redo, () => back(future, past), { id: "redo" });
  tool = made.default(bench);
  $("tools").append(undo, redo);
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
    if (!event.ctrlKey && !event.metaKey && !event.altKey) tool?.key?.(event);
  });
  link();
  show();
  page.dataset.ready = "";
}

addEventListener("beforeunload", (event) => {
  if ($("saved").textContent === strings.changed) event.preventDefault();
});

begin();
