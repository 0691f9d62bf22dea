// The names of files, and what they say.

/** @typedef {import("#playground/types").OwnFile} OwnFile */

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
  if (!name.endsWith(".rhai")) {
    throw new Error(`${name} is no ruleset, bot, map or record: expected .rhai, .yaml, .yml, .map, .svg, .json or .jsonl.`);
  }
  return /\bfn\s+ruleset\s*\(/.test(text) ? "ruleset" : "bot";
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
