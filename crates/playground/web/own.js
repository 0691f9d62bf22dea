// The files that a person has dropped on a page. They last as long as the tab.

import { ask } from "#playground/engine";

/** @typedef {import("#playground/types").OwnFile} OwnFile */

const KEY = "risk-files";

/** @returns {OwnFile[]} */
export function ownFiles() {
  return JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
}

/** Hands the files to the engine. */
export async function addOwnFiles() {
  for (const file of ownFiles()) await ask({ ask: "add", ...file });
}

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

/**
 * Forgets a file. The engine forgets it with the page.
 * @param {string} kind
 * @param {string} name
 */
export function remove(kind, name) {
  const others = ownFiles().filter((file) => file.kind !== kind || file.name !== name);
  sessionStorage.setItem(KEY, JSON.stringify(others));
}

/**
 * Keeps a file, and hands it to the engine.
 * @param {OwnFile} file
 */
export async function keep(file) {
  await ask({ ask: "add", ...file });
  const others = ownFiles().filter(({ kind, name }) => kind !== file.kind || name !== file.name);
  try {
    sessionStorage.setItem(KEY, JSON.stringify([...others, file]));
  } catch {
    throw new Error(`${file.name} is too large for this browser to keep.`);
  }
}
