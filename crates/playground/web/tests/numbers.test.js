import assert from "node:assert/strict";
import test from "node:test";

import { difference, sentence } from "#playground/numbers";

/** @param {string} digest @param {number} draws @param {[number, number][]} intervals of the bots, which sit at the same seats */
function match(digest, draws, intervals) {
  const share = (/** @type {[number, number]} */ [low, high]) => ({ wins: 50 * (low + high), win_rate: (low + high) / 2, interval: [low, high] });
  const bots = intervals.map((interval, at) => ({ name: `bot${at + 1}`, draws, ...share(interval) }));
  return { games: 100, digest, bots, by_seat: intervals.map((interval, at) => ({ seat: at + 1, ...share(interval) })), rounds: { mean: 10 }, turns: { mean: 30.04 } };
}

test("a difference says how long games are, and of shares only what is clear", () => {
  const before = match("a", 0, [[0.4, 0.6], [0.4, 0.6]]);
  assert.equal(difference(before, before), "All 100 games are the same as before.");
  assert.match(difference(before, match("b", 0, [[0.3, 0.5], [0.5, 0.7]])), /10\.0 rounds and 30\.0 turns now.* not clearly changed/);
  const clear = difference(before, match("c", 20, [[0.1, 0.3], [0.4, 0.6]]));
  assert.match(clear, /20\.0 % of games are draws now, and 0\.0 % were before; bot1 wins 20\.0 % and won 50\.0 %; seat 1 wins 20\.0 %/);
  assert.doesNotMatch(clear, /bot2|seat 2/);
});

test("the headline names a clear winner, a winner by chance, or none", () => {
  for (const [intervals, pattern] of /** @type {[[number, number][], RegExp][]} */ ([
    [[[0.1, 0.3], [0.6, 0.8]], /^bot2 wins most: 70\.0 % of 100 games\. .* 60\.0 % to 80\.0 %/], [[[0.3, 0.5], [0.4, 0.7]], /chance/], [[[0, 0], [0, 0]], /^None of the 100 games/],
  ])) assert.match(sentence(/** @type {any} */ ({ document: match("a", 0, intervals) })), pattern);
});
