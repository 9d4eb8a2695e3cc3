// Which place a finger means: `python3 run.py tool deno test --no-check tests/js`.

import { equal } from "node:assert/strict";
import { meantAt } from "../../src/tianxia/web/static/js/nearest.js";

/** A place 20 pixels wide and high, by its middle. */
const place = (x, y = 0) => ({ getBoundingClientRect: () => ({ x: x - 10, y: y - 10, width: 20, height: 20 }) });
const finger = (clientX, clientY = 0) => ({ clientX, clientY });

Deno.test("a finger beside a place means it", () => {
  const [one, other] = [place(0), place(60)];
  equal(meantAt([one, other], finger(15, 15)), one);
  equal(meantAt([other, one], finger(15, 15)), one);
  equal(meantAt([one, other], finger(41)), other);
});

Deno.test("a finger far from all means none", () => {
  equal(meantAt([place(0), place(60)], finger(30)), null);
  equal(meantAt([], finger(0)), null);
});

Deno.test("a finger between two that are about as near means none", () => {
  const all = [place(0), place(30)];
  equal(meantAt(all, finger(16)), null);
  equal(meantAt(all.toReversed(), finger(14)), null);
  equal(meantAt(all, finger(11)), all[0]);
});
