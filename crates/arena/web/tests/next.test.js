import assert from "node:assert/strict";
import { test } from "node:test";

import { nextOf } from "#arena/next";

const open = { match: 3, joined: ["ann"], house: ["odds"], seats: 4, closed: false };
const over = { match: 1, players: ["ann", "bob"], end: "ann wins" };
const running = { match: 2, players: ["cy", "dot"], end: null };

test("what comes next depends on the match that is shown", () => {
  assert.equal(nextOf(open, [running, over], 2, "hasbro"), null);
  assert.deepEqual(nextOf(open, [running, over], 1, "hasbro"), { text: "Match 2 is under way: cy, dot", watch: 2 });
  for (const [shown, matches] of [[1, [over]], [null, []]]) {
    const { text, watch } = nextOf(open, matches, shown, "hasbro on world");
    assert.equal(watch, null);
    for (const part of ["match 3", "hasbro on world", "2 more players have", "2 of 4", "ann, odds"]) assert.ok(text.includes(part), text);
  }
});

test("one missing player, a full table and a closed arena have texts of their own", () => {
  assert.match(nextOf({ ...open, seats: 3 }, [], null, "g").text, /1 more player has/);
  assert.match(nextOf({ ...open, seats: 2 }, [], null, "g").text, /in a moment/);
  assert.match(nextOf({ ...open, closed: true }, [], null, "g").text, /not open/);
  assert.equal(nextOf({ text: "Games of a ladder." }, [], null, "g"), null);
  assert.match(nextOf({ text: "Games of a ladder." }, [over], 1, "g").text, /No game is under way/);
});
