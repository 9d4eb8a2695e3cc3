import { deepEqual, equal } from "node:assert/strict";
import { Layout } from "../../src/tianxia/web/static/js/layout.js";

const KINDS = [
  { id: "x", symbol: "s-x", label: "Cross", count: 2, action: 11 },
  { id: "y", symbol: "s-y", label: "Yoke", count: 1, action: 21, barred: [0] },
];
const PLAN = { slots: ["a", "b", "c", "d"], kinds: KINDS, empty: 10, presets: [], mirror: [3, 2, 1, 0], offsets: [0, 1, 2, 3], spare: false, piles: false };

function laid(layout, changes = {}, heights = []) {
  const made = new Layout({ ...PLAN, ...changes });
  made.restore({ layout, heights });
  return made;
}

Deno.test("empty slots before the last piece have an action, those behind it none", () => {
  deepEqual(laid([-1, 0, 1, -1]).actions(), [10, 11, 21]);
  deepEqual(laid([-1, -1, -1, -1]).actions(), []);
});

Deno.test("where actions name their place, piles and spare pieces are told by it", () => {
  deepEqual(laid([0, -1, 1, -1], { piles: true }, [2, 0, 1, 0]).actions(), [11, 11, 23]);
  deepEqual(laid([0, 1, 0, 0], { spare: true }).actions(), [11, 22, 13, 14]);
});

Deno.test("what is left is counted by pieces, where some are spare by empty slots", () => {
  equal(laid([0, -1, -1, -1]).toPlace(), 2);
  equal(laid([0, -1, -1, -1], { piles: true }, [2, 0, 0, 0]).left(0), 0);
  equal(laid([0, -1, -1, -1], { spare: true }).toPlace(), 3);
  equal(laid([0, -1, -1, -1]).left(-1), 0);
});

Deno.test("a pile takes the kind that may lie there while there is some left", () => {
  const piles = laid([-1, -1, -1, -1], { piles: true });
  equal(piles.fitting(0), 0);
  piles.add(0, 0);
  piles.add(0, 0);
  equal(piles.fitting(0), -1); // the other kind is barred there
  equal(piles.fitting(1), 1);
  piles.lower(0);
  deepEqual([piles.layout[0], piles.heights[0]], [0, 1]);
  piles.lower(0);
  equal(piles.layout[0], -1);
});

Deno.test("a set-up of one kind leaves the others as they lay before, where all of them did", () => {
  const [before, none] = [{ layout: [0, 1, -1, -1], heights: [2, 1, 0, 0] }, { layout: [-1, -1, -1, -1] }];
  const one = laid([-1, -1, 1, 0], { piles: true }, [0, 0, 1, 2]);
  deepEqual([one.is(one.now()), one.is(before)], [true, false]);
  one.returnOthers(none, 0);
  deepEqual(one.layout, [-1, -1, 1, 0]);
  one.returnOthers(before, 0);
  deepEqual([one.layout, one.heights], [[-1, 1, -1, 0], [0, 1, 0, 2]]);
});

Deno.test("what was kept comes back as it was", () => {
  for (const changes of [{}, { piles: true }, { spare: true }]) {
    const one = laid([0, 1, -1, 0], changes);
    const { layout, heights } = one.fromIds(one.toIds());
    deepEqual(layout, one.layout);
    deepEqual(heights ?? one.heights, one.heights);
  }
});

Deno.test("what was kept of another game, by another hand or too much of it is not taken", () => {
  const one = laid([0, 1, -1, 0]);
  equal(one.fromIds(null), null);
  equal(one.fromIds(["x"]), null);
  equal(one.fromIds(["x", "x", "x", ""]), null); // there are two
  equal(one.fromIds(["y", "", "", ""]), null); // barred
  deepEqual(one.fromIds(["?", "", "", "x"]).layout, [-1, -1, -1, 0]);
  const spare = laid([-1, -1, -1, -1], { spare: true });
  deepEqual(spare.fromIds(["y", "x", "x", "x"]).layout, [-1, 0, 0, -1]); // what does not fit is left out
});

Deno.test("a layout is turned round, two places are exchanged", () => {
  const one = laid([0, 1, -1, -1]);
  one.turn();
  deepEqual(one.layout, [-1, -1, 1, 0]);
  one.swap(0, 3);
  deepEqual(one.layout, [0, -1, 1, -1]);
  deepEqual(one.heights, [1, 0, 1, 0]);
});

Deno.test("shuffling keeps what lies there, places the rest where it may lie, and else begins anew", () => {
  for (let seed = 0; seed < 20; seed += 1) {
    let state = seed;
    const random = () => (state = (state * 16807 + 11) % 2147483647) / 2147483647;
    for (const piles of [false, true]) {
      const one = laid([-1, -1, 0, -1], { piles });
      one.shuffle(random);
      equal(one.toPlace(), 0);
      equal(one.layout[2] >= 0, true);
      equal(one.layout[0] === 1, false);
      one.shuffle(random);
      equal(one.toPlace(), 0);
    }
  }
});

Deno.test("so many of a pile, or from the tray, go to another slot", () => {
  const one = laid([0, -1, -1, -1], { piles: true }, [2, 0, 0, 0]);
  one.pass(0, 0, 1, 2);
  deepEqual([one.layout, one.heights], [[-1, 0, -1, -1], [0, 2, 0, 0]]);
  one.pass(1, -1, 2, 1);
  deepEqual([one.layout, one.heights], [[-1, 0, 1, -1], [0, 2, 1, 0]]);
});

Deno.test("all of a kind are laid down as a whole, others stay", () => {
  const one = laid([0, -1, 1, -1], { piles: true }, [2, 0, 1, 0]);
  one.lay({ kind: 0, piles: [[1, 1], [3, 1]] });
  deepEqual([one.layout, one.heights], [[-1, 0, 1, 0], [0, 1, 1, 1]]);
});
