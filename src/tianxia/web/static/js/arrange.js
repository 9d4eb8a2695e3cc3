// Arrangements: many placements made in peace and sent at once. Games without one never fetch this.

import { hush, say, toast } from "./announce.js";
import { play } from "./choosing.js";
import * as formations from "./formations.js";
import { Layout } from "./layout.js";
import { ahead, light } from "./meaning.js";
import { fill, nameOf, strings, table } from "./page.js";
import { act, refuse } from "./sending.js";
import { settings, store } from "./settings.js";
import * as tray from "./tray.js";

const draft = () => `draft:${table().dataset.table}:${table().dataset.viewer}`;

export const arrange = {
  on: false,
  /** @type {?import("./layout.js").Plan} */
  plan: null,
  /** @type {?Layout} */
  laid: null,
  /** A kind from the tray, a slot of the board, or a ready set-up. @type {?{kind?: number, slot?: number, preset?: number}} */
  hand: null,
  /** What went last from a slot (or the tray: -1) to another, of how many, and how all lay before.
   * @type {?{kind: number, from: number, to: number, count: number, most: number, before: import("./layout.js").Laid}} */
  sent: null,
  /** A ready set-up that was laid as a whole, and how all lay before. @type {?{preset: number, before: import("./layout.js").Laid}} */
  whole: null,

  begin(plan) {
    const same = this.on && plan && JSON.stringify(plan) === JSON.stringify(this.plan);
    this.on = Boolean(plan);
    table().classList.toggle("is-arranging", this.on);
    // What is always at hand is then little enough to stand beside the prompt.
    table().classList.toggle("is-brief", this.on && !plan.words?.sent && !plan.kinds.every((kind) => kind.element));
    if (!same) this.hand = this.sent = this.whole = null;
    if (!plan) return tray.close();
    this.plan = plan;
    if (!same) {
      this.laid = new Layout(plan);
      const kept = this.laid.fromIds(store.get(draft(), null)); // a set-up that was begun survives a reload
      if (kept) this.laid.restore(kept);
      tray.build(this);
    }
    tray.draw(this);
  },

  /** The kind on an element; -1 for none. */
  at(element) {
    return this.laid.layout[this.plan.slots.indexOf(element)] ?? -1;
  },

  left(kind) {
    return this.laid.left(kind);
  },

  /** Pieces may lie on the page, as cards of a hand: which kind is an element? */
  kindOf(element) {
    return element ? this.plan.kinds.findIndex((kind) => kind.element === element) : -1;
  },

  /** The kind in the hand; -1 for none. */
  inHand() {
    return this.hand?.kind ?? this.laid.layout[this.hand?.slot] ?? -1;
  },

  /** What is in the hand, in words; "" for nothing. */
  named() {
    return (this.plan.presets[this.hand?.preset] ?? this.plan.kinds[this.inHand()])?.label ?? "";
  },

  /** The element of the piece in the hand, where it has one. */
  held() {
    return this.plan.kinds[this.hand?.kind]?.element || null;
  },

  lit() {
    const { kinds, piles, presets, slots } = this.plan;
    if (this.hand?.preset !== undefined) return new Set(slots.filter((_, slot) => formations.fits(presets[this.hand.preset], this.laid, slot)));
    if (this.hand) return new Set([...slots.filter((_, slot) => this.laid.suits(this.inHand(), slot)), ...(this.held() ? ahead([this.held()]).next : [])]);
    if (piles) return new Set(slots.filter((_, slot) => this.laid.fitting(slot) >= 0 || this.laid.layout[slot] >= 0));
    return new Set(kinds.flatMap((kind, index) => (kind.element && this.left(index) ? [kind.element] : [])));
  },

  picked() {
    if (this.hand?.slot !== undefined) return [this.plan.slots[this.hand.slot]];
    return this.held() ? [this.held()] : [];
  },

  // Clicks ------------------------------------------------------------------------------

  /** Take a kind from the tray; those beyond the last one are ready set-ups, which lie at once unless they do already. */
  take(kind, dragging = false) {
    hush();
    const ready = kind - this.plan.kinds.length;
    if (ready >= 0 && !dragging && this.hand?.preset !== ready && !this.laid.is(this.plan.presets[ready])) return this.layWhole(ready);
    if (this.hand?.slot !== undefined) return this.remove(this.plan.slots[this.hand.slot], Infinity);
    const { kinds, presets } = this.plan;
    const [next, label] = ready < 0 ? [{ kind }, kinds[kind].label] : [{ preset: ready }, presets[ready].label];
    const again = this.hand?.kind === next.kind && this.hand?.preset === next.preset && !dragging;
    this.hand = again || this.left(next.kind ?? -1) < Number("kind" in next) ? null : next;
    say(this.hand ? fill(strings.picked, { what: label, n: this.lit().size }) : again && strings.unpicked);
    this.change();
  },

  lift(element) {
    this.hand = { slot: this.plan.slots.indexOf(element) };
    say(fill(strings.picked, { what: this.named(), n: this.lit().size }));
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
    if (this.hand?.preset !== undefined) return this.station(slot);
    if (this.plan.piles && this.hand && !this.lit().has(element)) this.hand = null;
    if (this.hand) return this.put(slot);
    if (this.laid.fitting(slot) >= 0) return this.pass(this.laid.fitting(slot), -1, slot);
    if (this.laid.layout[slot] < 0) return toast(strings.empty);
    this.lift(element);
  },

  /** What is in the hand may be good for something else than to be placed: say whether. */
  otherwise(element) {
    const [gesture] = this.held() ? ahead([this.held(), element]).complete : [];
    if (gesture) this.drop();
    return gesture ? (play(gesture), true) : false;
  },

  put(slot) {
    const { hand, laid, plan } = this;
    const kind = this.inHand();
    if (!laid.suits(kind, slot)) return refuse([plan.kinds[kind].element, plan.slots[slot]].filter(Boolean));
    if (hand.slot === slot) {
      say(strings.unpicked);
      return this.drop();
    }
    if (hand.slot !== undefined && !plan.piles) {
      const swapped = laid.layout[slot] >= 0;
      laid.swap(hand.slot, slot);
      this.hand = null;
      this.change();
      const lie = [hand.slot, slot].map((one) => nameOf(plan.slots[one])).join(", ");
      return say(swapped ? `${strings.swapped} ${lie}` : this.sentence(strings.put, kind, slot));
    }
    if (plan.piles) this.pass(kind, hand.slot ?? -1, slot);
    else this.add(slot, kind);
    if (hand.slot !== undefined || plan.spare || this.left(kind) < 1) this.drop();
  },

  add(slot, kind) {
    this.laid.add(slot, kind);
    this.tell(this.sentence(strings.put, kind, slot));
    this.change();
  },

  /** Say what was done, and when it was the last that there was to do. */
  tell(text) {
    say(text);
    if (!this.laid.toPlace()) say(strings.tray_full);
  },

  /** Let pieces go to a slot: one from the tray, else a pile; `step` then says how many. */
  pass(kind, from, to) {
    const most = from < 0 ? this.left(kind) : this.laid.heights[from];
    this.sent = { kind, from, to, count: 0, most, before: this.laid.now() };
    this.step(from < 0 ? 1 : most);
  },

  /** Let so many more go, or fewer, of what went last. */
  step(more) {
    const { sent } = this;
    const count = sent ? Math.min(sent.most, Math.max(0, sent.count + more)) : 0;
    if (count === sent?.count || !sent) return;
    sent.count = count;
    this.laid.restore(sent.before);
    this.laid.pass(sent.kind, sent.from, sent.to, count);
    this.tell(this.told());
    this.change();
  },

  /** What went last, in words. */
  told() {
    if (!this.sent) return "";
    const { count, from, kind, most, to } = this.sent;
    const [start, end] = [this.plan.slots[from] ?? this.plan.kinds[kind].label, this.plan.slots[to]];
    return fill(this.plan.words.sent, { from: start, to: end, n: count, most });
  },

  /** Lay a ready set-up at once, of several armies for each. */
  layWhole(index) {
    const preset = this.plan.presets[index];
    const before = this.laid.now();
    this.set(preset);
    this.whole = { preset: index, before };
    this.name(preset.label, [...this.laid.heights.entries()].filter(([, count]) => count));
  },

  /** Say what a ready set-up is called, and how it lies. */
  name(name, piles) {
    say(fill(strings.labelled, { name, what: piles.map(([where, count]) => `${this.plan.slots[where]} × ${count}`).join(", ") }));
  },

  /** Lay a ready set-up where it comes nearest to a slot. */
  station(slot) {
    const preset = this.plan.presets[this.hand.preset];
    if (!formations.fits(preset, this.laid, slot)) return refuse([this.plan.slots[slot]]);
    const placement = formations.nearest(preset, this.laid, slot);
    if (this.whole?.preset === this.hand.preset) this.laid.returnOthers(this.whole.before, placement.kind);
    this.hand = this.sent = this.whole = null;
    this.laid.lay(placement);
    this.name(preset.label, placement.piles);
    this.change();
  },

  /** Put what is dragged down on an element, or, with none, where it came from: into the tray. */
  land(element) {
    const slot = this.plan.slots.indexOf(element);
    if (slot < 0 && element && this.otherwise(element)) return;
    if (slot >= 0 && this.hand?.preset !== undefined) this.station(slot);
    else if (slot >= 0 && this.hand) this.put(slot);
    else if (element && this.hand && this.plan.piles) refuse([element]);
    else if (this.hand?.slot !== undefined) return this.remove(this.plan.slots[this.hand.slot], Infinity);
    this.hand = null;
    this.change();
  },

  remove(element, most = 1) {
    const slot = this.plan.slots.indexOf(element);
    const kind = this.laid.layout[slot] ?? -1;
    if (kind >= 0) say(this.sentence(strings.taken, kind, slot));
    for (let number = kind < 0 ? 0 : Math.min(most, this.laid.heights[slot]); number > 0; number--) this.laid.lower(slot);
    this.hand = this.sent = null;
    this.change();
  },

  sentence(text, kind, slot) {
    return fill(text, { piece: this.plan.kinds[kind].label, place: nameOf(this.plan.slots[slot]).split(":")[0].trim() });
  },

  /** Lay something else: a whole layout, or what a function makes of this one. */
  set(next) {
    if (typeof next === "function") next(this.laid);
    else this.laid.restore(next);
    this.hand = this.sent = this.whole = null;
    this.change();
  },

  change() {
    if (!this.on) return;
    hush(); // what was said was about how it lay before
    store.set(draft(), this.laid.toIds());
    tray.draw(this);
    formations.show(this);
    light();
  },

  drawPieces() {
    tray.drawPieces(this);
  },

  /** So many of a kind as they are drawn on a slot. */
  piece(slot, kind, height) {
    return tray.pieceOn(this.plan, slot, kind, height);
  },

  async send() {
    const left = this.laid.toPlace();
    if (left) return toast(fill(strings.tray_to_place, { n: left }));
    const sent = `tianxia:${draft()}`;
    await act(this.laid.actions(), () => {
      try { localStorage.removeItem(sent); } catch { /* nothing was kept */ }
    });
  },
};

document.addEventListener("keydown", (event) => {
  const more = { "+": 1, "-": -1 }[event.key];
  if (!more || !settings.keys || event.ctrlKey || event.metaKey || event.target.closest("dialog, input, select, textarea")) return;
  arrange.step(more);
});
