import assert from "node:assert/strict";
import { test } from "node:test";

import { columns, tableText } from "#report/players";

const declared = (counters, orders = [0, 0]) => ({ units: ["armies"], counters, piles: [], orders });
const counter = (players, table = 0) => ({ name: "gold", title: "gold", players, table });

test("a hidden value is a question mark, never 0 and never left out", () => {
  assert.deepEqual(columns(declared([counter([0, null])])), [{ name: "gold", values: [0, "?"] }]);
  assert.deepEqual(columns(declared([counter([null, null])])), [{ name: "gold", values: ["?", "?"] }]);
  assert.deepEqual(columns(declared([counter([0, 0])])), []);
  assert.deepEqual(columns(declared([], [2, null])), [{ name: "orders", values: [2, "?"] }]);
  assert.deepEqual(columns(declared([], [0, null])), [], "most rulesets have no orders");
  assert.equal(tableText(declared([counter([0, 0], null), counter([0, 0], 3)])), "gold 3");
});
