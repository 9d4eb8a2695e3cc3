// The tray that the pieces of an arrangement come from, the set-ups that were saved, and the pieces on the board.

import { say, toast } from "./announce.js";
import { drawing } from "./formations.js";
import { $, drawn, fill, make, nodeOf, nodes, pressed, strings } from "./page.js";
import { store } from "./settings.js";

export function close() {
  $("tray").hidden = true;
  $("tray").replaceChildren();
  $("go-tray").replaceChildren();
}

/** Make the tray; what is always at hand, how many are left and "Ready", has its own place. */
export function build(arrange) {
  const { kinds, mirror, presets, words } = arrange.plan;
  const whole = presets.flatMap((preset, index) => (preset.placements?.length ? [kindButton(drawing(preset, arrange.laid), preset.label, kinds.length + index)] : []));
  const onPage = kinds.every((kind) => kind.element);
  const clear = () => pressed(strings.clear, () => lay(arrange, (laid) => laid.clear()));
  $("tray").hidden = false;
  $("tray").classList.toggle("is-small", onPage);
  $("go-tray").replaceChildren(
    ...(words?.sent ? [stepper(arrange, words)] : []),
    make("p", { id: "tray-left" }),
    ...(onPage ? [clear()] : []),
    pressed(strings.ready, () => arrange.send(), { class: "button primary", id: "tray-ready" }),
  );
  if (onPage) return $("tray").replaceChildren();
  const select = make("select", { id: "tray-presets" });
  select.addEventListener("change", () => load(arrange, select.value));
  $("tray").replaceChildren(
    make("div", { class: "row" },
      select,
      mirror.length ? pressed(strings.mirror, () => lay(arrange, (laid) => laid.turn())) : "",
      pressed(strings.shuffle, () => lay(arrange, (laid) => laid.shuffle())),
      clear(),
    ),
    make("div", { class: "kinds", role: "group", "aria-label": strings.tray_title }, ...kinds.map((kind, index) => kindButton(symbol(kind), kind.label, index)), ...whole),
    make("details", { id: "tray-more" },
      make("summary", {}, strings.tray_more),
      make("p", { class: "hint" }, words?.hint ?? ""),
      make("div", { class: "row" }, nameForm(arrange), pressed(strings.delete, () => forget(arrange, select.value.slice(6)), { id: "tray-forget", hidden: true })),
    ),
  );
  fillPresets(arrange, "");
}

/** Lay many at once, and say what is left to do. */
function lay(arrange, next) {
  arrange.set(next);
  say($("tray-left").textContent);
}

function kindButton(picture, label, index) {
  const parts = [picture, make("span", { class: "kind-label" }, label), make("span", { class: "kind-left" })];
  return make("button", { type: "button", class: "kind", "data-kind": index, "aria-pressed": "false", "aria-label": label, title: label }, ...parts);
}

/** How many of what went last go: its words, and two buttons. */
function stepper(arrange, { fewer, more }) {
  const buttons = [[-1, "−", fewer], [1, "+", more]].map(([by, sign, label]) => pressed(sign, () => arrange.step(by), { "data-more": by, "aria-label": label }));
  return make("span", { id: "tray-step", class: "row", hidden: true }, make("output", { id: "tray-sent", class: "kind-label", "aria-live": "off" }), ...buttons);
}

// Saved ones ------------------------------------------------------------------------------

const shelf = ({ plan }) => `setups:${plan.slots.length}:${plan.kinds.map((kind) => kind.id + kind.count).join(",")}`;
const saved = (arrange) => store.get(shelf(arrange), {});

function nameForm(arrange) {
  const name = make("input", { id: "tray-name", type: "text", maxlength: "30", placeholder: strings.save_as, "aria-label": strings.save_as });
  const form = make("form", { class: "row" }, name, pressed(strings.save, () => {}, { type: "submit" }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (name.value.trim()) save(arrange, name.value.trim());
  });
  return form;
}

function save(arrange, name) {
  const kept = store.set(shelf(arrange), { ...saved(arrange), [name]: arrange.laid.toIds() });
  toast(kept ? strings.saved : strings.no_storage);
  fillPresets(arrange, `saved:${name}`);
}

function forget(arrange, name) {
  const { [name]: gone, ...rest } = saved(arrange);
  if (gone && store.set(shelf(arrange), rest)) toast(strings.deleted);
  fillPresets(arrange, "");
}

function load(arrange, value) {
  const own = value.startsWith("saved:");
  const next = own ? arrange.laid.fromIds(saved(arrange)[value.slice(6)]) : arrange.plan.presets.find((one) => `preset:${one.id}` === value);
  if (next) lay(arrange, next);
  $("tray-forget").hidden = !own;
}

function fillPresets(arrange, value) {
  const option = (text, id) => make("option", { value: id }, text);
  const own = Object.keys(saved(arrange)).sort();
  const select = $("tray-presets");
  const listed = arrange.plan.presets.filter((one) => !one.placements?.length); // the others are pictures
  select.replaceChildren(option(listed.length ? strings.tray_presets : strings.tray_own, ""), ...listed.map((one) => option(one.label, `preset:${one.id}`)));
  select.setAttribute("aria-label", select.options[0].label);
  select.hidden = !listed.length && !own.length;
  if (own.length) select.append(make("optgroup", { label: strings.saved_group }, ...own.map((name) => option(name, `saved:${name}`))));
  select.value = value;
  $("tray-forget").hidden = !value.startsWith("saved:");
}

// What is shown ---------------------------------------------------------------------------

export function draw(arrange) {
  const left = arrange.laid.toPlace();
  $("tray-left").textContent = left ? fill(strings.tray_to_place, { n: left }) : strings.tray_full;
  $("tray-ready").toggleAttribute("data-waiting", left > 0);
  for (const button of $("tray").querySelectorAll("[data-kind]")) {
    const kind = Number(button.dataset.kind);
    const preset = kind - arrange.plan.kinds.length;
    if (preset >= 0) {
      button.setAttribute("aria-pressed", String(arrange.hand?.preset === preset));
      continue;
    }
    const count = arrange.left(kind);
    button.classList.toggle("is-used-up", count < 1);
    button.setAttribute("aria-pressed", String(arrange.hand?.kind === kind));
    button.querySelector(".kind-left").textContent = count ? `×${count}` : "✓";
    button.setAttribute("aria-label", `${arrange.plan.kinds[kind].label}: ${count ? fill(strings.tray_left, { n: count }) : strings.tray_placed}`);
  }
  const { sent } = arrange;
  if ($("tray-step")) $("tray-step").hidden = !sent;
  if ($("tray-sent")) $("tray-sent").textContent = arrange.told();
  for (const button of $("go-tray").querySelectorAll("[data-more]")) button.setAttribute("aria-disabled", String(sent?.count === (button.dataset.more > 0 ? sent?.most : 0)));
  for (const [index, kind] of arrange.plan.kinds.entries()) {
    for (const node of kind.element ? nodes(kind.element) : []) {
      node.dataset.used = kind.count - arrange.left(index);
      const badge = node.querySelector(".count-badge");
      if (badge) badge.textContent = arrange.left(index) || "";
    }
  }
  drawPieces(arrange);
}

/** Draw the pieces on their places, in the board's own picture. */
export function drawPieces(arrange) {
  const svg = $("board").querySelector("svg");
  if (!svg) return;
  svg.querySelector("#draft")?.remove();
  const layer = drawn("g", { id: "draft", "aria-hidden": "true" });
  for (const [slot, element] of arrange.plan.slots.entries()) {
    const place = nodeOf(element);
    if (!place) continue;
    label(arrange, slot, place);
    if (arrange.laid.layout[slot] >= 0 && svg.getScreenCTM()) layer.append(pieceOn(arrange.plan, slot, arrange.laid.layout[slot], arrange.laid.heights[slot]));
  }
  const home = svg.querySelector("[data-draft]");
  if (home) return home.append(layer);
  // Under the places, which then show what is chosen above the pieces.
  const first = svg.querySelector("[data-e]");
  svg.insertBefore(layer, [...svg.children].find((child) => child.contains(first)) ?? null);
}

/** Say at a place what lies there. */
function label({ laid, plan }, slot, place) {
  const element = plan.slots[slot];
  const kind = plan.kinds[laid.layout[slot]];
  place.dataset.plainLabel ??= place.getAttribute("aria-label") ?? element;
  const lies = () => (plan.spare
    ? `${place.dataset.plainLabel}; ${kind.label}`
    : fill(strings.labelled, { name: element, what: `${plan.piles ? `${laid.heights[slot]} × ` : ""}${kind.label}` }));
  place.setAttribute("aria-label", kind ? lies() : place.dataset.plainLabel);
}

/** Pieces of a kind on a slot, as large as a place on the screen is. */
export function pieceOn({ kinds, piles, slots }, slot, kind, height) {
  const svg = $("board").querySelector("svg");
  const toPicture = svg.getScreenCTM().inverse();
  const box = (svg.querySelector(`[data-slot="${CSS.escape(slots[slot])}"]`) ?? nodeOf(slots[slot])).getBoundingClientRect();
  const corner = new DOMPoint(box.left, box.top).matrixTransform(toPicture);
  const other = new DOMPoint(box.right, box.bottom).matrixTransform(toPicture);
  const use = drawn("use", { href: `#${kinds[kind].symbol}` });
  const piece = piles ? drawn("g", {}, use, drawn("text", { class: "draft-height", x: 50, y: 88 }, height)) : use;
  piece.setAttribute("class", "piece draft-piece");
  piece.setAttribute("data-at", slots[slot]);
  piece.setAttribute("transform", `translate(${corner.x} ${corner.y}) scale(${(other.x - corner.x) / 100})`);
  return piece;
}

const symbol = (kind) => drawn("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, drawn("use", { href: `#${kind.symbol}` }));
