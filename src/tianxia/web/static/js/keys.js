// The keyboard: the arrow keys on the board, and the shortcuts.

import { say, spoken } from "./announce.js";
import { choose } from "./choosing.js";
import { skip } from "./happenings.js";
import { undo } from "./meaning.js";
import { DIRECTIONS, nearest } from "./nearest.js";
import { $, places, table } from "./page.js";
import { back, focus, jump, rove } from "./roving.js";
import { again } from "./sending.js";
import { settings } from "./settings.js";
import { state } from "./state.js";
import * as tabs from "./tabs.js";

function onBoardKey(event, node) {
  if (DIRECTIONS[event.key]) {
    focus(nearest(places(), node, DIRECTIONS[event.key]));
  } else if (event.key === "Enter" || event.key === " ") {
    if (!event.repeat) choose(node.dataset.e);
  } else if ((event.key === "Delete" || event.key === "Backspace") && state.arrange.on) {
    state.arrange.remove(node.dataset.e);
  } else {
    return false;
  }
  event.preventDefault();
  return true;
}

/** As if the button were clicked, which waits for what steps. */
const step = (way) => $("stepper")?.querySelector(`[data-step=${way}]`).click();

const SHORTCUTS = {
  n: () => jump(false),
  N: () => jump(true),
  b: back,
  m: () => import("./moves.js").then(({ open }) => open()),
  t: () => {
    tabs.open("talk");
    $("talk-text")?.focus();
  },
  a: () => again(),
  e: () => ($("do-hurry") ? $("do-hurry").click() : skip()),
  h: () => import("./hints.js").then(({ hint }) => hint()),
  s: () => {
    const now = spoken($("status"));
    const last = ($("log").querySelector("li:first-child > details > summary") ?? $("log").firstElementChild)?.textContent.trim();
    say(now);
    if (!now.includes(last)) say(last);
  },
  "?": () => $("help-dialog").showModal(),
  "[": () => step("previous"),
  "]": () => step("next"),
};

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("dialog, input:not([type=range]), select, textarea")) return;
  if (event.key === "Escape") return tabs.covers() ? tabs.close() : undo();
  const node = event.target.closest("[data-e]");
  if (node && table().contains(node) && onBoardKey(event, node)) return;
  const shortcut = settings.keys && SHORTCUTS[event.key];
  if (!shortcut) return;
  event.preventDefault();
  shortcut();
});

// The link to the board leads to a place of it: only there the arrow keys do anything.
document.querySelector(".skip")?.addEventListener("click", (event) => {
  if (places().length) event.preventDefault();
  back();
});

document.addEventListener("focusin", (event) => {
  const node = event.target.closest?.("[data-e]");
  if (node && node.dataset.e !== state.current) {
    state.current = node.dataset.e;
    rove();
  }
});
