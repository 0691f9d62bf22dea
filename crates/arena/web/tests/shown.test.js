import assert from "node:assert/strict";
import { test } from "node:test";

import { shown } from "#arena/shown";
import { table } from "#arena/table";

/** What the page shows of a state of three territories, to the player on seat 0. */
function shownOf(change) {
  globalThis.document = { getElementById: () => ({ value: "", checked: false }) };
  table.game = { you: 0, players: ["ann", "bob"], board: { units: ["army", "fort"] }, titles: {}, cards: [] };
  table.now = {
    question: null, waits: null, end: null,
    state: {
      owners: [0, 1, 1], units: { army: [3, 2, 5], fort: [0, 1, 0] }, statuses: ["playing", "playing"],
      counters: { gold: { table: null, players: [4, null] } }, piles: {}, orders: [], ...change,
    },
  };
  return shown();
}

test("a player who wins is addressed", () => {
  shownOf({});
  const end = { text: "ann wins: nobody else is left", winners: [0], ranking: [] };
  table.now.end = end;
  assert.equal(shown().end, "You win: nobody else is left");
  table.game.you = 1;
  assert.equal(shown().end, end.text);
});

test("what is hidden from a player is never 0", () => {
  const { declared } = shownOf({});
  assert.deepEqual(declared.counters, [{ name: "gold", title: "gold", table: null, players: [4, null] }]);
  const strength = (change) => shownOf(change).players.map(({ territories, armies }) => [territories, armies]);
  assert.deepEqual(strength({}), [[1, 3], [2, 8]]);
  const units = { army: [3, 2, null], fort: [0, 1, null] };
  assert.deepEqual(strength({ units }), [[1, 3], [2, "3 seen"]]);
  assert.deepEqual(strength({ units: { army: [3, null, null], fort: [0, null, null] } }), [[1, 3], [2, "?"]]);
  assert.deepEqual(strength({ owners: [0, 1, null], units }), [[1, 3], ["1 seen", "3 seen"]]);
  assert.deepEqual(shownOf({ units }).lands[2], [1, "?"]);
  assert.deepEqual(shownOf({ units }).stacks, [[3, 0], [2, 1], []]);
});
