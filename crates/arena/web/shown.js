// What the map and the table of players show. A value that this viewer may not see is null, and never counts as 0.

import { armiesAt, cardTitle, endText, playerName, titleOf } from "#arena/words";
import { table } from "#arena/table";
import { colourOf, fillOf } from "#report/colours";

/**
 * Returns what the map and the table of players show of a state.
 * @param {ReturnType<typeof import("#arena/table").state>} of
 * @returns {import("#report/types").Shown}
 */
export function shown(of) {
  const { game, now } = table;
  const { owners, units, statuses, counters, piles } = of;
  const kinds = game.head.board.units;
  const places = Object.fromEntries((now?.end?.ranking ?? []).map(({ seat, place }) => [seat, place]));
  return {
    lands: owners.map((holder, index) => [holder ?? -1, armiesAt(index, of) ?? "?"]),
    stacks: kinds.length < 2 ? []
      : owners.map((_, index) => armiesAt(index, of) === null ? [] : kinds.map((kind) => units[kind]?.[index] ?? 0)),
    players: game.players.map((_, seat) => ({
      name: playerName(seat), colour: colourOf(seat), fill: fillOf(seat), status: statuses[seat], ...strengthOf(seat, of),
      place: places[seat] ?? null,
    })),
    declared: {
      units: kinds.map((kind) => titleOf("units", kind) ?? kind),
      counters: Object.entries(counters).map(([name, { table: of, players }]) =>
        ({ name, title: titleOf("counters", name), table: of, players })),
      piles: Object.entries(piles).map(([name, { table: of, players }]) =>
        ({ name, title: titleOf("piles", name), players, table: { count: of.count, titles: of.cards?.map(cardTitle) } })),
      orders: [],
    },
    mover: now?.waits?.seat ?? (now?.question ? game.you ?? -1 : -1), end: endText(),
  };
}

/**
 * Returns a player's territories and armies, as far as they are seen.
 * @param {number} seat
 * @param {ReturnType<typeof import("#arena/table").state>} of
 */
function strengthOf(seat, of) {
  const { owners } = of;
  const held = owners.flatMap((holder, index) => holder === seat ? [index] : []);
  const seen = held.map((at) => armiesAt(at, of)).filter((armies) => armies !== null);
  const hidesLands = owners.includes(null) && seat !== table.game.you;
  const armies = seen.reduce((sum, number) => sum + number, 0);
  return {
    territories: hidesLands ? `${held.length} seen` : held.length,
    armies: held.length && !seen.length ? "?" : hidesLands || seen.length < held.length ? `${armies} seen` : armies,
  };
}
