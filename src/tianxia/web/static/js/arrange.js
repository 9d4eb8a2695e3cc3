// Arrangements: many placements made in peace and sent at once. Games without one never fetch this.

import { hush, say, toast } from "./announce.js";
import { play } from "./choosing.js";
import { Layout } from "./layout.js";
import { ahead, light } from "./meaning.js";
import { fill, nameOf, strings, table } from "./page.js";
import { act, refuse } from "./sending.js";
import { store } from "./settings.js";
import * as tray from "./tray.js";

const draft = () => `draft:${table().dataset.table}:${table().dataset.viewer}`;

export const arrange = {
  on: false,
  /** @type {?import("./layout.js").Plan} */
  plan: null,
  /** @type {?Layout} */
  laid: null,
  /** A kind from the tray, or a slot of the board. @type {?{kind?: number, slot?: number}} */
  hand: null,

  begin(plan) {
    const same = this.on && plan && JSON.stringify(plan) === JSON.stringify(this.plan);
    this.on = Boolean(plan);
    table().classList.toggle("is-arranging", this.on);
    if (!same) this.hand = null;
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
    return this.hand ? (this.hand.kind ?? this.laid.layout[this.hand.slot]) : -1;
  },

  /** What is in the hand, in words; "" for nothing. */
  named() {
    return this.plan.kinds[this.inHand()]?.label ?? "";
  },

  /** The element of the piece in the hand, where it has one. */
  held() {
    return this.plan.kinds[this.hand?.kind]?.element || null;
  },

  lit() {
    const { kinds, piles, slots } = this.plan;
    if (this.hand) return new Set([...slots.filter((_, slot) => this.laid.suits(this.inHand(), slot)), ...(this.held() ? ahead([this.held()]).next : [])]);
    if (piles) return new Set(slots.filter((_, slot) => this.laid.fitting(slot) >= 0 || this.laid.layout[slot] >= 0));
    return new Set(kinds.flatMap((kind, index) => (kind.element && this.left(index) ? [kind.element] : [])));
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
    if (this.laid.fitting(slot) >= 0) return this.add(slot, this.laid.fitting(slot));
    if (this.laid.layout[slot] < 0) return say(strings.empty);
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
    if (!laid.suits(kind, slot)) return refuse([plan.kinds[kind].element, plan.slots[slot]]);
    if (hand.slot !== undefined && !plan.piles) {
      const swapped = laid.layout[slot] >= 0 && slot !== hand.slot;
      laid.swap(hand.slot, slot);
      this.hand = null;
      say(swapped ? strings.swapped : this.sentence(strings.put, kind, slot));
      return this.change();
    }
    if (hand.slot !== undefined) laid.lower(hand.slot);
    this.add(slot, kind);
    if (hand.slot !== undefined || plan.spare || this.left(kind) < 1) this.drop();
  },

  add(slot, kind) {
    this.laid.add(slot, kind);
    say(this.sentence(strings.put, kind, slot));
    this.change();
  },

  land(element) {
    const slot = this.plan.slots.indexOf(element);
    if (slot < 0 && element && this.otherwise(element)) return;
    if (slot >= 0 && this.hand) this.put(slot);
    else if (this.hand?.slot !== undefined) return this.remove(this.plan.slots[this.hand.slot]);
    this.hand = null;
    this.change();
  },

  remove(element) {
    const slot = this.plan.slots.indexOf(element);
    if (this.laid.layout[slot] >= 0) {
      say(this.sentence(strings.taken, this.laid.layout[slot], slot));
      this.laid.lower(slot);
    }
    this.hand = null;
    this.change();
  },

  sentence(text, kind, slot) {
    return fill(text, { piece: this.plan.kinds[kind].label, place: nameOf(this.plan.slots[slot]).split(":")[0].trim() });
  },

  /** Lay something else: a whole layout, or what a function makes of this one. */
  set(next) {
    if (typeof next === "function") next(this.laid);
    else this.laid.restore(next);
    this.hand = null;
    this.change();
  },

  change() {
    if (!this.on) return;
    store.set(draft(), this.laid.toIds());
    tray.draw(this);
    light();
  },

  drawPieces() {
    tray.drawPieces(this);
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
