// The list of all moves, to be searched and chosen from; fetched when it is wanted.

import { say, spoken } from "./announce.js";
import { play } from "./choosing.js";
import { $, fill, make, strings } from "./page.js";
import { state } from "./state.js";

export function open() {
  list("");
  $("moves-filter").value = "";
  $("moves-dialog").showModal();
}

function list(words) {
  const wanted = words.toLocaleLowerCase().split(/\s+/);
  // What can be clicked in several ways is one move.
  const each = new Map(state.data.gestures.map((gesture) => [gesture.a < 0 ? gesture : gesture.a, gesture]));
  const found = [...each.values()].filter((gesture) => wanted.every((word) => gesture.l.toLocaleLowerCase().includes(word)));
  const items = found.map((gesture) => {
    const button = make("button", { type: "button", class: "button quiet" }, gesture.l);
    button.onclick = () => {
      $("moves-dialog").close();
      play(gesture);
    };
    return make("li", {}, button);
  });
  $("moves-list").replaceChildren(...(items.length ? items : [make("li", {}, state.arrange.on ? `${spoken($("status"))} ${$("tray-left").textContent}` : strings.moves_none)]));
}

$("moves-filter").addEventListener("input", (event) => {
  list(event.target.value);
  say(fill(strings.moves_found, { n: $("moves-list").querySelectorAll("button").length }));
});
