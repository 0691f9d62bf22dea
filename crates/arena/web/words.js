// What the server says, in words.

import { landAt, state, table } from "#arena/table";

/** @typedef {import("#arena/types").Value} Value */

/** @param {Value} word */
export const plain = (word) => String(word).replaceAll("_", " ");

/**
 * Returns the title of a unit, a pile or a counter; null if screens don't show it.
 * @param {string} section
 * @param {string} name
 */
export function titleOf(section, name) {
  const { head } = table.game;
  if (section === "units") return head.units[head.board.units.indexOf(name)] ?? plain(name);
  const part = (section === "piles" ? head.piles : head.counters).find((it) => it.name === name);
  return part ? part.title : plain(name);
}

/** @param {Value} id */
export const landTitle = (id) => table.game.map.territories[landAt.get(id) ?? -1]?.name ?? String(id);

/** @param {number} seat */
export const playerName = (seat) => table.game.players[seat] + (seat === table.game.you ? " (you)" : "");

/** @param {Value} name */
export function cardTitle(name) {
  const { cards, map } = table.game;
  const card = cards.find((it) => it.name === name);
  if (card?.title) return card.title;
  const at = card && card.territory !== null ? map.territories[card.territory]?.name : null;
  return at && card?.kind ? `${at} (${card.kind})` : plain(name);
}

/**
 * @param {number} index
 * @param {ReturnType<typeof state>} of
 * @returns {[kind: string, number: number | null][]}
 */
export const unitsAt = (index, of = state()) => Object.entries(of.units).map(([kind, all]) => [kind, all[index]]);

/**
 * @param {number} index
 * @param {ReturnType<typeof state>} [of]
 */
export function armiesAt(index, of) {
  const all = unitsAt(index, of).map(([, number]) => number);
  return all.some((number) => number === null) ? null : all.reduce((sum, number) => (sum ?? 0) + (number ?? 0), 0);
}

/** @param {number} index */
export function landText(index) {
  const { game } = table;
  const holder = state().owners[index];
  const whose = holder === null ? "unseen" : holder < 0 ? "nobody's" : holder === game.you ? "yours"
    : `${game.players[holder]}'s`;
  const stack = Object.keys(state().units).length > 1
    ? unitsAt(index).filter(([, number]) => number).map(([kind, number]) => `${number} ${titleOf("units", kind)}`)
      .join(", ") || "none"
    : `${armiesAt(index) ?? "?"}`;
  const { name } = game.map.territories[index];
  const around = game.head.groups.filter(({ members }) => members.includes(index));
  const marks = state().marks.flatMap(({ at, text }) => at === index ? [text] : []);
  return [`${name}: ${whose}`, stack, ...marks, ...around.map((group) => group.name)].join(", ");
}

/**
 * @param {string} kind
 * @param {Value} value
 */
export function valueText(kind, value) {
  switch (kind) {
    case "territory": return landTitle(value);
    case "continent": {
      const { continents, groups } = table.game.map;
      return [...continents, ...groups].find(({ id }) => id === value)?.name ?? String(value);
    }
    case "player": return playerName(Number(value));
    case "card": return cardTitle(value);
    case "unit": return titleOf("units", String(value)) ?? plain(value);
    default: return plain(value);
  }
}

/** @param {string} verb */
export const parametersOf = (verb) => table.game.verbs.find(({ name }) => name === verb)?.parameters ?? [];

/** @param {import("#arena/types").Action} action */
export function actionText([verb, ...values]) {
  const parts = values.map((value, at) => {
    const { kind } = parametersOf(verb)[at];
    const before = !at ? " " : kind === "territory" ? " → " : ", ";
    return before + valueText(kind, value);
  });
  return plain(verb) + parts.join("");
}

/** Returns how the game ended, as this player reads it. */
export function endText() {
  const { game, now } = table;
  const text = now?.end?.text ?? null;
  const own = game.you === null ? null : `${game.players[game.you]} wins: `;
  return own !== null && now?.end?.winners.includes(Number(game.you)) && text?.startsWith(own)
    ? `You win: ${text.slice(own.length)}` : text;
}

/** @param {number} chance from 0 to 1 */
export const chanceText = (chance) => chance > 0.995 && chance < 1 ? "over 99 %"
  : chance < 0.005 && chance > 0 ? "under 1 %" : `${Math.round(chance * 100)} %`;

/**
 * Returns the attack that is offered between two territories.
 * @param {Value} from
 * @param {Value} to
 */
export const attackOf = (from, to) => table.now?.question?.attacks.find((it) => it.from === from && it.to === to);
