import assert from "node:assert/strict";
import { test } from "node:test";

import { isSet, markTexts, stackText, standings } from "#report/hints";

test("units of several kinds are numbers with their badges, or a sum", () => {
  const badges = [["X", "X-wings"], ["T", "TIE fighters"], ["F", "Falcon"], ["E", "Executor"]];
  const cases = [
    [[3, 0, 0, 0], "3X", "3"], [[0, 4, 2, 0], "4T 2F", "4+2"], [[1, 2, 3, 4], "1X 2T 3F 4E", "1+2+…"], [[0, 0, 0, 0], "", ""],
  ];
  for (const [stack, badged, plain] of cases) {
    assert.equal(stackText(stack, badges), badged);
    assert.equal(stackText(stack, []), plain);
  }
});

test("marks that are seen and not 0 are texts at their territories", () => {
  const marks = [{ title: "hill fort", seen: "all" }, { title: "snare", seen: "owner" }];
  const state = { marks: [[0, 0], [2, -1], [null, 3]] };
  assert.deepEqual(markTexts(state, marks, () => true), [{ at: 1, text: "hill fort 2, snare -1" }, { at: 2, text: "snare 3" }]);
  assert.deepEqual(markTexts(state, marks, (at, seen) => at === 1 && seen === "all"), [{ at: 1, text: "hill fort 2" }]);
});

test("bits of counters are read beyond the 32nd", () => {
  assert.deepEqual([0, 1, 5, 33].map((bit) => isSet(2 ** 33 + 0b100010, bit)), [false, true, true, true]);
  assert.equal(isSet(2 ** 33, 32), false);
});

test("a track is the table's or each player's", () => {
  const counters = [
    { name: "points", title: null, players: [4, 7], table: 1 },
    { name: "guards", title: "", players: [0, 2], table: 3 },
  ];
  const track = { title: "Points", counter: "points", spaces: ["1"], ahead: "guards", players: false };
  assert.deepEqual(standings(track, counters), [{ seat: -1, passed: 1, ahead: 3 }]);
  assert.deepEqual(standings({ ...track, players: true }, counters),
    [{ seat: 0, passed: 4, ahead: 0 }, { seat: 1, passed: 7, ahead: 2 }]);
  assert.deepEqual(standings({ ...track, ahead: null }, counters), [{ seat: -1, passed: 1, ahead: 0 }]);
  const hidden = [counters[0], { ...counters[1], players: [null, 2], table: null }];
  assert.deepEqual(standings(track, hidden), [{ seat: -1, passed: 1, ahead: null }]);
  assert.equal(standings({ ...track, players: true }, hidden)[0].ahead, null);
});
