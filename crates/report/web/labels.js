// Where numbers, names and the plaques of continents stand on a map that is shown at some size. All
// lengths are pixels of the screen, so that letters are never smaller than SMALLEST.

/** The size of the smallest letters, in pixels. */
export const SMALLEST = 11;
const SIZES = [13, 12, SMALLEST];
const NUMBER = 13;
const PLAQUE = 11;
const LINE = 1.15;
/** The smallest half height of a number's plate, so that a finger hits it. */
const PLATE = 10;
/** The same of a territory without a number. */
const EMPTY = 5;
/** How far a number may be from the middle of its territory, in pixels. */
const REACHES = [7, 11, 15, 20];
const DIRECTIONS = [0, 4, 2, 6, 1, 3, 5, 7].map((part) => [Math.cos(part * Math.PI / 4), Math.sin(part * Math.PI / 4)]);
const SQUARE = 64;
const MOST_TRIES = 300;

/** @typedef {{ left: number, top: number, right: number, bottom: number }} Box */
/** @typedef {{ x: number, y: number, name: string, number: string }} Place */
/** @typedef {{ text: string, members: number[] }} Plaque */
/** @typedef {{ x: number, y: number, lines: string[], size: number }} Label the middle of the label */
/** @typedef {{ x: number, y: number, form: "plate" | "bare" }} Count the middle of a number, and whether it has a plate */

/** @typedef {import("#report/arrows").Spot} Spot */

/**
 * Boxes by coarse squares, so that a lookup reads few of them.
 * @template Item
 */
class Squares {
  constructor() {
    /** @type {Map<string, { box: Box, item: Item }[]>} */
    this.all = new Map();
  }

  /** @param {Box} box */
  static* keys(box) {
    for (let x = Math.floor(box.left / SQUARE); x <= Math.floor(box.right / SQUARE); x += 1) {
      for (let y = Math.floor(box.top / SQUARE); y <= Math.floor(box.bottom / SQUARE); y += 1) yield `${x} ${y}`;
    }
  }

  /**
   * @param {Box} box
   * @param {Item} item
   */
  add(box, item) {
    for (const key of Squares.keys(box)) {
      const known = this.all.get(key);
      if (known) known.push({ box, item });
      else this.all.set(key, [{ box, item }]);
    }
  }

  /**
   * Returns the items that a box meets.
   * @param {Box} box
   */
  meeting(box) {
    const found = new Set();
    for (const key of Squares.keys(box)) {
      for (const { box: other, item } of this.all.get(key) ?? []) {
        if (box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom) {
          found.add(item);
        }
      }
    }
    return found;
  }
}

export const around = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ wide,
  /** @type {number} */ high) => ({ left: x - wide / 2, top: y - high / 2, right: x + wide / 2, bottom: y + high / 2 });

/**
 * Splits a name at blanks and hyphens into at most so many lines of similar length.
 * @param {string} name
 * @param {number} lines
 */
export function inLines(name, lines) {
  const all = [];
  let rest = name;
  for (let left = lines; left > 1; left -= 1) {
    const goal = rest.length / left;
    const cuts = [...rest.matchAll(/[ -]/g)].map(({ index }) => index).filter((at) => at + 1 < rest.length);
    if (!cuts.length) break;
    const cut = cuts.reduce((best, at) => Math.abs(at - goal) < Math.abs(best - goal) ? at : best);
    all.push(rest.slice(0, cut + 1).trimEnd());
    rest = rest.slice(cut + 1);
  }
  return [...all, rest];
}

/**
 * Lays a map out.
 * @param {Place[]} places
 * @param {Plaque[]} plaques
 * @param {{ width: number, height: number }} size
 * @param {(text: string, size: number, bold: boolean) => number} measure returns the width of a text
 * @param {Box[]} occupied areas without room for labels
 * @param {Set<number>} first the places whose names matter most
 * @param {(spots: Spot[], taken: Squares<number>) => void} takeRoom called when all numbers stand, to take room that
 *   names leave free
 * @returns {{ numbers: (Count | null)[], names: (Label | null)[], plaques: (Label | null)[] }} What
 *   has no room is null.
 */
export function layout(places, plaques, size, measure, occupied = [], first = new Set(), takeRoom = () => {}) {
  const taken = /** @type {Squares<number>} */ (new Squares());
  for (const box of occupied) taken.add(box, -1);
  const points = /** @type {Squares<number>} */ (new Squares());
  for (const [index, { x, y }] of places.entries()) points.add(around(x, y, 0.01, 0.01), index);
  const isInside = (/** @type {Box} */ box) =>
    box.left >= 1 && box.top >= 1 && box.right <= size.width - 1 && box.bottom <= size.height - 1;
  const isFree = (/** @type {Box} */ box) => taken.meeting(box).size === 0;

  /** @type {(Count | null)[]} */
  const numbers = Array(places.length).fill(null);
  const half = (/** @type {Place} */ { number }) => Math.max(PLATE, measure(number, NUMBER, true) / 2 + 5);
  // Large numbers matter most where there is no room for all.
  const byNumber = places.map((_, index) => index)
    .sort((a, b) => places[b].number.length - places[a].number.length || a - b);
  for (const index of byNumber) {
    const place = places[index];
    if (!place.number) continue;
    const put = (/** @type {Count["form"]} */ form, /** @type {number} */ x, /** @type {number} */ y) => {
      const box = form === "plate" ? around(x, y, 2 * half(place), 2 * PLATE)
        : around(x, y, measure(place.number, NUMBER, true), NUMBER);
      const isBeside = x !== place.x || y !== place.y;
      if (!isFree(box) || (isBeside && !(isInside(box) && isNearest(points, places, box, index)))) return false;
      numbers[index] = { x, y, form };
      taken.add(box, index);
      return true;
    };
    if (put("plate", place.x, place.y) || put("bare", place.x, place.y)) continue;
    REACHES.some((far) => DIRECTIONS.some(([dx, dy]) => put("bare", place.x + far * dx, place.y + far * dy)));
  }

  takeRoom(places.map((place, index) => {
    const { x, y, form } = numbers[index] ?? { ...place, form: null };
    const [wide, high] = form === "plate" ? [half(place), PLATE] : form ? [measure(place.number, NUMBER, true) / 2, NUMBER / 2]
      : [EMPTY, EMPTY];
    return { x, y, half: wide, high };
  }), taken);

  const names = places.map((place) => place.name ? place.name : null);
  /** @type {(Label | null)[]} */
  const named = Array(places.length).fill(null);
  const byName = names.map((_, index) => index).filter((index) => names[index] && (numbers[index] || !places[index].number))
    .sort((a, b) => Number(first.has(b)) - Number(first.has(a)) || places[a].name.length - places[b].name.length || a - b);
  for (const index of byName) {
    const own = numbers[index] ? half(places[index]) : 0;
    const label = nameOf(places, index, own, measure, [1],
      (box) => isInside(box) && isFree(box) && isNearest(points, places, box, index))
      // What matters most may stand farther away.
      ?? (first.has(index) ? nameOf(places, index, own, measure, [1, 1.5], (box) => isInside(box) && isFree(box)) : null);
    if (!label) continue;
    named[index] = label.label;
    taken.add(label.box, index);
  }

  const placed = plaques.map(({ text, members }) => {
    if (!members.length) return null;
    const wide = measure(text, PLAQUE, true) + 10;
    const spots = spotsOf(members.map((at) => places[at]));
    for (const [x, y] of spots) {
      const box = around(x, y, wide, PLAQUE * 1.5);
      if (!isInside(box) || !isFree(box)) continue;
      const own = members.some((at) => isNearest(points, places, around(x, y, 1, 1), at));
      if (!own) continue;
      taken.add(box, -1);
      return { x, y, lines: [text], size: PLAQUE };
    }
    return null;
  });
  return { numbers, names: named, plaques: placed };
}

/**
 * Returns a name's label beside its number, in one to three lines.
 * @param {Place[]} places
 * @param {number} index
 * @param {number} half the half width of the number's plate; 0 without a number
 * @param {(text: string, size: number, bold: boolean) => number} measure
 * @param {number[]} reaches the distances to try, as shares of the usual distance
 * @param {(box: Box) => boolean} fits
 */
function nameOf(places, index, half, measure, reaches, fits) {
  const { x, y, name } = places[index];
  for (const size of SIZES) {
    for (const count of [1, 2, 3]) {
      const lines = inLines(name, count);
      if (lines.length !== count) continue;
      const wide = Math.max(...lines.map((line) => measure(line, size, false))) + 4;
      const high = lines.length * size * LINE + 1;
      const [down, aside] = [PLATE + high / 2, half + wide / 2];
      const spots = [...(half ? [] : [[0, 0]]), [0, down], [0, -down], [aside, 0], [-aside, 0], [aside * 0.6, down], [-aside * 0.6, down],
        [aside * 0.6, -down], [-aside * 0.6, -down]];
      for (const [dx, dy] of reaches.flatMap((reach) => spots.map(([dx, dy]) => [dx * reach, dy * reach]))) {
        const box = around(x + dx, y + dy, wide, high);
        if (fits(box)) return { label: { x: x + dx, y: y + dy, lines, size }, box };
      }
    }
  }
  return null;
}

/**
 * Reports whether the middle of a box is nearer to a place than to all others.
 * @param {Squares<number>} points
 * @param {Place[]} places
 * @param {Box} box
 * @param {number} own
 */
function isNearest(points, places, box, own) {
  const x = (box.left + box.right) / 2;
  const y = (box.top + box.bottom) / 2;
  const far = (/** @type {number} */ at) => Math.hypot(places[at].x - x, places[at].y - y);
  const mine = far(own);
  for (const other of points.meeting(around(x, y, 2 * mine, 2 * mine))) {
    if (other !== own && far(other) < mine) return false;
  }
  return true;
}

/**
 * Returns spots for a plaque, from the middle of its members outwards.
 * @param {{ x: number, y: number }[]} members
 */
function spotsOf(members) {
  const middle = (/** @type {number[]} */ all) => all.reduce((sum, value) => sum + value, 0) / all.length;
  const [xs, ys] = [members.map(({ x }) => x), members.map(({ y }) => y)];
  const [x, y] = [middle(xs), middle(ys)];
  const reach = Math.max(...xs) - Math.min(...xs) + Math.max(...ys) - Math.min(...ys);
  const spots = [[x, y]];
  const step = Math.max(10, reach / 30);
  for (let ring = 1; spots.length < MOST_TRIES; ring += 1) {
    const turns = 6 + 4 * ring;
    for (let turn = 0; turn < turns; turn += 1) {
      const angle = 2 * Math.PI * turn / turns;
      spots.push([x + 1.6 * ring * step * Math.cos(angle), y + ring * step * Math.sin(angle)]);
    }
  }
  return spots;
}
