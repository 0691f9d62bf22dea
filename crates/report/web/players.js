// The table of players, and what lies on the table.

import { byId, dot, element } from "#report/dom";

/** @typedef {import("#report/types").Shown} Shown */

/**
 * Returns the columns for what the ruleset declares, without those that are nothing for all players. A hidden value is
 * `?`. Hidden orders alone make no column: most rulesets have none.
 * @param {Shown["declared"]} declared
 * @returns {{ name: string, values: (number | string)[] }[]}
 */
export function columns(declared) {
  const counters = declared.counters.map(({ title, players }) => ({ name: title, values: players }));
  const piles = declared.piles.map(({ title, players }) => ({ name: title, values: players.map(({ count }) => count) }));
  const orders = declared.orders.some(Boolean) ? [{ name: "orders", values: declared.orders }] : [];
  return [...counters, ...piles, ...orders].flatMap(({ name, values }) =>
    name !== null && values.some((value) => value !== 0) ? [{ name, values: values.map((value) => value ?? "?") }] : []);
}

/**
 * Returns a text about the visible counters and piles that belong to no player.
 * @param {Shown["declared"]} declared
 */
export function tableText({ counters, piles }) {
  const titles = (/** @type {string[] | null | undefined} */ all) => all && all.length < 13 ? ` (${all.join(", ")})` : "";
  return [
    ...counters.filter(({ title, table }) => title !== null && table)
      .map(({ title, table }) => `${title} ${table}`),
    ...piles.filter(({ title, table }) => title !== null && table.count)
      .map(({ title, table }) => `${title} ${table.count}${titles(table.titles)}`),
  ].join(", ");
}

/** @param {Shown} shown */
export function showPlayers(shown) {
  const more = columns(shown.declared);
  const armies = shown.declared.units.length > 1 ? "units" : "armies";
  const faults = shown.players.some((player) => player.faults);
  const heads = ["player", "land", armies, ...(faults ? ["faults"] : []), ...more.map(({ name }) => name), "status"];
  byId("heads").replaceChildren(...heads.map((name) => element("th", name, { scope: "col" })));
  byId("table").textContent = tableText(shown.declared);
  byId("players").replaceChildren(...shown.players.map((player, seat) => {
    const row = document.createElement("tr");
    const isMover = seat === shown.mover && !shown.end;
    row.classList.toggle("mover", isMover);
    row.classList.toggle("out", player.status !== "playing");
    const name = element("th", "", { scope: "row" });
    name.append(dot(player.colour), player.name);
    const state = player.place ? `place ${player.place}` : player.status !== "playing" ? player.status
      : isMover ? "to move" : "";
    const values = [player.territories, player.armies, ...(faults ? [player.faults] : []),
      ...more.map(({ values: all }) => all[seat]), state];
    row.append(name, ...values.map((value) => element("td", value ?? "?")));
    return row;
  }));
}
