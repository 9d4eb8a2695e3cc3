// What lies where in an arrangement, and what may: no page, no hand.

import { times } from "./gestures.js";

/**
 * @typedef {{id: string, label: string, symbol: string, count: number, action: number, element?: string, barred?: number[]}} Kind
 * @typedef {{layout: number[], heights?: number[]}} Laid Of each slot the index of a kind, or -1, and how many
 *   pieces lie there: more than one where they are piled up.
 * @typedef {{kind: number, piles: number[][]}} Placement Where all pieces of a kind may lie: slots, and how many.
 * @typedef {{slots: string[], kinds: Kind[], empty: ?number, presets: (Laid & {id: string, label: string, placements?: Placement[]})[],
 *   mirror: number[], offsets: number[], spare: boolean, piles: boolean, words?: Record<string, string>}} Plan
 */

export class Layout {
  /** @param {Plan} plan */
  constructor(plan) {
    this.plan = plan;
    /** @type {number[]} */
    this.layout = [];
    /** @type {number[]} */
    this.heights = [];
    this.clear();
  }

  clear() {
    this.restore({ layout: this.plan.slots.map(() => -1) });
  }

  /** @param {Laid} laid */
  restore({ layout, heights }) {
    this.layout = [...layout];
    this.heights = heights?.length ? [...heights] : layout.map((kind) => Number(kind >= 0));
  }

  /** A copy of how all lies now. @returns {{layout: number[], heights: number[]}} */
  now() {
    return { layout: [...this.layout], heights: [...this.heights] };
  }

  /** Whether all lies like this. @param {Laid} other */
  is({ layout, heights }) {
    return this.layout.every((kind, slot) => kind === layout[slot] && this.heights[slot] === (heights?.[slot] ?? Number(kind >= 0)));
  }

  /** Let what lies of the other kinds lie as before, where all pieces of a kind did. @param {Laid} before @param {number} kept */
  returnOthers(before, kept) {
    const { kinds, slots } = this.plan;
    for (const kind of kinds.keys()) {
      const piles = [...slots.keys()].filter((slot) => before.layout[slot] === kind).map((slot) => [slot, before.heights?.[slot] ?? 1]);
      const all = piles.reduce((sum, [, count]) => sum + count, 0) === kinds[kind].count;
      if (kind !== kept && all) this.lay({ kind, piles });
    }
  }

  /** As it is kept: for each slot the id of a kind, where pieces are piled up with their number. */
  toIds() {
    const { kinds, piles } = this.plan;
    return this.layout.map((kind, slot) => (kind < 0 ? "" : kinds[kind].id + (piles ? ` ${this.heights[slot]}` : "")));
  }

  /** What was kept; null if it does not fit here. @param {unknown} ids @returns {?Laid} */
  fromIds(ids) {
    const { kinds, slots, spare } = this.plan;
    if (!Array.isArray(ids) || ids.length !== slots.length) return null;
    const pairs = ids.map((id) => String(id).split(" "));
    const layout = pairs.map(([id]) => kinds.findIndex((kind) => kind.id === id));
    if (spare) return { layout: layout.map((kind, slot) => (times(kind, layout.slice(0, slot + 1)) <= kinds[kind]?.count && this.suits(kind, slot) ? kind : -1)) };
    const heights = pairs.map(([, height], slot) => (layout[slot] < 0 ? 0 : Number(height ?? 1)));
    const held = (/** @type {number} */ index) => layout.reduce((sum, kind, slot) => sum + (kind === index ? heights[slot] : 0), 0);
    const possible = layout.every((kind, slot) => this.suits(kind, slot)) && kinds.every((kind, index) => held(index) <= kind.count);
    return possible ? { layout, heights } : null;
  }

  /** Whether a kind may lie on a slot. @param {number} kind @param {number} slot */
  suits(kind, slot) {
    return !this.plan.kinds[kind]?.barred?.includes(slot);
  }

  /** How many of a kind are left to be placed. @param {number} kind */
  left(kind) {
    if (kind < 0) return 0;
    return this.plan.kinds[kind].count - this.layout.reduce((sum, other, slot) => sum + (other === kind ? this.heights[slot] : 0), 0);
  }

  /** Where pieces are piled up: the kind that a slot takes, if there are some left; else -1. @param {number} slot */
  fitting(slot) {
    return this.plan.piles ? this.plan.kinds.findIndex((_, kind) => this.suits(kind, slot) && this.left(kind) > 0) : -1;
  }

  toPlace() {
    if (this.plan.spare) return times(-1, this.layout);
    return this.plan.kinds.reduce((sum, _, kind) => sum + this.left(kind), 0);
  }

  /** Put one piece more on a slot. @param {number} slot @param {number} kind */
  add(slot, kind) {
    this.heights[slot] = this.plan.piles ? this.heights[slot] + 1 : 1;
    this.layout[slot] = kind;
  }

  /** Take one piece away. @param {number} slot */
  lower(slot) {
    this.heights[slot] -= 1;
    if (this.heights[slot] < 1) this.layout[slot] = -1;
  }

  /** Let some pieces of a kind go to a slot: from another one, or from the tray (-1).
   * @param {number} kind @param {number} from @param {number} to @param {number} count
   */
  pass(kind, from, to, count) {
    for (let passed = 0; passed < count; passed++) {
      if (from >= 0) this.lower(from);
      this.add(to, kind);
    }
  }

  /** Lay all pieces of a kind down as a whole. @param {Placement} placement */
  lay({ kind, piles }) {
    for (const [slot, other] of this.layout.entries()) if (other === kind) [this.layout[slot], this.heights[slot]] = [-1, 0];
    for (const [slot, count] of piles) this.pass(kind, -1, slot, count);
  }

  /** Exchange what lies on two slots. @param {number} one @param {number} other */
  swap(one, other) {
    for (const list of [this.layout, this.heights]) [list[one], list[other]] = [list[other], list[one]];
  }

  turn() {
    const { mirror } = this.plan;
    this.restore({ layout: mirror.map((slot) => this.layout[slot]), heights: mirror.map((slot) => this.heights[slot]) });
  }

  /** Place what is left at random, each piece by itself; with nothing left, begin anew with all. */
  shuffle(random = Math.random) {
    const { kinds, piles, slots } = this.plan;
    if (!this.toPlace()) this.clear();
    for (const kind of kinds.keys()) {
      for (let left = this.left(kind); left > 0; left--) {
        const open = [...slots.keys()].filter((slot) => (piles || this.layout[slot] < 0) && this.suits(kind, slot));
        if (open.length) this.add(open[Math.floor(random() * open.length)], kind);
      }
    }
  }

  /** The actions of this layout, slot by slot; after the last piece nothing is left to decide. */
  actions() {
    const { kinds, offsets, spare, piles, empty } = this.plan;
    const { layout, heights } = this;
    const at = (/** @type {number} */ slot) => kinds[layout[slot]].action + (offsets[slot] ?? 0);
    if (piles) return layout.flatMap((kind, slot) => (kind < 0 ? [] : Array(heights[slot]).fill(at(slot))));
    if (spare) return layout.map((_, slot) => at(slot));
    const last = layout.findLastIndex((kind) => kind >= 0);
    return layout.slice(0, last + 1).map((kind) => (kind < 0 ? empty : kinds[kind].action));
  }
}
