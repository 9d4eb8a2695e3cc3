// A tool of the editor of boards: places in provinces, roads and alliances between them, over the game's map.

import * as graph from "./graph.js";
import { dragonOf, isDragon, onGrid, placeOf } from "./graph.js";
import { button, node } from "./draw-nodes.js";
import { photoOf } from "./draw-photo.js";
import { layerOf } from "./graph-layer.js";
import { keysOf } from "./graph-keys.js";
import { panelOf } from "./graph-panel.js";
import { DIRECTIONS } from "./nearest.js";

const PAUSE = 500; // milliseconds: the map takes the server some time, so it is asked for in pauses
const FINGER = 22; // pixels: nobody hits a small place better than that
const MOUSE = 8;
const PASSED = 34; // units of the canvas: a line drawn so near a place goes through it

/** @param {any} bench */
export default function tool(bench) {
  const { $, tools, strings, change, copy, view } = bench;
  const { words, width, height } = tools;
  const size = [width, height];
  const photo = photoOf(bench, words, size);
  const modes = ["space", "road", "move", "post", "harbour", "alliance", "erase", "photo"];
  let mode = "space";
  let province = Object.keys(bench.board.provinces)[0];
  let from = ""; // the first end of a road or an alliance
  /** @type {{ board: any, from: string, line: number[][] | null } | null} */
  let drag = null;

  const keys = keysOf(bench, size, use, () => {
    from = "";
    drawn();
  });
  const names = () => Object.keys(bench.board.provinces);

  // --- Tools --------------------------------------------------------------------------------

  const buttons = modes.map((one) => button(one === "erase" ? strings.erase : words[one], () => choose(one)));
  const count = node("span", { className: "count" });
  buttons[0].append(count);
  const provinces = node("div", { className: "draw-provinces" }, { role: "group", "aria-label": words.province });
  $("tools").append(...buttons);
  $("palette").append(provinces, photo.row);
  $("keys").textContent = words.keys;

  /** @param {string} next */
  function choose(next) {
    mode = next;
    from = "";
    drawn();
  }

  function showTools() {
    for (const [at, one] of modes.entries()) buttons[at].setAttribute("aria-pressed", String(one === mode));
    count.textContent = `${Object.keys(bench.board.spaces).length}/${tools.most.spaces}`;
    if (!(province in bench.board.provinces)) [province] = names();
    provinces.hidden = mode !== "space" && mode !== "post";
    photo.row.hidden = mode !== "photo";
    if ($("help").textContent !== words.hints[mode]) $("help").textContent = words.hints[mode];
    showProvinces();
  }

  let listed = "";
  function showProvinces() {
    const told = JSON.stringify(bench.board.provinces);
    if (told !== listed) provinces.replaceChildren(...names().map(chip));
    listed = told;
    for (const one of provinces.children) one.setAttribute("aria-pressed", String(one.textContent === province));
  }

  /** @param {string} name */
  function chip(name) {
    const made = button(name, () => {
      province = name;
      showTools();
    });
    made.classList.add(`ch-${bench.board.provinces[name]}`, "draw-province");
    return made;
  }

  // --- Provinces and players ----------------------------------------------------------------

  /** @param {string} old @param {string} name */
  function rename(old, name) {
    const next = copy();
    if (!graph.rename(next, old, name)) {
      details();
      return bench.say(words.names_differ);
    }
    if (province === old) province = name;
    change(next);
    details();
  }

  const details = () => $("details").replaceChildren(panelOf(bench, rename, $("details").firstElementChild?.open));

  // --- What the tools do --------------------------------------------------------------------

  /** @param {number[]} point */
  function add(point) {
    const next = copy();
    keys.current = graph.add(next, province, onGrid(point, size));
    change(next);
  }

  /** Add a place near what the keys are on, for whoever has no mouse. */
  function addNear() {
    const spot = graph.spotNear(bench.board, placeOf(bench.board, keys.current || dragonOf(province)), size);
    if (spot) add(spot);
  }

  /** Use the chosen tool on a place or a dragon. @param {string} key */
  function use(key) {
    keys.current = key;
    if (mode === "road" && !isDragon(key)) return pair(key, graph.join, key); // the second end is the first of the next
    if (mode === "alliance") return pair(graph.provinceOf(bench.board, key), graph.ally);
    const next = copy();
    if (isDragon(key) || !changed(next, key)) return drawn();
    change(next);
  }

  /** Do to a place what the tool does; say whether it was anything. @param {any} board @param {string} key */
  function changed(board, key) {
    if (mode === "post") return graph.belong(board, key, province);
    if (mode === "harbour") return graph.harbour(board, key);
    if (mode === "space") {
      keys.current = graph.settle(board, key, province) || key;
      return keys.current !== key;
    }
    if (mode === "erase") graph.erase(board, key);
    return mode === "erase";
  }

  /** Take one end of a pair, or both: then `link` makes of them what it does. @param {string} end @param {(board: any, one: string, other: string) => void} link */
  function pair(end, link, on = "") {
    if (!from || from === end) {
      from = from === end ? "" : end;
      return drawn();
    }
    const next = copy();
    link(next, from, end);
    from = on;
    change(next);
  }

  /** Use the chosen tool where there is no place. @param {number[]} point @param {number} reach */
  function useGround([x, y], reach) {
    const road = mode === "erase" && graph.roadNear(bench.board, [x, y], reach);
    if (mode === "space" && x >= -40 && y >= -40 && x <= width + 40 && y <= height + 40) return add([x, y]);
    from = "";
    if (!road) return drawn();
    const next = copy();
    graph.join(next, road[0], road[1]);
    change(next);
  }

  // --- The picture --------------------------------------------------------------------------

  function drawn() {
    const board = drag?.board ?? bench.board;
    const picture = $("board").querySelector("svg");
    const wrong = new Set(/** @type {string[]} */ (bench.faults.flatMap((/** @type {any} */ fault) => fault.elements)));
    picture.querySelector(".draw-layer")?.remove();
    picture.append(layerOf(board, { mode, from: drag?.from ?? from, wrong, line: drag?.line ?? null }, words));
    keys.rove();
    if (drag) return;
    showTools();
    if ($("details").childElementCount === 0) details();
  }

  // --- Mouse and finger ---------------------------------------------------------------------

  const keyOf = (/** @type {any} */ target) => target.closest?.("[data-place]")?.dataset.e ?? "";
  const reachOf = (/** @type {any} */ event) => (event.pointerType === "mouse" ? MOUSE : FINGER) / view.scale();

  /** What a pointer is on. A new place may lie close beside another, so there it has to be hit. @param {any} event */
  function hit(event) {
    const key = keyOf(event.target);
    if (key || mode === "space") return key;
    return graph.nearTo(bench.board, view.at(event), reachOf(event), mode === "move" || mode === "alliance");
  }

  /** A hand that changes a copy of the board, which counts when it lets go. @param {(drag: any, event: PointerEvent) => void} act */
  function hand(act) {
    return {
      move(/** @type {PointerEvent} */ event) {
        drag ??= { board: copy(), from: "", line: null };
        act(drag, event);
        drawn();
      },
      drop() {
        const done = drag?.board;
        drag = null;
        from = "";
        if (done && JSON.stringify(done) !== JSON.stringify(bench.board)) change(done);
        else drawn();
      },
      cancel() {
        drag = null;
        drawn();
      },
    };
  }

  /** Roads through all places that a line passes. @param {string} key @param {PointerEvent} start */
  function stroke(key, start) {
    let [last, before] = [key, view.at(start)];
    return hand((drag, event) => {
      const now = view.at(event);
      for (const place of graph.passed(drag.board, before, now, PASSED)) {
        graph.road(drag.board, last, place);
        last = place;
      }
      before = now;
      Object.assign(drag, { from: last, line: [placeOf(drag.board, last), now] });
    });
  }

  /** An alliance from where a line begins to where it ends. @param {string} key */
  function pact(key) {
    const own = graph.provinceOf(bench.board, key);
    return hand((drag, event) => {
      const over = graph.nearTo(bench.board, view.at(event), reachOf(event), true);
      const other = over ? graph.provinceOf(bench.board, over) : own;
      drag.board = copy();
      if (other !== own) graph.ally(drag.board, own, other);
      Object.assign(drag, { from: own, line: [placeOf(drag.board, dragonOf(own)), view.at(event)] });
    });
  }

  /** What one finger, or the mouse, does as soon as it moves. @param {PointerEvent} event */
  function grab(event) {
    if (mode === "photo") return photo.has() ? photo.grab(event) : null;
    const key = hit(event);
    if (!key) return null;
    if (mode === "move") return hand((drag, now) => graph.put(drag.board, key, onGrid(view.at(now), size)));
    if (mode === "road" && !isDragon(key)) return stroke(key, event);
    return mode === "alliance" ? pact(key) : null;
  }

  $("board").addEventListener("click", (/** @type {MouseEvent} */ event) => {
    if (mode === "move" || mode === "photo") return;
    const key = hit(event);
    if (key) use(key);
    else useGround(view.at(event), reachOf(event));
  });

  let last = "";
  return {
    pause: PAUSE,
    grab,
    /** @param {any} fingers @param {any} now */
    pinch(fingers, now) {
      if (mode !== "photo" || !photo.has()) return false;
      photo.pinch(fingers, now);
      return true;
    },
    /** The picture is another, or the board has changed. */
    drawn() {
      const told = JSON.stringify([bench.board.provinces, bench.board.players]);
      if (told !== last && !$("details").contains(document.activeElement)) details();
      last = told;
      drawn();
    },
    hold: () => keys.focus(),
    /** @param {KeyboardEvent} event */
    key(event) {
      const chosen = modes[Number(event.key) - 1];
      if (chosen) choose(chosen);
      else if (mode === "photo" && DIRECTIONS[event.key] && !event.defaultPrevented) {
        event.preventDefault();
        photo.nudge(DIRECTIONS[event.key]);
      } else if (event.key.toLowerCase() === "a") {
        addNear();
        keys.focus();
      }
    },
  };
}
