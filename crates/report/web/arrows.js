// Where the arrows of a step run, and where dice and texts stand beside them. All lengths are pixels of the screen.

import { around } from "#report/labels";

/** How far a bent arrow may lie beside the straight line. */
const BENDS = [7, 14, 22, 32, 45, 64, 90];
/** A shorter arrow can hardly be seen. */
const SHORTEST = 30;
/** The space between the plate of a number and an arrow, and between an arrow and its dice. */
const GAP = 4;
/** The length of a head. */
const HEAD = 12;
/** How much worse an arrow is for each pixel on a number, for each that it is too short, and for each of its bend. */
const COSTS = { covered: 3, missing: 2, bend: 0.5 };

/** @typedef {import("#report/labels").Box} Box */
/** @typedef {{ x: number, y: number }} Point */
/** @typedef {Point & { half: number, high: number }} Spot the middle of a number, half its width and half its height */
/** @typedef {{ start: Point, middle: Point, tip: Point }} Arrow a quadratic curve */
/** @typedef {{ wide: number, high: number }} Size */
/**
 * @typedef {object} Room the map while it is laid out
 * @property {{ width: number, height: number }} size
 * @property {{ meeting: (box: Box) => Set<number>, add: (box: Box, item: number) => void }} taken what stands on the
 *   map: numbers by territory, and -1
 */

const mix = (/** @type {Point} */ a, /** @type {Point} */ b, /** @type {number} */ share) =>
  ({ x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share });
/** Returns the polar form of a curve, whose values are the points of the curve and of its parts. */
const polar = (/** @type {Arrow} */ { start, middle, tip }, /** @type {number} */ a, /** @type {number} */ b) =>
  mix(mix(start, middle, a), mix(middle, tip, a), b);

/**
 * Returns a point of an arrow.
 * @param {Arrow} arrow
 * @param {number} share 0 is the start, 1 is the tip
 */
export const pointOf = (arrow, share) => polar(arrow, share, share);

/**
 * Reports whether a point is on the plate of a number, or too near to it for an arrow.
 * @param {Spot} spot
 * @param {Point} point
 */
const isOn = (spot, point) =>
  Math.hypot(Math.max(0, Math.abs(point.x - spot.x) - Math.max(0, spot.half - spot.high)), point.y - spot.y)
    < spot.high + GAP;

/**
 * Returns where a curve leaves a plate.
 * @param {Arrow} curve
 * @param {Spot} spot
 * @param {number} on a share of the curve on the plate
 * @param {number} off a share beside it
 */
function edge(curve, spot, on, off) {
  for (let step = 0; step < 12; step += 1) {
    const share = (on + off) / 2;
    if (isOn(spot, pointOf(curve, share))) on = share;
    else off = share;
  }
  return off;
}

/**
 * Returns the part of a curve between two plates, or null if there is none.
 * @param {Spot} from
 * @param {Spot} to
 * @param {number} bend the distance of the curve from the straight line, to the left of the arrow's way
 * @returns {Arrow | null}
 */
function between(from, to, bend) {
  const far = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const middle = mix(from, to, 0.5);
  middle.x += 2 * bend * (to.y - from.y) / far;
  middle.y -= 2 * bend * (to.x - from.x) / far;
  const curve = { start: from, middle, tip: to };
  const half = pointOf(curve, 0.5);
  if (isOn(from, half) || isOn(to, half)) return null;
  const [first, last] = [edge(curve, from, 0, 0.5), edge(curve, to, 1, 0.5)];
  return { start: pointOf(curve, first), middle: polar(curve, first, last), tip: pointOf(curve, last) };
}

/**
 * Returns points along an arrow, and its length.
 * @param {Arrow} arrow
 */
function along(arrow) {
  const { start, middle, tip } = arrow;
  const most = Math.hypot(middle.x - start.x, middle.y - start.y) + Math.hypot(tip.x - middle.x, tip.y - middle.y);
  const steps = Math.min(200, Math.ceil(most / 5) + 1);
  const points = Array.from({ length: steps + 1 }, (_, step) => pointOf(arrow, step / steps));
  const length = points.slice(1).reduce((sum, { x, y }, at) => sum + Math.hypot(x - points[at].x, y - points[at].y), 0);
  return { points, length };
}

/**
 * Returns the arrow between two numbers that can be seen best: long enough, and beside all other numbers and arrows.
 * @param {Spot[]} spots
 * @param {number} from
 * @param {number} to
 * @param {Room} room
 */
function arrowOf(spots, from, to, { taken, size }) {
  const [start, end] = [spots[from], spots[to]];
  const usual = Math.min(Math.hypot(end.x - start.x, end.y - start.y) * 0.075, 20);
  const isFree = (/** @type {Point} */ { x, y }) => {
    if (x < GAP || y < GAP || x > size.width - GAP || y > size.height - GAP) return false;
    return [...taken.meeting(around(x, y, 7, 7))].every((item) => item === from || item === to);
  };
  /** @type {Arrow} */
  let best = { start, middle: mix(start, end, 0.5), tip: end };
  let least = Infinity;
  for (const bend of [usual, ...BENDS.filter((bend) => bend > usual)].flatMap((bend) => [bend, -bend])) {
    const arrow = between(start, end, bend);
    if (!arrow) continue;
    const { points, length } = along(arrow);
    const covered = points.filter((point) => !isFree(point)).length / points.length * length;
    const cost = COSTS.covered * covered + COSTS.missing * Math.max(0, SHORTEST - length) + COSTS.bend * Math.abs(bend);
    if (cost < least) [best, least] = [arrow, cost];
  }
  for (const { x, y } of along(best).points) taken.add(around(x, y, 8, 8), -1);
  taken.add(around(best.tip.x, best.tip.y, HEAD, HEAD), -1);
  return best;
}

/**
 * Puts a box at the first of some points where it covers least, and returns the point.
 * @param {Point[]} points
 * @param {Size} box
 * @param {Room} room
 */
function put(points, { wide, high }, { taken, size }) {
  let [best, least] = [points[0], Infinity];
  for (const point of points) {
    const box = around(point.x, point.y, wide, high);
    const isInside = box.left >= 0 && box.top >= 0 && box.right <= size.width && box.bottom <= size.height;
    const cost = taken.meeting(box).size + (isInside ? 0 : 100);
    if (cost < least) [best, least] = [point, cost];
  }
  taken.add(around(best.x, best.y, wide, high), -1);
  return best;
}

/**
 * Returns points for dice beside an arrow's middle, and farther away.
 * @param {Arrow} arrow
 * @param {Size} box
 */
function besideArrow(arrow, { wide, high }) {
  const share = (/** @type {number} */ at) => {
    const [before, after] = [pointOf(arrow, at - 0.1), pointOf(arrow, at + 0.1)];
    const far = Math.hypot(after.x - before.x, after.y - before.y) || 1;
    // To the left of the way.
    const [dx, dy] = [(after.y - before.y) / far, (before.x - after.x) / far];
    return { ...pointOf(arrow, at), dx, dy, reach: wide / 2 * Math.abs(dx) + high / 2 * Math.abs(dy) + GAP + 2 };
  };
  const shares = [0.5, 0.3, 0.7, 0.1, 0.9].map(share);
  return [0, 6, 14, 24, 36, 50, 70].flatMap((more) => shares.flatMap(({ x, y, dx, dy, reach }) =>
    [1, -1].map((side) => ({ x: x + side * dx * (reach + more), y: y + side * dy * (reach + more) }))));
}

/**
 * Returns points for a text beside a number.
 * @param {Spot} spot
 * @param {Size} box
 */
function besideNumber({ x, y, half, high }, box) {
  const [down, aside] = [high + box.high / 2, half + box.wide / 2 + 1];
  return [[0, -down], [0, down], [aside, 0], [-aside, 0], [aside, -down], [-aside, -down], [aside, down], [-aside, down]]
    .map(([dx, dy]) => ({ x: x + dx, y: y + dy }));
}

/**
 * Lays out what happens in a step: arrows first, then dice, then texts at territories.
 * @param {{ from: number, to: number, dice: Size | null }[]} strokes
 * @param {{ at: number, box: Size }[]} texts
 * @param {Spot[]} spots
 * @param {Room} room
 * @returns {{ arrows: Arrow[], dice: (Point | null)[], texts: Point[] }} the middles of dice and texts
 */
export function layOutActs(strokes, texts, spots, room) {
  const arrows = strokes.map(({ from, to }) => arrowOf(spots, from, to, room));
  const dice = strokes.map(({ dice: box }, index) => box && put(besideArrow(arrows[index], box), box, room));
  return { arrows, dice, texts: texts.map(({ at, box }) => put(besideNumber(spots[at], box), box, room)) };
}

/**
 * Returns the paths of an arrow's shaft and head.
 * @param {Arrow} arrow
 */
export function pathsOf(arrow) {
  const { start, middle, tip } = arrow;
  const angle = Math.atan2(tip.y - middle.y, tip.x - middle.x);
  const head = Math.min(HEAD, along(arrow).length * 0.6);
  const back = (/** @type {number} */ far, /** @type {number} */ turn) =>
    `${(tip.x - far * Math.cos(angle + turn)).toFixed(1)} ${(tip.y - far * Math.sin(angle + turn)).toFixed(1)}`;
  return {
    // The shaft ends within the head, so that the tip is sharp.
    shaft: `M${start.x.toFixed(1)} ${start.y.toFixed(1)}Q${middle.x.toFixed(1)} ${middle.y.toFixed(1)} ${back(head * 0.7, 0)}`,
    head: `M${back(0, 0)}L${back(head, 0.48)}L${back(head, -0.48)}Z`,
  };
}
