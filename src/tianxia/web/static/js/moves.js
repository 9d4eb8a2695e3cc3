// The list of all moves, to be searched and chosen from.

import { play } from "./choosing.js";
import { $, make, strings } from "./page.js";
import { state } from "./state.js";

export const moves = {
  open() {
    this.fill("");
    $("moves-filter").value = "";
    $("moves-dialog").showModal();
  },

  fill(words) {
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
    $("moves-list").replaceChildren(...(items.length ? items : [make("li", {}, strings.moves_none)]));
  },
};

export const hint = () => import("./hints.js").then((hints) => hints.hint());
