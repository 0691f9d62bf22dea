// What comes next, for people who watch while no match that they see is under way.

/** @typedef {{ match: number, players: string[], end: string | null }} Match */

/**
 * @typedef {object} Open the match that waits for players
 * @property {string} [text] what there is instead of such a match
 * @property {number} [match]
 * @property {string[]} [joined]
 * @property {string[]} [house]
 * @property {number} [seats]
 * @property {boolean} [closed]
 */

/**
 * Returns what comes next: a text, and the match that can be watched now. Returns null if the shown match is under way
 * or nothing comes.
 * @param {Open} open
 * @param {Match[]} matches the newest first
 * @param {number | null} shown the number of the match that is shown
 * @param {string} game the ruleset and the map
 * @returns {{ text: string, watch: number | null } | null}
 */
export function nextOf(open, matches, shown, game) {
  const current = matches.find(({ match }) => match === shown);
  if (current && current.end === null) return null;
  const running = matches.find(({ end }) => end === null);
  if (running) return { text: `Match ${running.match} is under way: ${running.players.join(", ")}`, watch: running.match };
  if (open.text !== undefined) {
    const isLast = current !== undefined && current === matches[0];
    return isLast ? { text: "No game is under way now. This page shows the last one", watch: null } : null;
  }
  if (open.closed) return { text: "No match follows: the arena is not open for players now", watch: null };
  const here = [...(open.joined ?? []), ...(open.house ?? [])];
  const left = (open.seats ?? 0) - here.length;
  const who = here.length ? ` (${here.join(", ")})` : "";
  const begins = left > 0 ? `It begins when ${left} more ${left === 1 ? "player has" : "players have"} joined`
    : "It begins in a moment";
  return { text: `Next: match ${open.match}, ${game}. ${begins}; ${here.length} of ${open.seats} are here${who}`, watch: null };
}
