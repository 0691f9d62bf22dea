// How things stand at the table, and what is chosen so far.

import { markTexts } from "#report/hints";
import { Timeline } from "#report/timeline";

/**
 * @typedef {object} Table
 * @property {import("#arena/types").Game} game what does not change
 * @property {import("#arena/types").Now | null} now how things stand
 * @property {import("#arena/types").Choice} choice what is chosen so far
 * @property {number[]} auto which of it was the only thing possible, as places in `choice.args`
 * @property {number | null} count the number that is chosen just now
 * @property {boolean} busy whether an answer is on its way
 * @property {number} answered the question that was answered last
 * @property {string[]} hinted the territories of the last hint
 */

/** @type {Table} */
export const table = {
  game: /** @type {any} */ (null), now: null, choice: { verb: null, args: [] }, auto: [], count: null, busy: false,
  answered: 0, hinted: [],
};

/** The position of each territory in the lists of a state, by its id. */
export const landAt = /** @type {Map<import("#arena/types").Value, number>} */ (new Map());

/**
 * What this viewer has seen of the game, and how often it began again.
 * @type {{ epoch: number, timeline: Timeline | null }}
 */
export const seen = { epoch: 0, timeline: null };

/**
 * Takes what the viewer has not seen yet. Returns whether the game begins anew.
 * @param {import("#arena/types").News} news
 */
export function take({ epoch, from, frames }) {
  const begins = epoch !== seen.epoch;
  if (begins || !seen.timeline) seen.timeline = new Timeline(table.game.head);
  seen.epoch = epoch;
  const { timeline } = seen;
  for (const frame of frames.slice(timeline.frames.length - from)) timeline.add(frame);
  return begins;
}

/** Returns how things stand, with the names of the game; the page shows nothing before that is known. */
export function state() {
  const { timeline } = seen;
  if (!timeline || timeline.last < 0) throw new Error("nothing is known of the game yet");
  return stateOf(timeline.latest);
}

/**
 * Returns a state of the game with the names of the game. A value that this viewer may not see is null.
 * @param {import("#report/types").State} latest
 */
export function stateOf(latest) {
  const { when, lands, numbers, piles } = latest;
  const { head, cards } = table.game;
  const seats = head.players.length;
  const held = (/** @type {number} */ index, /** @type {number} */ holder) => index * (seats + 1) + holder;
  const each = head.players.map((_, seat) => seat);
  // Fog hides the owner together with the units.
  const isHidden = (/** @type {number[]} */ land) => land[0] < 0 && land.slice(1).some((units) => units < 0);
  const pile = (/** @type {number | number[]} */ all) => Array.isArray(all)
    ? { count: all.length, cards: all.map((card) => cards[card].name) } : { count: all, cards: null };
  return {
    round: when[1],
    owners: lands.map((land) => isHidden(land) ? null : land[0]),
    units: Object.fromEntries(head.board.units.map((kind, unit) =>
      [kind, lands.map((land) => land[unit + 1] < 0 ? null : land[unit + 1])])),
    // The frames say nothing of what this viewer may not see.
    marks: markTexts(latest, head.marks, () => true),
    counters: Object.fromEntries(head.counters.map(({ name }, index) => {
      const value = (/** @type {number} */ holder) => numbers[3 * seats + held(index, holder)];
      return [name, { table: value(seats), players: each.map(value) }];
    })),
    piles: Object.fromEntries(head.piles.map(({ name }, index) => {
      const value = (/** @type {number} */ holder) => pile(piles[held(index, holder)]);
      return [name, { table: value(seats), players: each.map(value) }];
    })),
    statuses: each.map((seat) => STATUS[Number(numbers[3 * seat])]),
    orders: table.now?.orders ?? [],
  };
}

const STATUS = ["playing", "neutral", "forfeited", "eliminated"];
