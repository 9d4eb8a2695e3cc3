import { deepEqual, equal, notEqual } from "node:assert/strict";
import * as graph from "../../src/tianxia/web/static/js/graph.js";

const SIZE = [1000, 600];
const board = () => ({
  spaces: { Q1: { x: 100, y: 100, provinces: ["Qin"] }, Z1: { x: 300, y: 100, provinces: ["Zhao"] } },
  roads: [["Q1", "Z1"]],
  provinces: { Qin: "red", Zhao: "green" },
  dragons: { Qin: [200, 200], Zhao: [400, 200] },
  alliances: { 1: ["Qin", "Zhao"] },
  players: [3, 4],
});

Deno.test("new places get the first free name of their province", () => {
  const one = board();
  equal(graph.add(one, "Qin", [500, 500]), "Q2");
  one.provinces.Qi = "blue";
  equal(graph.add(one, "Qi", [600, 500]), "Qi1"); // one letter would not tell them apart
  equal(graph.add({ ...one, provinces: { Élan: "red" } }, "Élan", [0, 0]), "E1");
});

Deno.test("points lie on the grid and on the canvas", () => {
  deepEqual(graph.onGrid([104, 106], SIZE), [100, 110]);
  deepEqual(graph.onGrid([-50, 9999], SIZE), [0, 600]);
});

Deno.test("a point nearby keeps off all that there is; where all is full there is none", () => {
  const spot = graph.spotNear(board(), [100, 100], SIZE);
  equal(Math.hypot(spot[0] - 100, spot[1] - 100) > 45, true);
  equal(graph.spotNear(board(), [100, 100], [200, 200]) === null, false);
  const full = board();
  for (let x = 0; x <= 200; x += 40) for (let y = 0; y <= 200; y += 40) full.spaces[`X${x}-${y}`] = { x, y, provinces: ["Qin"] };
  equal(graph.spotNear(full, [100, 100], [200, 200]), null);
});

Deno.test("a place that is erased takes its roads with it", () => {
  const one = board();
  graph.erase(one, "Q1");
  deepEqual([Object.keys(one.spaces), one.roads], [["Z1"], []]);
});

Deno.test("roads and alliances are made, and unmade by the same", () => {
  const one = board();
  graph.join(one, "Z1", "Q1");
  deepEqual(one.roads, []);
  graph.join(one, "Z1", "Q1");
  deepEqual(one.roads, [["Z1", "Q1"]]);
  one.provinces.Wu = "blue";
  graph.ally(one, "Wu", "Qin");
  graph.ally(one, "Zhao", "Qin");
  deepEqual(one.alliances, { 1: ["Wu", "Qin"] }); // numbered anew
});

Deno.test("a place belongs to one province or two, and only one of one is a harbour", () => {
  const one = board();
  equal(graph.harbour(one, "Q1"), true);
  equal(graph.belong(one, "Q1", "Zhao"), true);
  deepEqual(one.spaces.Q1, { x: 100, y: 100, provinces: ["Qin", "Zhao"] });
  equal(graph.harbour(one, "Q1"), false);
  equal(graph.belong(one, "Q1", "Qin"), true);
  equal(graph.belong(one, "Q1", "Zhao"), false);
  deepEqual(one.spaces.Q1.provinces, ["Zhao"]);
});

Deno.test("a province is called differently everywhere, if the name can be told from the others", () => {
  const one = board();
  for (const name of ["", "12", "zhao", "Z-hao"]) equal(graph.rename(one, "Qin", name), false);
  deepEqual(one, board());
  equal(graph.rename(one, "Qin", "Chu"), true);
  equal(JSON.stringify(one).includes("Qin"), false);
  deepEqual(one.alliances, { 1: ["Chu", "Zhao"] });
  deepEqual(graph.placeOf(one, graph.dragonOf("Chu")), [200, 200]);
  notEqual(one.spaces.Q1, undefined); // names of places stay
});

Deno.test("a place that goes over to another province is called after it, with its roads", () => {
  const one = board();
  equal(graph.settle(one, "Q1", "Qin"), "");
  equal(graph.settle(one, "Q1", "Zhao"), "Z2");
  deepEqual(one.spaces, { Z2: { x: 100, y: 100, provinces: ["Zhao"] }, Z1: one.spaces.Z1 });
  deepEqual(one.roads, [["Z2", "Z1"]]);
  graph.belong(one, "Z2", "Qin");
  equal(graph.settle(one, "Z2", "Qin"), ""); // a post belongs to both
});

Deno.test("what is nearest to a finger is what it means, if it is near enough", () => {
  const one = board();
  equal(graph.nearTo(one, [120, 100], 30, false), "Q1");
  equal(graph.nearTo(one, [150, 100], 30, false), "");
  equal(graph.nearTo(one, [190, 190], 30, false), "");
  equal(graph.nearTo(one, [190, 190], 30, true), graph.dragonOf("Qin"));
});

Deno.test("a line passes places in its own order", () => {
  const one = board();
  one.spaces.Q2 = { x: 200, y: 120, provinces: ["Qin"] };
  deepEqual(graph.passed(one, [400, 100], [0, 100], 30), ["Z1", "Q2", "Q1"]);
  deepEqual(graph.passed(one, [400, 100], [250, 100], 30), ["Z1"]);
  deepEqual(graph.passed(one, [100, 110], [100, 110], 30), ["Q1"]);
});

Deno.test("a line adds the roads that are not there, and the road under a finger is found", () => {
  const one = board();
  graph.road(one, "Z1", "Q1");
  graph.road(one, "Q1", "Q1");
  deepEqual(one.roads, [["Q1", "Z1"]]);
  one.spaces.Q2 = { x: 200, y: 200, provinces: ["Qin"] };
  graph.road(one, "Q1", "Q2");
  deepEqual(one.roads.at(-1), ["Q1", "Q2"]);
  deepEqual(graph.roadNear(one, [200, 110], 20), ["Q1", "Z1"]);
  deepEqual(graph.roadNear(one, [150, 145], 20), ["Q1", "Q2"]);
  equal(graph.roadNear(one, [300, 300], 20), null);
});
