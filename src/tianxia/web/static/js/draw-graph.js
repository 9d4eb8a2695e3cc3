// @ts-check
// A tool of the editor of boards: places in provinces, roads and alliances between them, over the game's map.

import { DIRECTIONS, nearest } from "./nearest.js";

const NS = "http://www.w3.org/2000/svg";
const STEP = 10; // of the canvas: places lie on a grid, keys move by it
const APART = 45; // a place that is added by keys keeps off others
const PAUSE = 500; // milliseconds: the map takes the server some time, so it is asked for in pauses
const PLAYERS = [2, 3, 4, 5];

/** @param {any} bench */
export default function graph(bench) {
  const { $, tools, strings, button, change, copy } = bench;
  const { words, width, height } = tools;
  const fill = (/** @type {string} */ text, /** @type {any} */ values) => text.replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);
  const modes = ["space", "road", "move", "harbour", "alliance", "erase"];
  let mode = "space";
  let province = Object.keys(bench.board.provinces)[0];
  let from = ""; // the first end of a road or an alliance
  let current = ""; // what the keys are on
  /** @type {{ key: string, board: any, moved: boolean } | null} */
  let drag = null;

  const dragonOf = (/** @type {string} */ name) => `dragon-${name}`;
  const isDragon = (/** @type {string} */ key) => key.startsWith("dragon-");
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

  /** Call a province differently, everywhere. @param {string} old @param {string} name */
  function rename(old, name) {
    const next = copy();
    const letters = (/** @type {string} */ text) => text.replace(/[^\p{L}]/gu, "").toLowerCase();
    const others = Object.keys(next.provinces).filter((one) => one !== old);
    if (!letters(name) || others.some((one) => letters(one) === letters(name))) {
      details();
      return bench.say(words.names_differ);
    }
    const swap = (/** @type {string} */ one) => (one === old ? name : one);
    const keys = (/** @type {any} */ object) => Object.fromEntries(Object.entries(object).map(([key, value]) => [swap(key), value]));
    next.provinces = keys(next.provinces);
    next.dragons = keys(next.dragons);
    for (const space of Object.values(next.spaces)) space.provinces = space.provinces.map(swap);
    for (const number of Object.keys(next.alliances)) next.alliances[number] = next.alliances[number].map(swap);
    province = swap(province);
    change(next);
    details();
  }

  function details() {
    const panel = document.createElement("details");
    panel.className = "panel";
    panel.open = $("details").firstElementChild?.open ?? false;
    panel.append(Object.assign(document.createElement("summary"), { textContent: words.provinces }));
    for (const [at, name] of Object.keys(bench.board.provinces).entries()) {
      const row = Object.assign(document.createElement("div"), { className: "draw-row" });
      const field = Object.assign(document.createElement("input"), { value: name, maxLength: tools.longest, id: `province-${at}` });
      field.setAttribute("aria-label", `${words.province} ${at + 1}`);
      field.onchange = () => rename(name, field.value.trim());
      const colour = document.createElement("select");
      colour.setAttribute("aria-label", `${words.colour} ${at + 1}`);
      for (const { id, label } of tools.colours) colour.add(new Option(label, id, false, id === colourOf(name)));
      colour.onchange = () => {
        const next = copy();
        next.provinces[name] = colour.value;
        change(next);
      };
      row.append(field, colour);
      panel.append(row);
    }
    const people = document.createElement("fieldset");
    people.append(Object.assign(document.createElement("legend"), { textContent: words.players }));
    for (const number of PLAYERS) {
      const label = document.createElement("label");
      const box = Object.assign(document.createElement("input"), { type: "checkbox", checked: bench.board.players.includes(number) });
      box.onchange = () => {
        const next = copy();
        next.players = PLAYERS.filter((one) => (one === number ? box.checked : next.players.includes(one)));
        change(next);
      };
      label.append(box, ` ${number} `);
      people.append(label);
    }
    panel.append(people);
    $("details").replaceChildren(panel);
  }

  // --- What the tools do --------------------------------------------------------------------

  /** A name for a new place: the letter of its province and the first free number. @param {any} board */
  function freeName(board) {
    const plain = province.normalize("NFD").replace(/[^A-Za-z]/g, "") || "X";
    const sharing = Object.keys(board.provinces).filter((one) => one[0] === province[0]);
    const letters = plain[0].toUpperCase() + (sharing.length > 1 ? (plain[1] ?? "").toLowerCase() : "");
    const taken = new Set(Object.keys(board.spaces).map((one) => one.toLowerCase()));
    for (let number = 1; ; number += 1) if (!taken.has(`${letters}${number}`.toLowerCase())) return `${letters}${number}`;
  }

  const within = (/** @type {number} */ value, /** @type {number} */ most) => Math.min(most, Math.max(0, Math.round(value / STEP) * STEP));

  /** @param {number} x @param {number} y */
  function add(x, y) {
    const next = copy();
    const name = freeName(next);
    next.spaces[name] = { x: within(x, width), y: within(y, height), provinces: [province] };
    current = name;
    change(next);
  }

  /** Add a place near what the keys are on, for who has no mouse. */
  function addNear() {
    const [x, y] = placeOf(bench.board, current || dragonOf(province));
    const all = [...Object.values(bench.board.spaces).map((one) => [one.x, one.y]), ...Object.values(bench.board.dragons)];
    for (let turn = 0; turn < 60; turn += 1) {
      const [far, angle] = [70 + 4 * turn, turn * 2.4];
      const spot = [within(x + far * Math.cos(angle), width), within(y + far * Math.sin(angle), height)];
      if (all.every(([a, b]) => Math.hypot(a - spot[0], b - spot[1]) > APART)) return add(spot[0], spot[1]);
    }
  }

  /** @param {any} board @param {string} key @returns {[number, number]} */
  function placeOf(board, key) {
    if (isDragon(key)) return board.dragons[key.slice(7)] ?? [0, 0];
    const space = board.spaces[key];
    return space ? [space.x, space.y] : [0, 0];
  }

  /** @param {any} board @param {string} key @param {number} x @param {number} y */
  function put(board, key, x, y) {
    const [a, b] = [within(x, width), within(y, height)];
    if (isDragon(key)) board.dragons[key.slice(7)] = [a, b];
    else Object.assign(board.spaces[key], { x: a, y: b });
  }

  /** Use the chosen tool on a place or a dragon. @param {string} key */
  function use(key) {
    current = key;
    if (mode === "road" && !isDragon(key)) return join(key);
    if (mode === "alliance") return ally(key);
    if (isDragon(key) || mode === "move") return drawn();
    const next = copy();
    const space = next.spaces[key];
    if (mode === "erase") {
      delete next.spaces[key];
      next.roads = next.roads.filter((/** @type {string[]} */ road) => !road.includes(key));
      current = "";
    } else if (mode === "harbour") {
      if (space.provinces.length > 1) return;
      if (space.harbour) delete space.harbour;
      else space.harbour = true;
    } else if (space.provinces.includes(province)) {
      if (space.provinces.length < 2) return drawn();
      space.provinces = space.provinces.filter((/** @type {string} */ one) => one !== province);
    } else {
      space.provinces = [...space.provinces.slice(-1), province];
      delete space.harbour;
    }
    change(next);
  }

  /** Join two places by a road, or take it away; the second is the first of the next. @param {string} key */
  function join(key) {
    if (!from || from === key) {
      from = from === key ? "" : key;
      return drawn();
    }
    const next = copy();
    const same = (/** @type {string[]} */ road) => road.includes(key) && road.includes(from);
    if (next.roads.some(same)) next.roads = next.roads.filter((/** @type {string[]} */ road) => !same(road));
    else next.roads.push([from, key]);
    from = key;
    change(next);
  }

  /** @param {string} key */
  function ally(key) {
    const name = isDragon(key) ? key.slice(7) : bench.board.spaces[key].provinces[0];
    if (!from || from === name) {
      from = from === name ? "" : name;
      return drawn();
    }
    const next = copy();
    const pairs = Object.keys(next.alliances).sort((a, b) => Number(a) - Number(b)).map((number) => next.alliances[number]);
    const same = (/** @type {string[]} */ pair) => pair.includes(name) && pair.includes(from);
    const rest = pairs.filter((pair) => !same(pair));
    if (rest.length === pairs.length) rest.push([from, name]);
    next.alliances = Object.fromEntries(rest.map((pair, at) => [String(at + 1), pair]));
    from = "";
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
    const [x, y] = at(event);
    put(drag.board, drag.key, x, y);
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
    if (mode === "space" && x >= -40 && y >= -40 && x <= width + 40 && y <= height + 40) add(x, y);
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
      put(next, key, x + STEP * direction[0], y + STEP * direction[1]);
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
