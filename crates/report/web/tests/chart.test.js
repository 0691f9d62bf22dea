import assert from "node:assert/strict";
import { test } from "node:test";

import { areasOf, marksOf, meaningOf, sharesAt, sharesOf } from "#report/chart";
import { Timeline } from "#report/timeline";

test("areas share the height, also where nobody has anything", () => {
  const areas = areasOf([[0, [1, 3]], [5, [0, 0]], [10, [2, 0]]], 10);
  assert.deepEqual(areas, [
    "0.0,0.0 500.0,0.0 1000.0,0.0 1000.0,90.0 500.0,0.0 0.0,22.5",
    "0.0,22.5 500.0,0.0 1000.0,90.0 1000.0,90.0 500.0,0.0 0.0,90.0",
  ]);
  assert.deepEqual(areasOf([], 10), []);
});

const head = {
  players: [{ name: "ann" }, { name: "bob" }], lands: ["A"], end: null,
  chances: { at: [[0, 50, 50], [2, 80, 20]], marks: [{ answers: 2, seat: 0, kind: "dice", by: 30, text: "lucky" }] },
};

test("chances and marks are at the frames of their decisions", () => {
  const timeline = new Timeline(head);
  for (let step = 0; step < 8; step += 1) {
    timeline.add({ w: [step >> 1, 1, 1, 0, 0], l: [[0, 0, 1]], ...(step === 6 ? { x: [1] } : {}) });
  }
  assert.deepEqual(sharesOf(timeline, "chances"), [[0, [50, 50]], [4, [80, 20]], [7, [80, 20]]]);
  const won = { ...timeline, last: timeline.last, frameOf: (answers) => timeline.frameOf(answers),
    head: { ...timeline.head, players: [{ name: "ann", end: [2, 0] }, { name: "bob", end: [1, 9] }] } };
  assert.deepEqual(sharesOf(won, "chances").at(-1), [7, [0, 1]], "the winner has won");
  assert.deepEqual(sharesAt(won, "chances", { at: 7 , lands: [] }), [0, 100]);
  // The chart has straight lines between what is known.
  assert.deepEqual([0, 2, 4, 6].map((at) => sharesAt(timeline, "chances", { at, lands: [] })[0]), [50, 65, 80, 80]);
  assert.deepEqual(sharesAt(timeline, "land", { at: 6, lands: [[1, 4], [1, 1], [0, 5], [-1, 2]] }), [33, 67]);
  assert.equal(meaningOf(timeline), "✕ elimination, ◆ dice that changed much, ★ the greatest change of chances");
  assert.deepEqual(marksOf(timeline).map(({ frame, sign }) => [frame, sign]), [[0, "★"], [4, "◆"], [6, "✕"]]);
});
