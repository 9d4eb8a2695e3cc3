import { deepEqual, equal } from "node:assert/strict";
import { follow } from "../../src/tianxia/web/static/js/gestures.js";
import { nearest } from "../../src/tianxia/web/static/js/nearest.js";

Deno.test("a gesture is followed part by part; what does not fit is none", () => {
  const gesture = { a: 1, l: "", s: [["a"], ["b", "c"]] };
  deepEqual(follow(gesture, []), ["a"]);
  deepEqual(follow(gesture, ["a"]), ["b", "c"]);
  deepEqual(follow(gesture, ["a", "c"]), []);
  equal(follow(gesture, ["b"]), null);
  equal(follow(gesture, ["a", "c", "c"]), null);
});

Deno.test("a set may be clicked in any order, each part as often as it is in it", () => {
  const gesture = { a: 1, l: "", s: [{ set: ["a", "a", "b"] }, ["c"]] };
  deepEqual(follow(gesture, ["a"]), ["a", "a", "b"]);
  deepEqual(follow(gesture, ["a", "a"]), ["b"]);
  deepEqual(follow(gesture, ["b", "a", "a"]), ["c"]);
  equal(follow(gesture, ["a", "a", "a"]), null);
});

Deno.test("a part may have to be clicked several times", () => {
  const gesture = { a: 1, l: "", s: [{ one: "a", count: 2 }] };
  deepEqual(follow(gesture, ["a"]), ["a"]);
  deepEqual(follow(gesture, ["a", "a"]), []);
});

Deno.test("arrow keys lead to the nearest place in their direction, or nowhere", () => {
  const at = { a: [0, 0], b: [100, 0], c: [200, 10], d: [0, 100] };
  const to = (direction) => nearest(Object.keys(at), "a", direction, (one) => at[one]);
  equal(to([1, 0]), "b");
  equal(to([0, 1]), "d");
  equal(to([-1, 0]), null);
});
