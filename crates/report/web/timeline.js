// A game as the changes of each step, and its state at any of them. Nothing here touches the page.

/** @typedef {import("#report/types").Frame} Frame */
/** @typedef {import("#report/types").Head} Head */
/** @typedef {import("#report/types").State} State */
/** @typedef {import("#report/types").Land} Land */

// Each KEYFRAME-th state is stored, so that a jump applies few changes.
const KEYFRAME = 200;
const MOST_SAMPLES = 800;

/**
 * Reports whether nobody but its owner sees the units of a territory while a game is watched.
 * @param {Land} land
 */
export const isUnseen = (land) => land[1] < 0;

/** @param {Land} land */
export const total = (land) => isUnseen(land) ? 0 : land.slice(1).reduce((sum, units) => sum + units, 0);

/**
 * Returns each player's territories and units.
 * @param {State} state
 * @param {number} seats
 */
export function strength(state, seats) {
  const land = Array(seats).fill(0);
  const armies = Array(seats).fill(0);
  for (const at of state.lands) {
    if (at[0] < 0) continue;
    land[at[0]] += 1;
    armies[at[0]] += total(at);
  }
  return [land, armies];
}

/**
 * Applies the changes of a frame to the state before it.
 * @param {State} state
 * @param {Frame} frame
 * @param {number} index
 */
function apply(state, frame, index) {
  state.at = index;
  if (frame.w) state.when = frame.w;
  if (frame.b) state.closed = frame.b;
  for (const [at, ...land] of frame.l ?? []) state.lands[at] = /** @type {Land} */ (land);
  for (const [at, values] of frame.m ?? []) state.marks[at] = values;
  for (const [place, value] of frame.n ?? []) state.numbers[place] = value;
  for (const [place, value] of frame.p ?? []) state.piles[place] = value;
  for (const [seat, value] of frame.s ?? []) state.sights[seat] = value;
}

/**
 * Returns a state that changes apart from this one. Values are replaced and never changed themselves.
 * @param {State} state
 * @returns {State}
 */
const copy = (state) => ({
  at: state.at, when: state.when, lands: state.lands.slice(), numbers: state.numbers.slice(),
  piles: state.piles.slice(), sights: state.sights.slice(), marks: state.marks.slice(),
  closed: state.closed,
});

export class Timeline {
  /** @param {Head} head */
  constructor(head) {
    this.head = head;
    /** @type {Frame[]} */
    this.frames = [];
    /** @type {State[]} states at 0, KEYFRAME, … */
    this.kept = [];
    /** @type {State} the state of the last frame */
    this.latest = { at: -1, when: [0, 0, 0, -1, -1], lands: [], numbers: [], piles: [], sights: [],
      marks: [], closed: [] };
    /** @type {import("#report/types").When[]} */
    this.whens = [];
    /** Frames with eliminations, faults and changes of owners. */
    this.marks = { eliminations: /** @type {number[]} */ ([]), faults: /** @type {number[]} */ ([]),
      captures: /** @type {number[]} */ ([]) };
    /** @type {{ frame: number, seat: number, text: string, kind: "round" | "heading" | "text" }[]} the story */
    this.story = [];
    /** @type {[frame: number, strength: number[][]][]} samples for the chart */
    this.samples = [];
    this.every = 1;
  }

  get last() {
    return this.frames.length - 1;
  }

  /** @param {Frame} frame */
  add(frame) {
    const index = this.frames.push(frame) - 1;
    const captures = (frame.l ?? []).some(([at, owner]) => index > 0 && this.latest.lands[at][0] !== owner);
    apply(this.latest, frame, index);
    if (index % KEYFRAME === 0) this.kept.push(copy(this.latest));
    this.whens.push(this.latest.when);
    if (frame.x) this.marks.eliminations.push(index);
    if (frame.k) this.marks.faults.push(index);
    if (captures) this.marks.captures.push(index);
    const round = this.latest.when[1];
    if (round && round !== this.whens.at(-2)?.[1]) {
      this.story.push({ frame: index, seat: -1, text: `Round ${round}`, kind: "round" });
    }
    for (const [seat, text, heading] of frame.t ?? []) {
      this.story.push({ frame: index, seat, text, kind: heading ? "heading" : "text" });
    }
    if (index % this.every === 0) this.sample(index);
    if (this.samples.length > MOST_SAMPLES) {
      this.samples = this.samples.filter((_, at) => at % 2 === 0);
      this.every *= 2;
    }
  }

  /** @param {number} index */
  sample(index) {
    this.samples.push([index, strength(this.latest, this.head.players.length)]);
  }

  /** Adds the last frame to the samples of the chart. */
  close() {
    if (this.samples.at(-1)?.[0] !== this.last) this.sample(this.last);
  }

  /**
   * Returns the state of a frame, from the state that is shown if that is the frame before.
   * @param {number} index
   * @param {State} [from]
   */
  stateAt(index, from) {
    const state = from?.at === index - 1 ? from : copy(this.kept[Math.floor(index / KEYFRAME)]);
    while (state.at < index) apply(state, this.frames[state.at + 1], state.at + 1);
    return state;
  }

  /**
   * Returns the first frame in which a turn (part 2) or a round (part 1) differs from that of a frame.
   * Backwards, it returns the beginning of the turn or round, or that of the one before.
   * @param {number} at
   * @param {0 | 1 | 2} part 0 for a single frame
   * @param {1 | -1} by
   */
  step(at, part, by) {
    const clamped = (/** @type {number} */ index) => Math.min(Math.max(0, index), this.last);
    if (part === 0) return clamped(at + by);
    const value = (/** @type {number} */ index) => this.whens[index][part];
    let to = at;
    if (by > 0) {
      while (to < this.last && value(to) === value(at)) to += 1;
      return to;
    }
    while (to > 0 && value(to - 1) === value(at)) to -= 1;
    if (to < at || to === 0) return to;
    to -= 1;
    const before = value(to);
    while (to > 0 && value(to - 1) === before) to -= 1;
    return to;
  }

  /**
   * Returns the next marked frame, or the first one after the last.
   * @param {keyof Timeline["marks"]} kind
   * @param {number} at
   */
  next(kind, at) {
    const all = this.marks[kind];
    return all.find((frame) => frame > at) ?? all[0];
  }

  /**
   * Returns the first frame with at least so many answers.
   * @param {number} answers
   */
  frameOf(answers) {
    const at = this.whens.findIndex(([count]) => count >= answers);
    return at < 0 ? this.last : at;
  }

  /** Returns the frame with which a reader begins: that of the first turn. */
  get first() {
    return Math.max(0, this.whens.findIndex(([, , turn]) => turn > 0));
  }

  /**
   * Returns what has happened to a territory up to a frame, the newest first.
   * @param {number} land
   * @param {number} to
   * @param {number} most
   * @returns {{ frame: number, owner: number, before: number, units: number }[]}
   */
  history(land, to, most) {
    const all = [];
    let before = /** @type {Land | undefined} */ (undefined);
    for (let index = 0; index <= to; index += 1) {
      const change = this.frames[index].l?.find(([at]) => at === land);
      if (!change) continue;
      const now = /** @type {Land} */ (/** @type {unknown} */ (change.slice(1)));
      if (before && (now[0] !== before[0] || total(now) !== total(before))) {
        all.push({ frame: index, owner: now[0], before: before[0], units: total(now) });
      }
      before = now;
    }
    return all.slice(-most).reverse();
  }
}
