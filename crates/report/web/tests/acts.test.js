import assert from "node:assert/strict";
import { test } from "node:test";

import { captionOf, entriesOf, sentencesOf, sentenceOf, strokesOf } from "#report/acts";

const head = { lands: ["Peru", "Brazil", "Chad"], players: [{ name: "ann" }, { name: "bob" }] };

test("the rounds of a fight are one arrow, with the dice of the last ones", () => {
  const rounds = [1, 2, 3, 4].flatMap((round) => [["dice", [round, 6], [5]], ["fight", 0, 1, 9, 4, 0, 1]]);
  const [stroke, ...others] = strokesOf([["act", 1], ...rounds, ["capture", 0, 1, 1, 3, 0], ["move", 0, 1, 2, 0]]);
  assert.deepEqual(others, []);
  assert.equal(stroke.kind, "fight");
  assert.equal(stroke.seat, 1);
  assert.deepEqual([stroke.attackers, stroke.defenders, stroke.lost, stroke.killed], [9, 4, 0, 4]);
  assert.deepEqual([stroke.captured, stroke.count], [true, 5]);
  assert.deepEqual(stroke.rolls, [[[2, 6], [5]], [[3, 6], [5]], [[4, 6], [5]]]);
});

test("fights of other places are other arrows, and a move is not a fight", () => {
  const strokes = strokesOf([
    ["act", 0], ["fight", 0, 1, 3, 2, 1, 0], ["act", 1], ["fight", 2, 1, 3, 2, 0, 2], ["move", 0, 2, 4, 0],
  ]);
  assert.deepEqual(strokes.map(({ kind, from, to, seat }) => [kind, from, to, seat]), [
    ["fight", 0, 1, 0], ["fight", 2, 1, 1], ["move", 0, 2, 1],
  ]);
});

test("a sentence has the dice, the losses and the capture", () => {
  const [stroke] = strokesOf([["dice", [2, 6], [5]], ["fight", 0, 1, 9, 1, 0, 1], ["capture", 0, 1, 0, 3, 0]]);
  assert.equal(sentenceOf(head, stroke), "attacks Brazil from Peru, dice 6 2 against 5, loses 0 for 1, captured");
  const [tried] = strokesOf([["tries", 9, 60, 5], ["fight", 0, 1, 9, 7, 0, 5]]);
  assert.equal(sentenceOf(head, tried), "attacks Brazil from Peru, loses 0 for 5");
});

test("a step is told by its story, or else by what is drawn", () => {
  const acts = [["act", 1], ["move", 0, 1, 4, 0]];
  assert.deepEqual(captionOf(head, { a: acts }, ["  attack: x", "● ann", "    moves 4 from Peru", "      to Brazil"]),
    { name: "bob", text: "moves 4 from Peru to Brazil" });
  assert.deepEqual(captionOf(head, {}, ["● ann", "    draws Chad"]), { name: "ann", text: "draws Chad" });
  assert.deepEqual(captionOf(head, { a: acts }, []), { name: "bob", text: "moves 4 from Peru to Brazil" });
  assert.deepEqual(captionOf(head, { a: [["act", 0]], x: [1] }, []), { name: "ann", text: "bob is eliminated" });
  const row = ["    Peru → Brazil", "      9 v 4 −0 −4 taken, 5 in 62|5", "    draws Chad"];
  assert.deepEqual(captionOf(head, { a: acts }, row), { name: "bob", text: "moves 4 from Peru to Brazil; draws Chad" });
  assert.deepEqual(captionOf(head, {}, []), { name: undefined, text: "" });
});

test("a decision without a drawing has its own sentence", () => {
  const placed = { a: [["act", 0, "places 1 in Peru"]] };
  assert.deepEqual(captionOf(head, placed, []), { name: "ann", text: "places 1 in Peru" });
  // The sum of what was placed before comes with a later step.
  assert.deepEqual(captionOf(head, placed, ["● ann", "    +3 in Brazil"]), { name: "ann", text: "places 1 in Peru" });
  const traded = { a: [["act", 0, "trades Peru, Chad, Brazil"]] };
  assert.equal(captionOf(head, traded, ["    trades Peru (horse),", "      Chad: gets 4"]).text, "trades Peru (horse), Chad: gets 4");
  assert.equal(captionOf(head, { a: [["act", 0, "done"]] }, ["    draws Peru"]).text, "done; draws Peru");
});

test("what continues the lines of another step is no sentence", () => {
  assert.deepEqual(sentencesOf(["      America", "", "    draws Peru", "      (horse)", "    Peru → Brazil", "      9 v 4 −0"]),
    ["draws Peru (horse)"]);
});

test("the entries of a story have no standings and no lines of another part", () => {
  const lines = ["  ann  7 land  24 TIE fighters,", "      8 Executor hit points", "● bob", "    Peru → Brazil", "      9 v 4 −0 −4 taken",
    "    draws Chad"];
  assert.deepEqual(entriesOf(lines).map((line) => line.trim()), ["Peru → Brazil 9 v 4 −0 −4 taken", "draws Chad"]);
});
