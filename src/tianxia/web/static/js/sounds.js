// Sounds of the table, made here and not fetched; loaded only where somebody wants them.

import { $, page, table } from "./page.js";
import { setting } from "./settings.js";

const LOUDNESS = 0.16;
const context = new AudioContext();
const out = new GainNode(context, { gain: LOUDNESS });
out.connect(context.destination);

/** A tone that dies away; `parts` are the pitches above the first that sound along. */
function strike(pitch, seconds, { parts = [1], at = 0, loud = 1 } = {}) {
  const begin = context.currentTime + at;
  for (const [number, part] of parts.entries()) {
    const length = seconds / (1 + number * 0.6); // what is high dies away first
    const tone = new OscillatorNode(context, { frequency: pitch * part });
    const volume = new GainNode(context, { gain: 0 });
    volume.gain.setValueAtTime(0, begin);
    volume.gain.linearRampToValueAtTime(loud / (1 + number), begin + 0.006);
    volume.gain.exponentialRampToValueAtTime(0.0001, begin + length);
    tone.connect(volume).connect(out);
    tone.start(begin);
    tone.stop(begin + length);
  }
}

const BELL = [1, 2.76, 5.4];
const GONG = [1, 1.48, 2.1, 2.9, 3.6];
const SOUNDS = {
  piece: () => strike(190, 0.09, { parts: [1, 2.3, 4.1], loud: 1.4 }), // wood on wood
  turn: () => [660, 880].forEach((pitch, number) => strike(pitch, 0.7, { parts: BELL, at: 0.14 * number, loud: 0.5 })),
  word: () => strike(1250, 0.12, { loud: 0.4 }),
  no: () => strike(120, 0.16, { parts: [1, 1.5] }),
  end: () => strike(98, 3, { parts: GONG, loud: 1.2 }),
};

function sound(name) {
  if (!setting("sounds")) return;
  context.resume(); // a browser lets nothing be heard before the first click
  SOUNDS[name]();
}

/** What is on the page, as far as it can be heard. */
const heard = () => ({
  line: $("log").querySelector("li[id]")?.textContent,
  turn: table().hasAttribute("data-your-turn"),
  over: table().dataset.status === "over",
  words: document.querySelectorAll(".talk-line.is-new").length,
});
let before = heard();

function listen() {
  if (table().dataset.ply) return; // somebody looks back
  const now = heard();
  if (now.over && !before.over) sound("end");
  else if (now.turn && !before.turn) sound("turn");
  else if (now.line !== before.line) sound("piece");
  else if (now.words > before.words) sound("word");
  before = now;
}

page.addEventListener("shown", listen);
page.addEventListener("talk", () => setTimeout(listen)); // when it is on the page
page.addEventListener("refused", () => sound("no"));
if (navigator.userActivation?.isActive) sound("turn"); // who has just switched them on hears how they are
