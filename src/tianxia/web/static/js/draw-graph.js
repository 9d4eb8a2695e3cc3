// A tool of the editor of boards: places in provinces, roads and alliances between them, over the game's map.

import * as graph from "./graph.js";
import { dragonOf, isDragon, onGrid, placeOf, STEP } from "./graph.js";
import { panelOf } from "./graph-panel.js";
import { DIRECTIONS, nearest } from "./nearest.js";

const NS = "http://www.w3.org/2000/svg";
const PAUSE = 500; // milliseconds: the map takes the server some time, so it is asked for in pauses

/** @param {any} bench */
export default function tool(bench) {
  const { $, tools, strings, button, change, copy } = bench;
  const { words, width, height } = tools;
  const size = [width, height];
  const fill = (/** @type {string} */ text, /** @type {any} */ values) => text.replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);
  const modes = ["space", "road", "move", "harbour", "alliance", "erase"];
  let mode = "space";
  let province = Object.keys(bench.board.provinces)[0];
  let from = ""; // the first end of a road or an alliance
  let current = ""; // what the keys are on
  /** @type {{ key: string, board: any, moved: boolean } | null} */
  let drag = null;

  const colourOf = (/** @type {string} */ name) => bench.board.provinces[name];

  // --- Tools --------------------------------------------------------------------------------

  const buttons = modes.map((one) => button(one === "erase" ? strings.erase : words[one], () => choose(one)));
  const count = Object.assign(document.createElement("span"), { className: "count" });
  buttons[0].append(count);
  $("tools").append(...buttons);
  $("help").textContent = words.help;
  const provinces = document.createElement("div");
  provinces.className = "draw-provinces row";
  provinces.setAttribute("role", "group");
  provinces.setAttribute("aria-label", words.province);
  $("tools").append(provinces);

  /** @param {string} next */
  function choose(next) {
    mode = next;
    from = "";
    drawn();
  }

  function showTools() {
    for (const [at, one] of modes.entries()) buttons[at].setAttribute("aria-pressed", String(one === mode));
    count.textContent = `${Object.keys(bench.board.spaces).length}/${tools.most.spaces}`;
    if (!(province in bench.board.provinces)) province = Object.keys(bench.board.provinces)[0];
    provinces.hidden = mode !== "space";
    provinces.replaceChildren(...Object.keys(bench.board.provinces).map((name) => {
      const node = button(name, () => {
        province = name;
        showTools();
      });
      node.classList.add(`ch-${colourOf(name)}`, "draw-province");
      node.setAttribute("aria-pressed", String(name === province));
      return node;
    }));
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
    current = graph.add(next, province, onGrid(point, size));
    change(next);
  }

  /** Add a place near what the keys are on, for whoever has no mouse. */
  function addNear() {
    const spot = graph.spotNear(bench.board, placeOf(bench.board, current || dragonOf(province)), size);
    if (spot) add(spot);
  }

  /** Use the chosen tool on a place or a dragon. @param {string} key */
  function use(key) {
    current = key;
    if (mode === "road" && !isDragon(key)) return pair(key, graph.join, key); // the second end is the first of the next
    if (mode === "alliance") return pair(graph.provinceOf(bench.board, key), graph.ally);
    if (isDragon(key) || mode === "move") return drawn();
    const next = copy();
    if (mode === "erase") {
      graph.erase(next, key);
      current = "";
    } else if (mode === "harbour") {
      if (!graph.harbour(next, key)) return;
    } else if (!graph.belong(next, key, province)) return drawn();
    change(next);
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

  // --- The picture --------------------------------------------------------------------------

  /** @param {string} name @param {Record<string, any>} attributes @param {...Node} children */
  function svg(name, attributes, ...children) {
    const node = document.createElementNS(NS, name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
    node.append(...children);
    return node;
  }

  /** @param {string} key @param {string} label @param {string} text @param {string} className */
  function handle(key, label, text, className) {
    const [x, y] = placeOf(shown(), key);
    const name = svg("text", { y: 5, "aria-hidden": true });
    name.textContent = text;
    const shape = svg("circle", { r: isDragon(key) ? 31 : 24 });
    return svg("g", { class: `draw-node ${className}`, "data-place": "", "data-e": key, transform: `translate(${x} ${y})`, role: "button", tabindex: -1, "aria-label": label }, shape, name);
  }

  const shown = () => drag?.board ?? bench.board;

  function drawn() {
    const board = shown();
    const picture = $("board").querySelector("svg.picture");
    picture.querySelector(".draw-layer")?.remove();
    const layer = svg("g", { class: `draw-layer is-${mode}` });
    const wrong = new Set(bench.faults.flatMap((/** @type {any} */ fault) => fault.elements));
    const line = (/** @type {[number, number]} */ a, /** @type {[number, number]} */ b, /** @type {string} */ className) =>
      svg("line", { x1: a[0], y1: a[1], x2: b[0], y2: b[1], class: className });
    for (const [one, other] of board.roads) layer.append(line(placeOf(board, one), placeOf(board, other), "draw-road"));
    for (const [number, [one, other]] of Object.entries(board.alliances)) {
      const ends = [placeOf(board, dragonOf(one)), placeOf(board, dragonOf(other))];
      layer.append(line(ends[0], ends[1], "draw-alliance"));
      const text = svg("text", { x: (ends[0][0] + ends[1][0]) / 2, y: (ends[0][1] + ends[1][1]) / 2, class: "draw-number" });
      text.textContent = number;
      layer.append(text);
    }
    for (const name of Object.keys(board.provinces)) {
      const picked = from === name ? " is-from" : "";
      layer.append(handle(dragonOf(name), fill(words.dragon, { name }), "", `is-dragon ch-${colourOf(name)}${picked}`));
    }
    for (const [name, space] of Object.entries(board.spaces)) {
      const kind = space.provinces.length > 1 ? words.post : space.harbour ? words.harbour : words.space;
      const label = `${name}: ${kind}, ${space.provinces.join(" / ")}`;
      const marks = `${space.provinces.length > 1 ? " is-post" : ""}${space.harbour ? " is-harbour" : ""}${from === name ? " is-from" : ""}${wrong.has(name) ? " is-fault" : ""}`;
      layer.append(handle(name, label, name, `ch-${colourOf(space.provinces[0])}${marks}`));
    }
    picture.append(layer);
    rove();
    showTools();
    if (!drag && $("details").childElementCount === 0) details();
  }

  // --- Mouse, finger and keys ---------------------------------------------------------------

  /** Where a pointer is on the canvas. @param {PointerEvent | MouseEvent} event */
  function at(event) {
    const picture = $("board").querySelector("svg.picture");
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
    return [point.x, point.y];
  }

  const keyOf = (/** @type {any} */ target) => target.closest?.("[data-place]")?.dataset.e ?? "";

  $("board").addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
    const key = keyOf(event.target);
    if (mode !== "move" || !key || event.button) return;
    event.preventDefault();
    drag = { key, board: copy(), moved: false };
    current = key;
    $("board").setPointerCapture(event.pointerId);
  });
  $("board").addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
    if (!drag) return;
    graph.put(drag.board, drag.key, onGrid(at(event), size));
    drag.moved = true;
    drawn();
  });
  const drop = () => {
    const done = drag;
    drag = null;
    if (done?.moved) change(done.board);
  };
  $("board").addEventListener("pointerup", drop);
  $("board").addEventListener("pointercancel", () => {
    drag = null;
    drawn();
  });
  $("board").addEventListener("click", (/** @type {MouseEvent} */ event) => {
    if (mode === "move") return;
    const key = keyOf(event.target);
    if (key) return use(key);
    const [x, y] = at(event);
    if (mode === "space" && x >= -40 && y >= -40 && x <= width + 40 && y <= height + 40) add([x, y]);
    else if (from) {
      from = "";
      drawn();
    }
  });

  /** @returns {any[]} */
  const places = () => [...$("board").querySelectorAll("[data-place]")];

  function rove() {
    const all = places();
    const chosen = all.find((node) => node.dataset.e === current) ?? all[0];
    for (const node of all) node.setAttribute("tabindex", node === chosen ? "0" : "-1");
  }

  /** @param {string} key */
  function focus(key) {
    current = key;
    rove();
    places().find((node) => node.dataset.e === key)?.focus();
  }

  $("board").addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const key = keyOf(event.target);
    if (!key || event.ctrlKey || event.metaKey || event.altKey) return;
    current = key;
    const direction = DIRECTIONS[event.key];
    if (direction && event.shiftKey) {
      const next = copy();
      const [x, y] = placeOf(next, key);
      graph.put(next, key, onGrid([x + STEP * direction[0], y + STEP * direction[1]], size));
      change(next);
      focus(key);
    } else if (direction) {
      const keys = places().map((node) => node.dataset.e);
      const other = nearest(keys, current, direction, (place) => placeOf(bench.board, place));
      if (other) focus(other);
    } else if (event.key === "Enter" || event.key === " ") {
      use(key);
      focus(current);
    } else if (event.key === "Escape") {
      from = "";
      drawn();
      focus(key);
    } else return;
    event.preventDefault();
  });

  let last = "";
  return {
    pause: PAUSE,
    /** The picture is another, or the board has changed. */
    drawn() {
      const told = JSON.stringify([bench.board.provinces, bench.board.players]);
      if (told !== last && !$("details").contains(document.activeElement)) details();
      last = told;
      drawn();
    },
    hold: () => focus(current),
    /** @param {KeyboardEvent} event */
    key(event) {
      const chosen = modes[Number(event.key) - 1];
      if (chosen) choose(chosen);
      else if (event.key.toLowerCase() === "a") {
        addNear();
        focus(current);
      }
    },
  };
}
