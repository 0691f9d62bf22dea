import assert from "node:assert/strict";
import { test } from "node:test";

import { captionOf, strokesOf } from "#report/acts";

test("a fight is an arrow, along which the units of its capture walk", () => {
  const rolls = [[[2, 6], [5]], [[3, 6], [5]]];
  const [stroke, ...others] = strokesOf([
    ["fight", 0, 1, 1, 9, 4, 0, 4, 2, 3, rolls, []], ["move", 0, 1, 1, 2, 0],
  ]);
  assert.deepEqual(others, []);
  assert.deepEqual(stroke, { kind: "fight", from: 0, to: 1, seat: 1, count: 5, attackers: 9, defenders: 4, lost: 0,
    killed: 4, captured: true, rolls, tries: [] });
});

test("fights of other places are other arrows, and a move is not a fight", () => {
  const strokes = strokesOf([
    ["fight", 0, 1, 0, 3, 2, 1, 0, 0, 0, [], []], ["fight", 2, 1, 1, 3, 2, 0, 2, 1, 0, [], [[9, 60, 2]]],
    ["move", 0, 1, 0, 4, 0], ["move", 0, 1, 0, 2, 1],
  ]);
  assert.deepEqual(strokes.map(({ kind, from, to, seat, count }) => [kind, from, to, seat, count]), [
    ["fight", 0, 1, 0, 0], ["fight", 2, 1, 1, 0], ["move", 0, 1, 0, 6],
  ]);
  assert.deepEqual(strokes[1].tries, [[9, 60, 2]]);
});

test("each text of a step stands after the name of its own player", () => {
  const texts = [[-1, "attack: conquer", 1], [1, "takes Peru"], [1, "draws Chad"], [0, "draws a card"]];
  assert.deepEqual(captionOf(texts), [{ seat: 1, text: "takes Peru; draws Chad" }, { seat: 0, text: "draws a card" }]);
  assert.deepEqual(captionOf([]), []);
  const many = Array(6).fill([0, "x"]);
  assert.deepEqual(captionOf(many), [{ seat: 0, text: "x; x; x; x" }, { seat: -1, text: "and 2 more" }]);
});
