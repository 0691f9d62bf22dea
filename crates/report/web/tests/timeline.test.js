import assert from "node:assert/strict";
import { test } from "node:test";

import { Timeline, strength, total } from "#report/timeline";

const head = (players) => ({
  players: Array.from({ length: players }, (_, seat) => ({ name: `p${seat}`, bot: "", colour: "#888888", end: null })),
  lands: ["A", "B"], continents: [], units: ["army"], phases: ["attack"], counters: [], piles: [], cards: [],
  open: true, end: null,
});

/** A game of 500 steps: the first land changes hands at each 10th step, a turn has 5 steps. */
function game() {
  const timeline = new Timeline(head(2));
  for (let step = 0; step <= 500; step += 1) {
    const turn = Math.floor(step / 5);
    const lands = step === 0 ? [[0, 0, 1], [1, 1, 2]] : step % 10 === 0 ? [[0, step / 10 % 2, step]] : [];
    timeline.add({
      w: [step, Math.floor(turn / 2), turn, turn % 2, 0], ...(lands.length ? { l: lands } : {}),
      ...(step === 40 ? { x: [1] } : {}), t: [[0, `text ${step}`]],
    });
  }
  timeline.close();
  return timeline;
}

test("a jump leads to the same state as stepping", () => {
  const timeline = game();
  let state = timeline.stateAt(0);
  for (let index = 1; index <= timeline.last; index += 1) {
    state = timeline.stateAt(index, state);
    if (index % 37 === 0) assert.deepEqual(timeline.stateAt(index), state);
  }
  assert.deepEqual(state.lands, [[0, 500], [1, 2]]);
});

test("a state that is stepped on leaves the stored states alone", () => {
  const timeline = game();
  timeline.stateAt(1, timeline.stateAt(0)).lands[0] = [1, 99];
  assert.deepEqual(timeline.stateAt(0).lands, [[0, 1], [1, 2]]);
});

test("steps by turns and rounds, and stays within the game", () => {
  const timeline = game();
  for (const [from, part, by, to] of [
    [0, 0, -1, 0], [500, 0, 1, 500], [12, 0, 1, 13], [12, 2, 1, 15], [12, 2, -1, 10], [10, 2, -1, 5], [12, 1, 1, 20],
    [12, 1, -1, 10], [10, 1, -1, 0], [3, 2, -1, 0], [499, 1, 1, 500],
  ]) assert.equal(timeline.step(from, part, by), to, `${from} ${part} ${by}`);
});

test("finds decisions, marks and the first turn", () => {
  const timeline = game();
  assert.equal(timeline.first, 5);
  assert.equal(timeline.frameOf(17), 17);
  assert.equal(timeline.frameOf(10_000), 500);
  assert.equal(timeline.next("eliminations", 0), 40);
  assert.equal(timeline.next("eliminations", 41), 40, "it begins again behind the last one");
  assert.equal(timeline.next("faults", 0), undefined);
  // Step 10 takes the land from seat 0, step 20 gives it back.
  assert.deepEqual([timeline.next("captures", 0), timeline.next("captures", 10)], [10, 20]);
});

test("the story has each text with its step, and a title for each round", () => {
  const story = game().story.filter(({ frame }) => frame === 10 || frame === 11);
  assert.deepEqual(story, [
    { frame: 10, seat: -1, text: "Round 1", kind: "round" }, { frame: 10, seat: 0, text: "text 10", kind: "text" },
    { frame: 11, seat: 0, text: "text 11", kind: "text" },
  ]);
});

test("the history of a land is that of its changes, the newest first", () => {
  const history = game().history(0, 35, 2);
  assert.deepEqual(history, [
    { frame: 30, owner: 1, before: 0, units: 30 },
    { frame: 20, owner: 0, before: 1, units: 20 },
  ]);
  assert.deepEqual(game().history(1, 500, 9), []);
});

test("hidden units count as none", () => {
  assert.equal(total([0, -1]), 0);
  assert.equal(total([0, 2, 3]), 5);
  const state = { at: 0, when: [0, 0, 0, -1, -1], lands: [[0, 2], [-1, 4], [1, -1]], numbers: [], piles: [], sights: [] };
  assert.deepEqual(strength(state, 2), [[1, 1], [2, 0]]);
});

test("a long game has few samples for its chart, and its last state", () => {
  const timeline = new Timeline(head(2));
  for (let step = 0; step < 5000; step += 1) timeline.add({ w: [step, 1, 1, 0, 0], l: [[0, 0, step + 1]] });
  timeline.close();
  assert.ok(timeline.samples.length <= 801 && timeline.samples.length > 200, String(timeline.samples.length));
  assert.deepEqual(timeline.samples.at(-1), [4999, [[1, 0], [5000, 0]]]);
});
