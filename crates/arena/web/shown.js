// What the map and the table of players show. A value that this viewer may not see is null, and never counts as 0.

import { armiesAt, cardTitle, endText, playerName, titleOf } from "#arena/words";
import { state, table } from "#arena/table";
import { colourOf, fillOf } from "#report/colours";

/** @returns {import("#report/types").Shown} */
export function shown() {
  const { game, now } = table;
  const { owners, units, statuses, counters, piles } = state();
  const kinds = game.board.units;
  const places = Object.fromEntries((now?.end?.ranking ?? []).map(({ seat, place }) => [seat, place]));
  return {
    lands: owners.map((holder, index) => [holder ?? -1, armiesAt(index) ?? "?"]),
    stacks: kinds.length < 2 ? []
      : owners.map((_, index) => armiesAt(index) === null ? [] : kinds.map((kind) => units[kind]?.[index] ?? 0)),
    players: game.players.map((_, seat) => ({
      name: playerName(seat), colour: colourOf(seat), fill: fillOf(seat), status: statuses[seat], ...strengthOf(seat),
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
 */
function strengthOf(seat) {
  const { owners } = state();
  const held = owners.flatMap((holder, index) => holder === seat ? [index] : []);
  const seen = held.map(armiesAt).filter((armies) => armies !== null);
  const hidesLands = owners.includes(null) && seat !== table.game.you;
  const armies = seen.reduce((sum, number) => sum + number, 0);
  return {
    territories: hidesLands ? `${held.length} seen` : held.length,
    armies: held.length && !seen.length ? "?" : hidesLands || seen.length < held.length ? `${armies} seen` : armies,
  };
}
