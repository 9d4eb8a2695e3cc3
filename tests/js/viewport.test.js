import { deepEqual, equal, ok } from "node:assert/strict";
import * as viewport from "../../src/tianxia/web/static/js/viewport.js";

const WHOLE = [-50, 0, 1000, 500];
const PHONE = [400, 400]; // 0.4 pixels a unit

Deno.test("all of a drawing is seen, and more where the place is higher than it", () => {
  deepEqual(viewport.boxOf(viewport.all(WHOLE), WHOLE, PHONE), [-50, -250, 1000, 1000]);
});

Deno.test("what is made larger stays under the fingers", () => {
  const once = viewport.scaled(viewport.all(WHOLE), 4, [250, 125], WHOLE, PHONE);
  const [left, top, width, height] = viewport.boxOf(once, WHOLE, PHONE);
  equal(width, 250);
  equal((250 - left) / width, 0.3); // as before: (250 + 50) / 1000
  equal((125 - top) / height, 0.375); // and (125 + 250) / 1000
});

Deno.test("nothing is seen beside a drawing that is larger than its place", () => {
  const near = viewport.scaled(viewport.all(WHOLE), 4, [0, 0], WHOLE, PHONE);
  const corner = viewport.boxOf(viewport.moved(near, 9999, 9999, WHOLE, PHONE), WHOLE, PHONE);
  deepEqual(corner, [-50, 0, 250, 250]);
  const other = viewport.boxOf(viewport.moved(near, -9999, -9999, WHOLE, PHONE), WHOLE, PHONE);
  deepEqual(other, [700, 250, 250, 250]);
});

Deno.test("it is never smaller than all of it, nor larger than it may be", () => {
  const whole = viewport.all(WHOLE);
  deepEqual(viewport.scaled(whole, 0.1, [0, 0], WHOLE, PHONE), whole);
  equal(viewport.scaled(whole, 99, [0, 0], WHOLE, PHONE).zoom, viewport.MOST);
});

Deno.test("a part is brought into the middle, as large as it fits", () => {
  const [left, top, width, height] = viewport.boxOf(viewport.closeTo([400, 200, 200, 100], WHOLE, PHONE), WHOLE, PHONE);
  deepEqual([left, top, width, height], [400, 150, 200, 200]);
  ok(viewport.closeTo([400, 200, 1, 1], WHOLE, PHONE).zoom <= viewport.MOST);
});
