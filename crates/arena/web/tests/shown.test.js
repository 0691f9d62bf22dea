import assert from "node:assert/strict";
import { test } from "node:test";

import { shown } from "#arena/shown";
import { state, table, take } from "#arena/table";

/** What the page shows of a game of three territories, to the player on seat 0. */
function shownOf({ lands = [[0, 3, 0], [1, 2, 1], [1, 5, 0]] } = {}) {
  globalThis.document = { getElementById: () => ({ value: "", checked: false }) };
  const head = {
    players: [{ name: "ann" }, { name: "bob" }], units: ["armies", "forts"], board: { units: ["army", "fort"] },
    counters: [{ name: "gold", title: "gold", seen: "owner" }], piles: [{ name: "hand", title: "cards", seen: "owner" }],
  };
  table.game = { you: 0, players: ["ann", "bob"], head, cards: [{ name: "a" }, { name: "b" }] };
  table.now = { question: null, waits: null, end: null, orders: [] };
  const numbers = [0, 0, 0, 0, 0, null, 4, null, null];
  const piles = [[1, 0], 3, 0];
  const news = { epoch: ++epoch, from: 0, more: false, frames: [{ w: [0, 1, 1, 0, 0], n: numbers.map((it, at) => [at, it]),
    p: piles.map((it, at) => [at, it]), l: lands.map((land, at) => [at, ...land]) }] };
  take(news);
  return shown(state());
}
let epoch = 0;

test("a player who wins is addressed", () => {
  shownOf();
  const end = { text: "ann wins: nobody else is left", winners: [0], ranking: [] };
  table.now.end = end;
  assert.equal(shown(state()).end, "You win: nobody else is left");
  table.game.you = 1;
  assert.equal(shown(state()).end, end.text);
});

test("own cards have names, and cards of others a number", () => {
  shownOf();
  assert.deepEqual(state().piles.hand.players, [{ count: 2, cards: ["b", "a"] }, { count: 3, cards: null }]);
});

test("what is hidden from a player is never 0", () => {
  const { declared } = shownOf();
  assert.deepEqual(declared.counters, [{ name: "gold", title: "gold", table: null, players: [4, null] }]);
  const strength = (lands) => shownOf({ lands }).players.map(({ territories, armies }) => [territories, armies]);
  assert.deepEqual(strength(), [[1, 3], [2, 8]]);
  const lands = [[0, 3, 0], [1, 2, 1], [1, -1, -1]];
  assert.deepEqual(strength(lands), [[1, 3], [2, "3 seen"]]);
  assert.deepEqual(strength([[0, 3, 0], [1, -1, -1], [1, -1, -1]]), [[1, 3], [2, "?"]]);
  assert.deepEqual(strength([[0, 3, 0], [1, 2, 1], [-1, -1, -1]]), [[1, 3], ["1 seen", "3 seen"]]);
  assert.deepEqual(shownOf({ lands }).lands[2], [1, "?"]);
  assert.deepEqual(shownOf({ lands }).stacks, [[3, 0], [2, 1], []]);
});
