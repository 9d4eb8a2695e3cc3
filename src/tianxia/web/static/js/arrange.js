// Arrangements: many placements made in peace and sent at once, with the tray that they come from.
// Games without one never fetch this.

import { hush, say, toast } from "./announce.js";
import { play } from "./choosing.js";
import { times } from "./gestures.js";
import { ahead, light } from "./meaning.js";
import { $, fill, make, nameOf, nodeOf, nodes, pressed, strings, SVG, table } from "./page.js";
import { act, refuse } from "./sending.js";
import { store } from "./settings.js";

export const arrange = {
  on: false,
  plan: null, // {slots, kinds, empty, presets, mirror, piles}
  layout: [], // for each slot the index of a kind, or -1
  heights: [], // for each slot how many pieces lie there: more than one where they are piled up
  hand: null, // {kind} from the tray, or {slot} from the board

  begin(plan) {
    const tray = $("tray");
    const same = this.on && plan && JSON.stringify(plan) === JSON.stringify(this.plan);
    this.on = Boolean(plan);
    tray.hidden = !plan;
    table().classList.toggle("is-arranging", this.on);
    if (!plan) {
      this.hand = null;
      tray.replaceChildren();
      $("go-tray").replaceChildren();
      return;
    }
    this.plan = plan;
    if (!same) {
      this.hand = null;
      this.restore(this.draft() ?? this.bare());
      this.build();
    }
    this.draw();
  },

  bare() {
    return { layout: this.plan.slots.map(() => -1), heights: this.plan.slots.map(() => 0) };
  },

  restore({ layout, heights }) {
    this.layout = [...layout];
    this.heights = heights?.length ? [...heights] : layout.map((kind) => Number(kind >= 0));
  },

  // A set-up that was begun survives a reload.
  draft() {
    return this.fromIds(store.get(`draft:${table().dataset.table}:${table().dataset.viewer}`, null));
  },

  keep() {
    store.set(`draft:${table().dataset.table}:${table().dataset.viewer}`, this.toIds());
  },

  toIds() {
    return this.layout.map((kind, slot) => (kind < 0 ? "" : this.plan.kinds[kind].id + (this.plan.piles ? ` ${this.heights[slot]}` : "")));
  },

  fromIds(ids) {
    const { kinds, slots, spare } = this.plan;
    if (!Array.isArray(ids) || ids.length !== slots.length) return null;
    const pairs = ids.map((id) => String(id).split(" "));
    const layout = pairs.map(([id]) => kinds.findIndex((kind) => kind.id === id));
    const fits = (kind, slot) => !kinds[kind]?.barred?.includes(slot);
    if (spare) return { layout: layout.map((kind, slot) => (times(kind, layout.slice(0, slot + 1)) <= kinds[kind]?.count && fits(kind, slot) ? kind : -1)) };
    const heights = pairs.map(([, height], slot) => (layout[slot] < 0 ? 0 : Number(height ?? 1)));
    const held = (index) => layout.reduce((sum, kind, slot) => sum + (kind === index ? heights[slot] : 0), 0);
    return layout.every(fits) && kinds.every((kind, index) => held(index) <= kind.count) ? { layout, heights } : null;
  },

  at(element) {
    return this.layout[this.plan.slots.indexOf(element)] ?? -1;
  },

  left(kind) {
    if (kind < 0) return 0;
    return this.plan.kinds[kind].count - this.layout.reduce((sum, other, slot) => sum + (other === kind ? this.heights[slot] : 0), 0);
  },

  /** Where pieces are piled up: the kind that a slot takes, if there are some left. */
  fitting(slot) {
    return this.plan.piles ? this.plan.kinds.findIndex((kind, index) => !kind.barred.includes(slot) && this.left(index) > 0) : -1;
  },

  toPlace() {
    if (this.plan.spare) return this.layout.filter((kind) => kind < 0).length;
    return this.plan.kinds.reduce((sum, _, kind) => sum + this.left(kind), 0);
  },

  /** Pieces may lie on the page, as cards of a hand: which kind is an element? */
  kindOf(element) {
    return element ? this.plan.kinds.findIndex((kind) => kind.element === element) : -1;
  },

  /** What is in the hand, in words; "" for nothing. */
  named() {
    if (!this.hand) return "";
    return this.plan.kinds[this.hand.kind ?? this.layout[this.hand.slot]]?.label ?? "";
  },

  /** The element of the piece in the hand, where it has one. */
  held() {
    return this.plan.kinds[this.hand?.kind]?.element || null;
  },

  lit() {
    if (!this.hand && this.plan.piles) return new Set(this.plan.slots.filter((_, slot) => this.fitting(slot) >= 0 || this.layout[slot] >= 0));
    if (!this.hand) return new Set(this.plan.kinds.flatMap((kind, index) => (kind.element && this.left(index) ? [kind.element] : [])));
    const barred = this.plan.kinds[this.hand.kind ?? this.layout[this.hand.slot]]?.barred ?? [];
    const slots = this.plan.slots.filter((_, slot) => !barred.includes(slot));
    return new Set([...slots, ...(this.held() ? ahead([this.held()]).next : [])]);
  },

  picked() {
    if (this.hand?.slot !== undefined) return [this.plan.slots[this.hand.slot]];
    return this.held() ? [this.held()] : [];
  },

  // Clicks ------------------------------------------------------------------------------

  take(kind, dragging = false) {
    hush();
    if (this.hand?.slot !== undefined) return this.remove(this.plan.slots[this.hand.slot]);
    const again = this.hand?.kind === kind && !dragging;
    this.hand = again || this.left(kind) < 1 ? null : { kind };
    if (this.hand) say(fill(strings.picked, { what: this.plan.kinds[kind].label, n: this.plan.slots.length }));
    this.change();
  },

  lift(element) {
    this.hand = { slot: this.plan.slots.indexOf(element) };
    this.change();
  },

  drop() {
    if (!this.hand) return;
    this.hand = null;
    this.change();
  },

  choose(element) {
    const slot = this.plan.slots.indexOf(element);
    if (this.kindOf(element) >= 0) return this.take(this.kindOf(element));
    if (slot < 0) return this.otherwise(element) || refuse([this.held(), element].filter(Boolean));
    if (this.plan.piles && this.hand && !this.lit().has(element)) this.hand = null;
    if (this.hand) return this.put(slot);
    if (this.fitting(slot) >= 0) return this.add(slot, this.fitting(slot));
    if (this.layout[slot] < 0) return say(strings.empty);
    this.lift(element);
  },

  /** What is in the hand may be good for something else than to be placed: say whether. */
  otherwise(element) {
    const [gesture] = this.held() ? ahead([this.held(), element]).complete : [];
    if (gesture) this.drop();
    return gesture ? (play(gesture), true) : false;
  },

  put(slot) {
    const { hand, layout, plan } = this;
    const kind = plan.kinds[hand.kind ?? layout[hand.slot]];
    if (kind?.barred?.includes(slot)) return refuse([kind.element, plan.slots[slot]]);
    if (plan.piles) {
      const piece = hand.kind ?? layout[hand.slot];
      if (hand.slot !== undefined) this.lower(hand.slot);
      if (hand.slot !== undefined || this.left(piece) < 2) this.hand = null;
      return this.add(slot, piece);
    }
    if (hand.slot !== undefined) {
      const moved = layout[hand.slot];
      const swapped = layout[slot] >= 0 && slot !== hand.slot;
      for (const list of [layout, this.heights]) [list[hand.slot], list[slot]] = [list[slot], list[hand.slot]];
      this.hand = null;
      say(swapped ? strings.swapped : this.sentence(strings.put, moved, slot));
    } else {
      layout[slot] = hand.kind;
      this.heights[slot] = 1;
      say(this.sentence(strings.put, hand.kind, slot));
      if (plan.spare || this.left(hand.kind) < 1) this.hand = null;
    }
    this.change();
  },

  /** Put one piece more on a pile. */
  add(slot, kind) {
    this.layout[slot] = kind;
    this.heights[slot] += 1;
    say(this.sentence(strings.put, kind, slot));
    this.change();
  },

  lower(slot) {
    this.heights[slot] -= 1;
    if (this.heights[slot] < 1) this.layout[slot] = -1;
  },

  land(element) {
    const slot = this.plan.slots.indexOf(element);
    if (slot < 0 && element && this.otherwise(element)) return;
    if (slot >= 0 && this.hand) {
      this.put(slot);
      this.hand = null;
    } else if (this.hand?.slot !== undefined) {
      return this.remove(this.plan.slots[this.hand.slot]);
    }
    this.hand = null;
    this.change();
  },

  remove(element) {
    const slot = this.plan.slots.indexOf(element);
    if (this.layout[slot] >= 0) {
      say(this.sentence(strings.taken, this.layout[slot], slot));
      this.lower(slot);
    }
    this.hand = null;
    this.change();
  },

  sentence(text, kind, slot) {
    return fill(text, { piece: this.plan.kinds[kind].label, place: nameOf(this.plan.slots[slot]).split(":")[0].trim() });
  },

  // Whole layouts -------------------------------------------------------------------------

  set(plan) {
    this.restore(plan);
    this.hand = null;
    this.change();
  },

  mirrored() {
    const { mirror } = this.plan;
    return { layout: mirror.map((slot) => this.layout[slot]), heights: mirror.map((slot) => this.heights[slot]) };
  },

  /** Put what is left at random on free places; with nothing left, begin anew with all. */
  shuffled() {
    const { layout, heights } = this.toPlace() ? this : this.bare();
    if (this.plan.piles) return this.strewn([...layout], [...heights]);
    const mixed = [...layout];
    const pieces = this.plan.kinds.flatMap((kind, index) => Array(kind.count - layout.filter((k) => k === index).length).fill(index));
    const free = layout.flatMap((kind, slot) => (kind < 0 ? [slot] : []));
    for (const piece of pieces) {
      const [slot] = free.splice(Math.floor(Math.random() * free.length), 1);
      mixed[slot] = piece;
    }
    return { layout: mixed };
  },

  /** Strew what is left over all slots where it may lie, each piece by itself. */
  strewn(layout, heights) {
    this.plan.kinds.forEach((kind, index) => {
      const open = layout.flatMap((_, slot) => (kind.barred.includes(slot) ? [] : [slot]));
      const held = layout.reduce((sum, other, slot) => sum + (other === index ? heights[slot] : 0), 0);
      for (let piece = held; piece < kind.count; piece++) {
        const slot = open[Math.floor(Math.random() * open.length)];
        layout[slot] = index;
        heights[slot] += 1;
      }
    });
    return { layout, heights };
  },

  /** The actions of this layout, slot by slot; after the last piece nothing is left to decide. */
  actions() {
    const { kinds, offsets, spare, piles } = this.plan;
    if (piles) return this.layout.flatMap((kind, slot) => (kind < 0 ? [] : Array(this.heights[slot]).fill(kinds[kind].action + offsets[slot])));
    if (spare) return this.layout.map((kind, slot) => kinds[kind].action + (offsets[slot] ?? 0));
    const last = this.layout.findLastIndex((kind) => kind >= 0);
    return this.layout.slice(0, last + 1).map((kind) => (kind < 0 ? this.plan.empty : this.plan.kinds[kind].action));
  },

  async send() {
    if (this.toPlace()) return toast(fill(strings.tray_to_place, { n: this.toPlace() }));
    const draft = `tianxia:draft:${table().dataset.table}:${table().dataset.viewer}`;
    await act(this.actions(), () => {
      try { localStorage.removeItem(draft); } catch { /* nothing was kept */ }
    });
  },

  // Saved ones ----------------------------------------------------------------------------

  shelf() {
    return `setups:${this.plan.slots.length}:${this.plan.kinds.map((kind) => kind.id + kind.count).join(",")}`;
  },

  saved() {
    return store.get(this.shelf(), {});
  },

  save(name) {
    const kept = store.set(this.shelf(), { ...this.saved(), [name]: this.toIds() });
    toast(kept ? strings.saved : strings.no_storage);
    this.fillPresets(`saved:${name}`);
  },

  forget(name) {
    const { [name]: gone, ...rest } = this.saved();
    if (gone && store.set(this.shelf(), rest)) toast(strings.deleted);
    this.fillPresets("");
  },

  load(value) {
    if (value.startsWith("saved:")) {
      const layout = this.fromIds(this.saved()[value.slice(6)]);
      if (layout) this.set(layout);
    } else if (value) {
      const preset = this.plan.presets.find((one) => `preset:${one.id}` === value);
      if (preset) this.set(preset);
    }
    $("tray-forget").hidden = !value.startsWith("saved:");
  },

  // The tray ------------------------------------------------------------------------------

  /** What is always at hand: how many are left, and "Ready" in its own place. */
  buildGo(...more) {
    $("go-tray").replaceChildren(
      make("p", { id: "tray-left" }),
      ...more,
      pressed(strings.ready, () => this.send(), { class: "button primary", id: "tray-ready" }),
    );
  },

  build() {
    const onPage = this.plan.kinds.every((kind) => kind.element);
    $("tray").classList.toggle("is-small", onPage);
    const clear = (extra) => pressed(strings.clear, () => this.set(this.bare()), extra);
    this.buildGo(...(onPage ? [clear()] : []));
    if (onPage) return $("tray").replaceChildren();
    const kinds = this.plan.kinds.map((kind, index) =>
      make("button", { type: "button", class: "kind", "data-kind": index, "aria-pressed": "false", title: kind.label }, symbol(kind), make("span", { class: "kind-label" }, kind.label), make("span", { class: "kind-left" })),
    );
    const select = make("select", { id: "tray-presets", "aria-label": strings.tray_presets });
    select.addEventListener("change", () => this.load(select.value));
    const name = make("input", { id: "tray-name", type: "text", maxlength: "30", placeholder: strings.save_as, "aria-label": strings.save_as });
    const save = make("form", { class: "row" }, name, pressed(strings.save, () => {}, { type: "submit" }));
    save.addEventListener("submit", (event) => {
      event.preventDefault();
      if (name.value.trim()) this.save(name.value.trim());
    });
    $("tray").replaceChildren(
      make("div", { class: "row" },
        select,
        this.plan.mirror.length ? pressed(strings.mirror, () => this.set(this.mirrored())) : "",
        pressed(strings.shuffle, () => this.set(this.shuffled())),
        clear(),
      ),
      make("div", { class: "kinds", role: "group", "aria-label": strings.tray_title }, ...kinds),
      make("details", { id: "tray-more" },
        make("summary", {}, strings.tray_more),
        make("p", { class: "hint" }, this.plan.piles ? strings.tray_hint_piles : strings.tray_hint),
        make("div", { class: "row" }, save, pressed(strings.delete, () => this.forget(select.value.slice(6)), { id: "tray-forget", hidden: true })),
      ),
    );
    this.fillPresets("");
  },

  fillPresets(value) {
    const option = (text, id) => make("option", { value: id }, text);
    const own = Object.keys(this.saved()).sort();
    const select = $("tray-presets");
    select.replaceChildren(option(strings.tray_presets, ""), ...this.plan.presets.map((one) => option(one.label, `preset:${one.id}`)));
    if (own.length) select.append(make("optgroup", { label: strings.saved_group }, ...own.map((name) => option(name, `saved:${name}`))));
    select.value = value;
    $("tray-forget").hidden = !value.startsWith("saved:");
  },

  change() {
    if (!this.on) return;
    this.keep();
    this.draw();
    light();
  },

  draw() {
    const left = this.toPlace();
    $("tray-left").textContent = left ? fill(strings.tray_to_place, { n: left }) : strings.tray_full;
    $("tray-ready").toggleAttribute("data-waiting", left > 0);
    for (const button of $("tray").querySelectorAll("[data-kind]")) {
      const kind = Number(button.dataset.kind);
      const count = this.left(kind);
      button.classList.toggle("is-used-up", count < 1);
      button.setAttribute("aria-pressed", String(this.hand?.kind === kind));
      button.querySelector(".kind-left").textContent = count ? `×${count}` : "✓";
      button.setAttribute("aria-label", `${this.plan.kinds[kind].label}: ${count ? fill(strings.tray_left, { n: count }) : strings.tray_placed}`);
    }
    this.plan.kinds.forEach((kind, index) => {
      for (const node of kind.element ? nodes(kind.element) : []) {
        node.dataset.used = kind.count - this.left(index);
        const badge = node.querySelector(".count-badge");
        if (badge) badge.textContent = this.left(index) || "";
      }
    });
    this.drawPieces();
  },

  /** Draw the pieces on their places, in the board's own picture. */
  drawPieces() {
    const svg = $("board").querySelector("svg");
    if (!svg) return;
    svg.querySelector("#draft")?.remove();
    const layer = document.createElementNS(SVG, "g");
    layer.id = "draft";
    layer.setAttribute("aria-hidden", "true");
    const toPicture = svg.getScreenCTM()?.inverse();
    this.plan.slots.forEach((element, slot) => {
      const place = nodeOf(element);
      if (!place) return;
      place.dataset.plainLabel ??= place.getAttribute("aria-label") ?? element;
      const kind = this.layout[slot];
      const told = this.plan.spare ? `${place.dataset.plainLabel}; ` : `${element}: ${this.plan.piles ? `${this.heights[slot]} × ` : ""}`;
      place.setAttribute("aria-label", kind < 0 ? place.dataset.plainLabel : `${told}${this.plan.kinds[kind].label}`);
      if (kind < 0 || !toPicture) return;
      const frame = svg.querySelector(`[data-slot="${CSS.escape(element)}"]`) ?? place;
      const box = frame.getBoundingClientRect();
      const corner = new DOMPoint(box.left, box.top).matrixTransform(toPicture);
      const other = new DOMPoint(box.right, box.bottom).matrixTransform(toPicture);
      const use = document.createElementNS(SVG, "use");
      use.setAttribute("href", `#${this.plan.kinds[kind].symbol}`);
      const piece = this.plan.piles ? pileOf(use, this.heights[slot]) : use;
      piece.setAttribute("class", "piece draft-piece");
      piece.dataset.at = element;
      piece.setAttribute("transform", `translate(${corner.x} ${corner.y}) scale(${(other.x - corner.x) / 100})`);
      layer.append(piece);
    });
    const home = svg.querySelector("[data-draft]");
    if (home) return home.append(layer);
    // Under the places, which then show what is chosen above the pieces.
    const first = svg.querySelector("[data-e]");
    const before = [...svg.children].find((child) => child.contains(first));
    svg.insertBefore(layer, before ?? null);
  },
};

/** A drawn piece with the number of those that lie there. */
function pileOf(use, height) {
  const pile = document.createElementNS(SVG, "g");
  const text = document.createElementNS(SVG, "text");
  text.setAttribute("class", "draft-height");
  text.setAttribute("x", "50");
  text.setAttribute("y", "88");
  text.textContent = height;
  pile.append(use, text);
  return pile;
}

function symbol(kind) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 100 100");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#${kind.symbol}`);
  svg.append(use);
  return svg;
}
