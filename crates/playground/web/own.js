// The files that a person has dropped on a page. They last as long as the tab. The workshop has files of its own for the
// game beside its editor.

import { OF_WORKSHOP } from "#playground/names";
import { ask } from "#playground/shared";

/** @typedef {import("#playground/types").OwnFile} OwnFile */

const KEY = location.search.startsWith("?workshop") ? OF_WORKSHOP : "risk-files";

/** @returns {OwnFile[]} */
export function ownFiles() {
  return JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
}

/** Hands the files to the engine. */
export async function addOwnFiles() {
  for (const file of ownFiles()) await ask({ ask: "add", ...file });
}

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
