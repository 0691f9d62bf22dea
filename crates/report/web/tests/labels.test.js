import assert from "node:assert/strict";
import { test } from "node:test";

import { SMALLEST, inLines, layout } from "#report/labels";

const measure = (text, size, bold) => text.length * size * (bold ? 0.62 : 0.56);

/** Places from a generator that gives the same numbers each time. */
function places(count, width, height) {
  let seed = 7;
  const next = () => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed / 2147483648;
  };
  return Array.from({ length: count }, (_, index) => ({
    x: 15 + next() * (width - 30), y: 15 + next() * (height - 30),
    name: ["Peru", "Western United States", "Ural", "New Guinea", "Papua-Barat Islands"][index % 5], number: String(index % 13),
  }));
}

const boxOf = ({ x, y, lines, size }, bold) => {
  const wide = Math.max(...lines.map((line) => measure(line, size, bold)));
  const high = lines.length * size * 1.15;
  return [x - wide / 2, y - high / 2, x + wide / 2, y + high / 2];
};
const meet = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

test("no letters are too small, overlap or leave the map", () => {
  for (const [count, width, height] of [[42, 1200, 600], [42, 360, 180], [200, 800, 500], [900, 380, 380]]) {
    const all = places(count, width, height);
    const plaques = [{ text: "North America +5", members: [0, 1, 2, 3] }, { text: "Nowhere +1", members: [] }];
    const laid = layout(all, plaques, { width, height }, measure);
    assert.equal(laid.plaques[1], null);
    const boxes = [];
    all.forEach(({ number, ...place }, index) => {
      const count = laid.numbers[index];
      if (!count) return;
      const { x, y } = count;
      assert.ok(Math.hypot(x - place.x, y - place.y) < 21);
      const half = measure(number, 13, true) / 2;
      boxes.push([x - half, y - 6, x + half, y + 6]);
    });
    for (const label of laid.names) if (label) boxes.push(boxOf(label, false));
    for (const label of laid.plaques) if (label) boxes.push(boxOf(label, true));
    for (const label of [...laid.names, ...laid.plaques]) assert.ok(!label || label.size >= SMALLEST);
    for (let a = 0; a < boxes.length; a += 1) {
      const [left, top, right, bottom] = boxes[a];
      assert.ok(left >= -15 && top >= -15 && right <= width + 15 && bottom <= height + 15);
      for (let b = a + 1; b < boxes.length; b += 1) {
        assert.ok(!meet(boxes[a], boxes[b]), `${count}: ${boxes[a]} over ${boxes[b]}`);
      }
    }
    assert.ok(boxes.length > Math.min(30, count / 30), `${count}: ${boxes.length}`);
  }
});

test("a wide map has all names, and more zoom never shows fewer", () => {
  const grid = Array.from({ length: 36 }, (_, index) => ({
    x: index % 6, y: Math.floor(index / 6), name: `Place ${index}`, number: "3",
  }));
  const shown = [20, 60, 120].map((cell) => {
    const all = grid.map(({ x, y, ...rest }) => ({ ...rest, x: (x + 0.5) * cell, y: (y + 0.5) * cell }));
    const { names, numbers } = layout(all, [], { width: 6 * cell, height: 6 * cell }, measure);
    return [numbers.filter(Boolean).length, names.filter(Boolean).length];
  });
  assert.deepEqual(shown[2], [36, 36]);
  assert.ok(shown[0][1] <= shown[1][1] && shown[1][1] <= shown[2][1], JSON.stringify(shown));
});

test("a number without room in the middle stands beside it, nearest to its own territory", () => {
  const all = [0, 11, 22].map((x) => ({ x: 100 + x, y: 50, name: "", number: "12" }));
  const { numbers } = layout(all, [], { width: 220, height: 100 }, measure);
  assert.equal(numbers.filter(Boolean).length, 3, JSON.stringify(numbers));
  assert.deepEqual(numbers[0], { x: 100, y: 50, form: "plate" });
});

test("a territory without a number still has its name", () => {
  const { numbers, names } = layout([{ x: 100, y: 50, name: "Ural", number: "" }], [], { width: 200, height: 100 }, measure);
  assert.equal(numbers[0], null);
  assert.deepEqual([names[0]?.lines, names[0]?.x, names[0]?.y], [["Ural"], 100, 50]);
});

test("a plaque stands nearest to a member of its continent", () => {
  const all = [100, 120, 400, 420].map((x) => ({ x, y: 100, name: "", number: "5" }));
  const { plaques } = layout(all, [{ text: "East +5", members: [2, 3] }], { width: 600, height: 200 }, measure);
  assert.ok(plaques[0] && plaques[0].x > 260, JSON.stringify(plaques));
});

test("no label covers an occupied area", () => {
  const occupied = [{ left: 300, top: 100, right: 500, bottom: 260 }];
  const all = places(40, 900, 400);
  const { names, numbers } = layout(all, [], { width: 900, height: 400 }, measure, occupied);
  const inside = ({ x, y }) => x > 300 && x < 500 && y > 100 && y < 260;
  assert.ok(all.some(inside));
  assert.ok(names.every((label) => !label || !inside(label)));
  assert.ok(all.every((place, index) => !inside(place) || numbers[index] === null));
});

test("names are split at blanks and hyphens into lines of similar length", () => {
  for (const [name, lines, parts] of [
    ["Western United States", 2, ["Western", "United States"]], ["Western United States", 3, ["Western", "United", "States"]],
    ["Papua-Barat", 2, ["Papua-", "Barat"]], ["Ural", 3, ["Ural"]], ["A ", 2, ["A "]], ["", 2, [""]],
  ]) assert.deepEqual(inLines(name, lines), parts, `${name} ${lines}`);
});
