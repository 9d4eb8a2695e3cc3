// What the talk of those who play and that of those who watch have in common: both are pushed, and written, in one way.

import { Idiomorph } from "../vendor/idiomorph.esm.js";
import { $, page } from "./page.js";

/** Call a function with what the live connection brings of a talk. */
export function heard(name, receive) {
  page.addEventListener(name, (event) => receive(event.detail));
}

/** Put a talk on the page as it is now: who reads its end goes on reading it, and the keyboard stays where it was. */
export function renew(part, html, how, log, dress) {
  const wasAtEnd = $(log).scrollHeight - $(log).scrollTop - $(log).clientHeight < 40;
  const focused = part.contains(document.activeElement) ? document.activeElement : null;
  const near = focused?.closest("li[id], details")?.id;
  Idiomorph.morph(part, html.trim(), how);
  dress();
  if (wasAtEnd) toEnd(log);
  // A button that was pressed may be gone: the keyboard stays near it.
  if (focused && !focused.isConnected) (($(near) ?? $(log)).querySelector("button, summary") ?? $(log)).focus();
}

/** Show the end of a talk. */
export function toEnd(log) {
  $(log).scrollTop = $(log).scrollHeight;
}

/** Let Enter send what is written in a field, and Escape leave it. */
export function write(id) {
  page.addEventListener("keydown", (event) => {
    if (event.target.id !== id || event.isComposing) return;
    if (event.key === "Escape") document.querySelector("#tabs [aria-expanded=true]")?.focus();
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    event.target.form.requestSubmit();
  });
}
