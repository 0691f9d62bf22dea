import assert from "node:assert/strict";
import { test } from "node:test";

import { fitting, nextStep, verbsOf } from "#arena/choice";

const verbs = [
  { name: "place", parameters: [{ name: "at", kind: "territory" }, { name: "armies", kind: "count" }] },
  { name: "attack", parameters: [{ name: "from", kind: "territory" }, { name: "to", kind: "territory" },
    { name: "armies", kind: "count" }] },
  { name: "move", parameters: [{ name: "from", kind: "territory" }, { name: "to", kind: "territory" },
    { name: "armies", kind: "count" }] },
  { name: "play", parameters: [{ name: "card", kind: "card" }] },
  { name: "done", parameters: [] },
];
const attack = { verb: "attack", parameters: [["a"], ["b", "c"], { min: 1, max: 3 }] };
const move = { verb: "move", parameters: [["a"], ["d"], { min: 1, max: 5 }] };
const done = { verb: "done", parameters: [] };

test("what to choose next follows from the offers", () => {
  for (const [offers, choice, expected] of [
    [[attack, done], { verb: null, args: [] }, { kind: "territory", name: "from", verbs: ["attack"], values: ["a"] }],
    [[attack, move], { verb: null, args: ["a"] }, { kind: "territory", name: "to", verbs: ["attack", "move"], values: ["b", "c", "d"] }],
    [[attack, move], { verb: null, args: ["a", "d"] }, { kind: "count", name: "armies", verbs: ["move"], min: 1, max: 5 }],
    [[attack], { verb: "attack", args: ["a", "b", 2] }, { kind: "done", verb: "attack" }],
    [[{ verb: "play", parameters: [["x", "y"]] }, attack], { verb: null, args: [] }, { kind: "verb", verbs: ["play", "attack"] }],
    [[done], { verb: null, args: [] }, { kind: "verb", verbs: ["done"] }],
  ]) assert.deepEqual(nextStep(verbs, offers, choice), expected, JSON.stringify([offers, choice]));
});

test("numbers of several offers are one span, names are listed once", () => {
  const offers = [
    { verb: "place", parameters: [["a", "b"], { min: 2, max: 3 }] }, { verb: "place", parameters: [["b"], [7, 9]] },
  ];
  assert.deepEqual(nextStep(verbs, offers, { verb: "place", args: [] }).values, ["a", "b"]);
  const { min, max } = nextStep(verbs, offers, { verb: "place", args: ["b"] });
  assert.deepEqual([min, max], [2, 9]);
});

test("offers fit a verb and values, and a word is no number", () => {
  assert.deepEqual(fitting([attack, move], { verb: "move", args: ["a"] }), [move]);
  assert.deepEqual(fitting([attack], { verb: null, args: ["a", "b", "2"] }), []);
  assert.deepEqual(fitting([attack], { verb: null, args: ["a", "b", 4] }), []);
  assert.deepEqual(verbsOf([move, attack, move]), ["move", "attack"]);
});
