import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { Playback } from "#arena/playback";

/** Steps that a playback shows, with what makes it go on. */
function watched() {
  globalThis.document = { hidden: false };
  globalThis.window = globalThis;
  const shown = [];
  return { shown, playback: new Playback((at, walks) => shown.push([at, walks])) };
}

test("the first position is shown at once, and what follows step by step", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { shown, playback } = watched();
  playback.goOn(5, () => true, false);
  playback.goOn(8, (at) => at !== 7, false);
  assert.deepEqual(shown, [[5, false], [6, true]]);
  mock.timers.tick(500);
  // Step 7 has nothing to show.
  assert.deepEqual(shown, [[5, false], [6, true], [8, false]]);
  assert.equal(playback.isBusy, false);
  mock.timers.reset();
});

test("steps that come meanwhile are shown in their turn, once, unless they are skipped", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { shown, playback } = watched();
  playback.goOn(0, () => true, false);
  playback.goOn(2, () => true, false);
  playback.goOn(4, () => true, false);
  assert.deepEqual(shown, [[0, false], [1, true]]);
  mock.timers.tick(500);
  playback.skip();
  mock.timers.tick(5000);
  assert.deepEqual(shown, [[0, false], [1, true], [2, true], [4, false]]);
  // A game that begins anew is not shown again.
  playback.goOn(3, () => true, true);
  assert.deepEqual(shown.at(-1), [3, false]);
  mock.timers.reset();
});
