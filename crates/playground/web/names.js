// The names of files and players, and what they say.

/** @typedef {import("#playground/types").OwnFile} OwnFile */

/**
 * Returns a player's name, which may be empty, and bot. The words of `name=Ann,bot=human` may come in any order, and
 * without `bot=`. With other words, all of them are the bot.
 * @param {string} player as in a link
 */
export function playerOf(player) {
  const words = player.split(",").map((word) => /^(?:(name|bot)=)?([^="]*)$/.exec(word));
  const word = (/** @type {string | undefined} */ key) => words.find((found) => found?.[1] === key)?.[2];
  const bot = word("bot") ?? word(undefined);
  return words.includes(null) || !bot ? { name: "", bot: player } : { name: word("name") ?? "", bot };
}

/** Returns a player as in a link. @param {{ name: string, bot: string }} player */
export const playerText = ({ name, bot }) => name ? `name=${name},bot=${bot}` : bot;

/** Reports whether a person plays. @param {string} player as in a link */
export const isPerson = (player) => playerOf(player).bot === "human";

/** The place of the files of the workshop, for the game beside its editor. */
export const OF_WORKSHOP = "risk-workshop";

/**
 * Returns what a file is, by its ending and its contents.
 * @param {string} name
 * @param {string} text
 * @returns {OwnFile["kind"] | "record"}
 */
export function kindOf(name, text) {
  if (text.startsWith('{"record"')) return "record";
  if (/\.(yaml|yml|map|svg|json)$/i.test(name)) return "map";
  if (!/\.rhai$/i.test(name)) {
    throw new Error(`${name} is no ruleset, bot, map or record: expected .rhai, .yaml, .yml, .map, .svg, .json or .jsonl.`);
  }
  return /\bfn\s+ruleset\s*\(/.test(text.replaceAll(/\/\/.*|\/\*[\s\S]*?(\*\/|$)/g, "")) ? "ruleset" : "bot";
}

/**
 * Returns the name by which games refer to a file.
 * @param {string} name
 */
export const stem = (name) => name.replace(/\.[^.]*$/, "").replace(/[^A-Za-z0-9_-]+/g, "-").slice(0, 40);

/** Returns the ending of a file's name. @param {{ kind: string, text: string }} file */
export function endingOf({ kind, text }) {
  if (kind !== "map") return "rhai";
  if (/^\s*</.test(text)) return "svg";
  if (/^\s*\{/.test(text)) return "json";
  return /^\s*\[/.test(text) ? "map" : "yaml";
}
