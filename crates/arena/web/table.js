// How things stand at the table, and what is chosen so far.

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

/** Returns how things stand; the page shows nothing before that is known. */
export function state() {
  if (!table.now) throw new Error("nothing is known of the game yet");
  return table.now.state;
}
