import assert from "node:assert/strict";
import { test } from "node:test";

import { layOutActs, pathsOf, pointOf } from "#report/arrows";
import { layout } from "#report/labels";

const measure = (text, size, bold) => text.length * size * (bold ? 0.62 : 0.56);
const size = { width: 600, height: 400 };
const place = (x, y, number = "3", name = "") => ({ x, y, name, number });

/** Lays out strokes between places, each with dice, and a text at its target. */
function laid(places, strokes) {
  let found;
  const labels = layout(places, [], size, measure, [], new Set(), (spots, taken) => {
    const acts = layOutActs(strokes.map(([from, to]) => ({ from, to, dice: { wide: 54, high: 36 } })),
      strokes.map(([, to]) => ({ at: to, box: { wide: 20, high: 14 } })), spots, { taken, size });
    found = { ...acts, spots };
  });
  return { ...found, labels };
}

const shares = Array.from({ length: 21 }, (_, step) => step / 20);
const far = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

test("an arrow runs from plate to plate and around other numbers", () => {
  for (const places of [
    [place(300, 200), place(322, 200)], [place(300, 200), place(300, 240), place(300, 221)],
    [place(100, 200), place(500, 200), place(200, 192), place(300, 190), place(400, 192)],
  ]) {
    const { arrows: [arrow], spots } = laid(places, [[0, 1]]);
    const points = shares.map((share) => pointOf(arrow, share));
    for (const [index, spot] of spots.entries()) {
      assert.ok(points.every((point) => far(point, spot) > 12.5), `${JSON.stringify(arrow)} over ${index}`);
    }
    const length = points.slice(1).reduce((sum, point, at) => sum + far(point, points[at]), 0);
    assert.ok(length > 20, `${length}`);
    assert.ok(far(arrow.tip, spots[1]) < 16 && far(arrow.start, spots[0]) < 16);
    assert.match(pathsOf(arrow).head, new RegExp(`^M${arrow.tip.x.toFixed(1)} `));
  }
});

test("arrows of both ways, dice and texts lie beside each other and beside numbers", () => {
  const places = [place(280, 200, "12"), place(330, 205), place(300, 160), place(310, 250)];
  const { arrows, dice, texts, spots } = laid(places, [[0, 1], [1, 0]]);
  const boxes = [
    ...spots.map(({ x, y, half, high }) => [x, y, half, high]), ...dice.map(({ x, y }) => [x, y, 27, 18]),
    ...texts.map(({ x, y }) => [x, y, 10, 7]),
  ];
  boxes.forEach(([x, y, wide, high], at) => {
    for (const other of boxes.slice(at + 1)) {
      assert.ok(Math.abs(x - other[0]) >= wide + other[2] || Math.abs(y - other[1]) >= high + other[3], `${boxes[at]} ${other}`);
    }
    for (const point of arrows.flatMap((arrow) => shares.map((share) => pointOf(arrow, share)))) {
      assert.ok(Math.abs(point.x - x) > wide || Math.abs(point.y - y) > high, `${boxes[at]}`);
    }
  });
  for (const share of shares) {
    assert.ok(shares.every((other) => far(pointOf(arrows[0], share), pointOf(arrows[1], other)) > 5));
  }
});

test("names leave room for arrows and dice", () => {
  const places = [place(280, 200, "3", "Ural"), place(400, 200, "3", "Peru"), place(340, 190, "3", "Western Australia")];
  const { arrows: [arrow], dice: [roll], labels } = laid(places, [[0, 1]]);
  labels.names.forEach((label) => {
    assert.ok(label);
    const half = Math.max(...label.lines.map((line) => measure(line, label.size, false))) / 2;
    const high = label.lines.length * label.size * 0.575;
    assert.ok(Math.abs(roll.x - label.x) > half + 26 || Math.abs(roll.y - label.y) > high + 17);
    for (const { x, y } of shares.map((share) => pointOf(arrow, share))) {
      assert.ok(Math.abs(x - label.x) > half || Math.abs(y - label.y) > high, `${label.lines} ${x} ${y}`);
    }
  });
});
