// The map of a game: its size and zoom, the labels at that size, owners and units, and what happens.

import { layOutActs, pathsOf } from "#report/arrows";
import { isMoving } from "#report/colours";
import { byId, element, shape } from "#report/dom";
import { nameMarkers, stackText } from "#report/hints";
import { layout } from "#report/labels";

const FONT = getComputedStyle(document.documentElement).fontFamily || "sans-serif";
const LARGEST_ZOOM = 12;
const STEP = 1.5;
/** The time in which units walk, in milliseconds. */
const WALK = 450;
/** The distance within which a press belongs to a number, in pixels. */
const REACH = 13;
/** The distance from which a press is a pan, in pixels. */
const SLACK = 6;
/** The time after which a wheel no longer scrolls the page, in milliseconds. */
const SCROLLING = 400;
/** The width of a map without dice, in pixels. */
const SMALL = 400;
/** The distance from one die to the next, and the size of letters of losses, in pixels. */
const DIE = 18;
const LOSS = 14;
/** The colour of the diamond of marks. */
const MARK = "#7b2d8b";

const pen = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
/** @type {Map<string, number>} */
const widths = new Map();

/**
 * Returns the width of a text, in pixels.
 * @param {string} text
 * @param {number} size
 * @param {boolean} bold
 */
function measure(text, size, bold) {
  const key = `${size}${bold}${text}`;
  let wide = widths.get(key);
  if (wide === undefined) {
    pen.font = `${bold ? "bold " : ""}${size}px ${FONT}`;
    wide = pen.measureText(text).width;
    widths.set(key, wide);
  }
  return wide;
}

/**
 * @typedef {object} MapInfo
 * @property {string[]} names the names of territories
 * @property {string[]} units the names of the kinds of units
 * @property {import("#report/types").Hints} hints
 * @property {{ text: string, members: number[] }[]} plaques continents and groups with their bonuses
 */

export class BoardMap {
  /**
   * @param {MapInfo} info
   * @param {(index: number) => void} pressed called with the territory that is clicked or tapped
   */
  constructor(info, pressed) {
    this.info = info;
    this.pressed = pressed;
    this.svg = byId("map");
    this.box = this.svg.parentElement;
    const [x, y, width, height] = this.svg.getAttribute("viewBox").split(" ").map(Number);
    this.base = { x, y, width, height };
    this.view = { ...this.base };
    /** @type {{ x: number, y: number }[]} */
    this.places = info.names.map((_, index) => {
      const { x: left, y: top } = byId(`mark-${index}`).dataset;
      return { x: Number(left), y: Number(top) };
    });
    this.numbers = info.names.map(() => "");
    this.closed = shape("g", { id: "closed" });
    this.marks = shape("g", { id: "state-marks" });
    this.marked = /** @type {import("#report/hints").MarkText[]} */ ([]);
    this.labels = shape("g", { id: "names" });
    /** Dice, losses and texts. */
    this.notices = shape("g", { id: "notices" });
    /** Arrows, which nothing covers. */
    this.acts = shape("g", { id: "acts" });
    this.svg.append(this.closed, this.labels, this.marks, this.notices, this.acts);
    /** How many numbers have no room at this size. */
    this.unshown = element("p", "", { class: "unshown" });
    this.laidOut = "";
    this.strokes = /** @type {import("#report/acts").Stroke[]} */ ([]);
    this.notes = /** @type {{ at: number, text: string }[]} */ ([]);
    this.drawn = /** @type {ReturnType<typeof layOutActs>} */ ({ arrows: [], dice: [], texts: [] });
    this.colourOf = (/** @type {number} */ _seat) => "#888";
    this.addControls();
    this.listen();
    new ResizeObserver(() => this.refresh()).observe(this.box);
    this.refresh();
  }

  /** The map's units in one pixel of the screen. */
  get unit() {
    const { width, height } = this.svg.getBoundingClientRect();
    if (!width || !height) return 1;
    return Math.max(this.view.width / width, this.view.height / height);
  }

  // --- size and zoom -------------------------------------------------------------------------------------
  addControls() {
    const button = (/** @type {string} */ text, /** @type {string} */ label, /** @type {() => void} */ act) => {
      const made = element("button", text, { type: "button", "aria-label": label, title: label });
      made.onclick = act;
      return made;
    };
    const bar = element("div", "", { class: "zoom", role: "group", "aria-label": "Zoom" });
    bar.append(
      button("+", "Zoom in (+)", () => this.zoom(STEP)),
      button("−", "Zoom out (−)", () => this.zoom(1 / STEP)),
      button("⤢", "Whole map (0)", () => this.whole()),
    );
    this.bar = bar;
    this.box.append(this.unshown, bar);
  }

  get isZoomed() {
    return this.view.width < this.base.width * 0.999;
  }

  /** The middle of what happens or, if nothing happens in sight, of the view. */
  get middle() {
    const { view } = this;
    const ends = this.strokes.flatMap(({ from, to }) => [this.places[from], this.places[to]]);
    const inSight = ends.filter(({ x, y }) =>
      x > view.x && x < view.x + view.width && y > view.y && y < view.y + view.height);
    if (!inSight.length) return { x: view.x + view.width / 2, y: view.y + view.height / 2 };
    const mean = (/** @type {number[]} */ all) => all.reduce((sum, value) => sum + value, 0) / all.length;
    return { x: mean(inSight.map(({ x }) => x)), y: mean(inSight.map(({ y }) => y)) };
  }

  /** Shows the whole map. */
  whole() {
    this.view = { ...this.base };
    this.refresh();
  }

  /**
   * Zooms about a point of the map, or about its middle.
   * @param {number} factor
   * @param {{ x: number, y: number }} [about]
   */
  zoom(factor, about) {
    const { view, base } = this;
    const width = Math.min(base.width, Math.max(base.width / LARGEST_ZOOM, view.width / factor));
    const share = width / view.width;
    const point = about ?? this.middle;
    this.view = {
      x: point.x - (point.x - view.x) * share, y: point.y - (point.y - view.y) * share,
      width, height: view.height * share,
    };
    this.refresh();
  }

  /**
   * Moves the map by some pixels.
   * @param {number} dx
   * @param {number} dy
   */
  pan(dx, dy) {
    this.view.x -= dx * this.unit;
    this.view.y -= dy * this.unit;
    this.refresh();
  }

  /** Draws the map at its size and zoom. */
  refresh() {
    const { view, base } = this;
    view.x = Math.min(Math.max(base.x, view.x), base.x + base.width - view.width);
    view.y = Math.min(Math.max(base.y, view.y), base.y + base.height - view.height);
    this.svg.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);
    this.box.classList.toggle("zoomed", this.isZoomed);
    this.layOut();
  }

  /**
   * Brings a territory into sight.
   * @param {number} index
   */
  reveal(index) {
    const { view } = this;
    const { x, y } = this.places[index];
    const margin = 30 * this.unit;
    if (x < view.x + margin || x > view.x + view.width - margin) view.x = x - view.width / 2;
    if (y < view.y + margin || y > view.y + view.height - margin) view.y = y - view.height / 2;
    this.refresh();
  }

  /**
   * Returns a point of the screen as a point of the map.
   * @param {{ clientX: number, clientY: number }} at
   */
  pointOf({ clientX, clientY }) {
    const matrix = this.svg.getScreenCTM();
    return new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
  }

  /**
   * Returns the territory that a press means: the one whose number is there, or the land itself.
   * @param {PointerEvent | MouseEvent} event
   */
  landAt(event) {
    const point = this.pointOf(event);
    const far = this.places.map(({ x, y }) => Math.hypot(x - point.x, y - point.y) / this.unit);
    const near = far.reduce((best, value, index) => value < far[best] ? index : best, 0);
    if (far[near] <= REACH) return near;
    // A name may lie beside its land.
    const name = [...this.labels.querySelectorAll(".name")].find((label) => {
      const { left, right, top, bottom } = label.getBoundingClientRect();
      return event.clientX >= left && event.clientX <= right && event.clientY >= top && event.clientY <= bottom;
    });
    if (name) return Number(/** @type {SVGElement} */ (name).dataset.land);
    const land = /** @type {Element} */ (event.target).closest("[id^=land-]");
    return land ? Number(land.id.slice(5)) : -1;
  }

  listen() {
    /** @type {Map<number, PointerEvent>} the fingers on the map */
    const fingers = new Map();
    let moved = 0;
    let spread = 0;
    const distance = () => {
      const [a, b] = [...fingers.values()];
      return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
    };
    this.svg.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
      fingers.set(event.pointerId, event);
      if (fingers.size === 1) moved = 0;
      if (fingers.size === 2) spread = distance();
    });
    this.svg.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
      const before = fingers.get(event.pointerId);
      if (!before) return;
      fingers.set(event.pointerId, event);
      const [dx, dy] = [event.clientX - before.clientX, event.clientY - before.clientY];
      moved += Math.hypot(dx, dy);
      if (moved < SLACK) return;
      if (this.isZoomed) this.svg.setPointerCapture(event.pointerId);
      if (fingers.size === 2) {
        const now = distance();
        this.zoom(now / Math.max(1, spread), this.pointOf(event));
        spread = now;
      } else if (this.isZoomed) {
        this.pan(dx, dy);
      }
    });
    for (const kind of ["pointerup", "pointercancel", "pointerleave"]) {
      this.svg.addEventListener(kind, (/** @type {PointerEvent} */ event) => fingers.delete(event.pointerId));
    }
    this.svg.addEventListener("click", (/** @type {MouseEvent} */ event) => {
      const land = moved < SLACK ? this.landAt(event) : -1;
      if (land >= 0) this.pressed(land);
    });
    this.svg.addEventListener("dblclick", (/** @type {MouseEvent} */ event) => {
      this.zoom(event.shiftKey ? 1 / STEP : STEP * STEP, this.pointOf(event));
    });
    let scrolled = -Infinity;
    addEventListener("scroll", () => { scrolled = performance.now(); }, { passive: true });
    this.svg.addEventListener("wheel", (/** @type {WheelEvent} */ event) => {
      // A page that scrolls goes on scrolling when the map comes under the pointer.
      if (!event.ctrlKey && performance.now() - scrolled < SCROLLING) return;
      // The page scrolls where there is nothing to zoom out of.
      if (event.deltaY > 0 && !this.isZoomed) return;
      event.preventDefault();
      this.zoom(Math.exp(-Math.max(-100, Math.min(100, event.deltaY)) / 300), this.pointOf(event));
    }, { passive: false });
    this.box.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      const by = 60;
      /** @type {Record<string, () => void>} */
      const keys = { "+": () => this.zoom(STEP), "-": () => this.zoom(1 / STEP), 0: () => this.whole() };
      if (this.isZoomed && event.target === this.box) {
        Object.assign(keys, {
          ArrowLeft: () => this.pan(by, 0), ArrowRight: () => this.pan(-by, 0),
          ArrowUp: () => this.pan(0, by), ArrowDown: () => this.pan(0, -by),
        });
      }
      if (!keys[event.key]) return;
      event.preventDefault();
      event.stopPropagation();
      keys[event.key]();
    });
  }

  // --- labels --------------------------------------------------------------------------------------------
  /**
   * Lays out numbers, names and what happens, unless nothing has changed since the last time.
   * @param {boolean} [walks] whether units walk along the arrows
   */
  layOut(walks = false) {
    const { unit, base, strokes, notes } = this;
    const key = JSON.stringify([unit.toFixed(4), this.numbers.map(({ length }) => length), strokes, notes]);
    if (key !== this.laidOut) {
      this.laidOut = key;
      this.place(unit, base);
    }
    this.drawMarks();
    this.drawActs(walks);
  }

  /**
   * @param {number} unit
   * @param {{ x: number, y: number, width: number, height: number }} base
   */
  place(unit, base) {
    const places = this.places.map(({ x, y }, index) =>
      ({ x: (x - base.x) / unit, y: (y - base.y) / unit, name: this.info.names[index], number: this.numbers[index] }));
    const size = { width: base.width / unit, height: base.height / unit };
    const discs = [...this.svg.querySelectorAll("circle.middle")].map((disc) => {
      const [x, y, r] = ["cx", "cy", "r"].map((name) => Number(disc.getAttribute(name)));
      return {
        left: (x - r - base.x) / unit, right: (x + r - base.x) / unit,
        top: (y - r - base.y) / unit, bottom: (y + r - base.y) / unit,
      };
    });
    const first = new Set(this.strokes.flatMap(({ from, to }) => [from, to]));
    const strokes = this.strokes.map(({ from, to, rolls }) => ({ from, to, dice: this.diceSize(rolls.at(-1)) }));
    const texts = this.texts.map(({ at, text }) => ({ at, box: { wide: measure(text, LOSS, true) + 2, high: LOSS } }));
    const laid = layout(places, this.info.plaques, size, measure, discs, first, (spots, taken) => {
      if (!this.isZoomed) taken.add(this.boxOf(this.bar), -1);
      this.drawn = layOutActs(strokes, texts, spots, { taken, size });
    });
    const at = (/** @type {{ x: number, y: number }} */ { x, y }) =>
      `translate(${base.x + x * unit} ${base.y + y * unit}) scale(${unit})`;
    const unshown = laid.numbers.filter((count, index) => !count && this.numbers[index]).length;
    this.unshown.hidden = !unshown;
    this.unshown.textContent = `Zoom in for ${unshown} more ${unshown === 1 ? "number" : "numbers"}.`;
    laid.numbers.forEach((count, index) => {
      const mark = byId(`mark-${index}`);
      mark.setAttribute("transform", at(count ?? places[index]));
      mark.setAttribute("class", count?.form ?? "none");
      const half = Math.max(10, measure(this.numbers[index], 13, true) / 2 + 5);
      const plate = mark.querySelector("rect");
      for (const [name, value] of Object.entries({ x: -half, y: -10, width: 2 * half, height: 20, rx: 10 })) {
        plate.setAttribute(name, String(value));
      }
    });
    /** @type {Element[]} */
    const made = [];
    laid.names.forEach((label, index) => {
      if (label) made.push(this.text(label, "name", at(label), index));
    });
    laid.plaques.forEach((label) => {
      if (!label) return;
      const wide = measure(label.lines[0], label.size, true) + 10;
      const plate = shape("rect", { x: -wide / 2, y: -8.5, width: wide, height: 17, rx: 4 });
      made.push(shape("g", { class: "plaque", transform: at(label) }, plate,
        this.text({ ...label, x: 0, y: 0 }, "", "", -1)));
    });
    this.labels.replaceChildren(...made);
    nameMarkers(this.info.hints.markers, unit);
  }

  /**
   * Returns the area of an element in pixels from the corner of the whole map.
   * @param {Element} part
   */
  boxOf(part) {
    const { left, top, right, bottom } = part.getBoundingClientRect();
    const [from, to] = [this.pointOf({ clientX: left, clientY: top }), this.pointOf({ clientX: right, clientY: bottom })];
    const { unit, base: { x, y } } = this;
    return { left: (from.x - x) / unit, top: (from.y - y) / unit, right: (to.x - x) / unit, bottom: (to.y - y) / unit };
  }

  /**
   * @param {import("#report/labels").Label} label
   * @param {string} kind
   * @param {string} transform
   * @param {number} land
   */
  text({ lines, size }, kind, transform, land) {
    const top = -(lines.length - 1) * size * 1.15 / 2 + size * 0.35;
    const parts = lines.map((line, row) => shape("tspan", { x: 0, y: top + row * size * 1.15 }, line));
    const made = shape("text", { "font-size": size, "text-anchor": "middle" }, ...parts);
    if (kind) made.setAttribute("class", kind);
    if (transform) made.setAttribute("transform", transform);
    if (land >= 0) made.dataset.land = String(land);
    return made;
  }

  // --- owners and units ----------------------------------------------------------------------------------
  /**
   * Takes owners and units, which are laid out with what happens.
   * @param {import("#report/types").Shown} shown
   * @param {string} nobody the colour of territories without an owner
   * @param {(index: number) => boolean} isChanged
   */
  show(shown, nobody, isChanged) {
    shown.lands.forEach(([owner, armies], index) => {
      const land = byId(`land-${index}`);
      const player = shown.players[owner];
      land.setAttribute("fill", player ? player.fill : nobody);
      land.classList.toggle("changed", isChanged(index));
      const kinds = shown.stacks[index] ?? [];
      const stack = kinds.map((count, unit) => ({ count, unit })).filter(({ count }) => count);
      const text = stack.length ? stackText(kinds, this.info.hints.badges)
        // Empty territories without an owner have no number, so that the others stand out.
        : owner < 0 && armies === 0 ? "" : String(armies);
      this.numbers[index] = text;
      const label = byId(`armies-${index}`);
      label.textContent = text;
      if (stack.length) {
        const there = stack.map(({ count, unit }) => `${count} ${shown.declared.units[unit]}`).join(", ");
        label.append(shape("title", {}, there));
      }
    });
  }

  /**
   * Marks closed borders.
   * @param {[number, number][]} pairs
   */
  showClosed(pairs) {
    this.closed.replaceChildren(...pairs.map(([from, to]) => {
      const [a, b] = [this.places[from], this.places[to]];
      // A border around the world is closed at its western end.
      const isAround = Math.abs(a.x - b.x) > this.base.width / 2;
      const x = (isAround ? Math.min(a.x, b.x) - 30 : (a.x + b.x) / 2) - 6;
      const y = (isAround ? (a.x < b.x ? a : b).y : (a.y + b.y) / 2) - 6;
      const d = `M${x} ${y}l12 12m0 -12l-12 12`;
      const title = shape("title", {}, `closed: ${this.info.names[from]} – ${this.info.names[to]}`);
      return shape("g", {}, title, shape("path", { d, stroke: "#fff", "stroke-width": 6 }),
        shape("path", { d, stroke: "#b3261e", "stroke-width": 3 }));
    }));
  }

  /**
   * Takes the territories with marks, which get a diamond when the map is laid out.
   * @param {import("#report/hints").MarkText[]} texts
   */
  showMarks(texts) {
    this.marked = texts;
  }

  /** Draws a diamond at the number of each territory with marks. */
  drawMarks() {
    this.marks.replaceChildren(...this.marked.map(({ at, text }) => {
      const title = shape("title", {}, `${this.info.names[at]}: ${text}`);
      const transform = byId(`mark-${at}`).getAttribute("transform") ?? "";
      const d = "M11 -17l6 6l-6 6l-6 -6z";
      return shape("path", { transform, d, fill: MARK, stroke: "#fff", "stroke-width": 1.5 }, title);
    }));
  }

  // --- what happens --------------------------------------------------------------------------------------
  /**
   * Draws what happens in a step.
   * @param {import("#report/acts").Stroke[]} strokes
   * @param {(seat: number) => string} colourOf
   * @param {boolean} walks whether units walk along the arrows
   * @param {{ at: number, text: string }[]} notes texts at territories
   */
  showActs(strokes, colourOf, walks, notes = []) {
    this.strokes = strokes;
    this.notes = notes;
    this.colourOf = colourOf;
    this.layOut(walks && isMoving());
  }

  /** The texts at territories: losses and notes. */
  get texts() {
    const losses = this.strokes.flatMap(({ from, to, lost, killed }) => [{ at: from, lost }, { at: to, lost: killed }]);
    return [
      ...losses.filter(({ lost }) => lost).map(({ at, lost }) => ({ at, text: `−${lost}`, kind: "loss" })),
      ...this.notes.map((note) => ({ ...note, kind: "note" })),
    ];
  }

  /**
   * Returns the size of the picture of a roll. A small map has no room for it, and the text of the step has the dice too.
   * @param {[number[], number[]] | undefined} roll
   */
  diceSize(roll) {
    if (!roll || this.base.width / this.unit <= SMALL) return null;
    const [attack, defend] = roll;
    return { wide: Math.max(attack.length, defend.length) * DIE, high: defend.length ? 2 * DIE : DIE };
  }

  /** @param {boolean} walks */
  drawActs(walks) {
    const { unit, base, drawn } = this;
    // What is laid out is in pixels from the map's corner.
    const transform = `translate(${base.x} ${base.y}) scale(${unit})`;
    const colours = this.strokes.map(({ seat }) => seat >= 0 ? this.colourOf(seat) : "#888");
    const arrows = drawn.arrows.map((arrow, index) => arrowPicture(arrow, colours[index]));
    const dice = drawn.dice.flatMap((place, index) =>
      place ? [dicePicture(this.strokes[index].rolls[this.strokes[index].rolls.length - 1], colours[index], place)] : []);
    const texts = this.texts.map(({ text, kind }, index) => {
      const { x, y } = drawn.texts[index];
      return shape("text", { class: kind, x, y: y + LOSS * 0.36, "text-anchor": "middle", "font-size": LOSS }, text);
    });
    const walkers = walks ? this.strokes.flatMap(({ count, from, to }, index) =>
      count ? [walker(count, colours[index], this.places[from], this.places[to], unit)] : []) : [];
    this.notices.replaceChildren(shape("g", { transform }, ...dice, ...texts));
    this.acts.replaceChildren(shape("g", { transform }, ...arrows), ...walkers);
  }
}

/**
 * Draws an arrow with a dark rim and a light edge, so that it is seen on all colours.
 * @param {import("#report/arrows").Arrow} arrow
 * @param {string} colour
 */
function arrowPicture(arrow, colour) {
  const { shaft, head } = pathsOf(arrow);
  return shape("g", {},
    shape("path", { class: "arrow edge", d: shaft + head, "stroke-width": 7.5 }),
    shape("path", { class: "arrow rim", d: shaft, "stroke-width": 5 }),
    shape("path", { class: "arrow rim", d: head, "stroke-width": 2.5 }),
    shape("path", { class: "arrow shaft", d: shaft, "stroke-width": 3, stroke: colour }),
    shape("path", { d: head, fill: colour }));
}

/**
 * Draws the dice of a roll: the attacker's above the defender's.
 * @param {[number[], number[]]} roll
 * @param {string} colour
 * @param {{ x: number, y: number }} middle
 */
function dicePicture([attack, defend], colour, middle) {
  const group = shape("g", { class: "dice", transform: `translate(${middle.x} ${middle.y})` });
  [attack, defend].forEach((values, row) => {
    [...values].sort((a, b) => b - a).forEach((value, column) => {
      const x = (column - values.length / 2) * DIE + 1;
      const y = row * DIE - (defend.length ? DIE : DIE / 2) + 1;
      group.append(
        shape("rect", { x, y, width: 16, height: 16, rx: 3, fill: row ? "#ffffff" : colour }),
        shape("text", { x: x + 8, y: y + 12.3, "text-anchor": "middle", "font-size": 12 }, String(value)));
    });
  });
  return group;
}

/**
 * Draws units that walk from one territory to another.
 * @param {number} count
 * @param {string} colour
 * @param {{ x: number, y: number }} from
 * @param {{ x: number, y: number }} to
 * @param {number} unit
 */
function walker(count, colour, from, to, unit) {
  const group = shape("g", { class: "walker" },
    shape("circle", { r: 11, fill: colour, stroke: "#16202a", "stroke-width": 1.5 }),
    shape("text", { y: 4.6, "text-anchor": "middle", "font-size": 13 }, String(count)));
  const at = (/** @type {{ x: number, y: number }} */ { x, y }) => `translate(${x}px, ${y}px) scale(${unit})`;
  group.style.transform = at(to);
  const walk = group.animate([{ transform: at(from) }, { transform: at(to) }], { duration: WALK, easing: "ease-in-out" });
  walk.onfinish = () => group.remove();
  return group;
}
