// Files to take away.

import { element } from "#report/dom";

/**
 * Saves a file.
 * @param {string | Uint8Array<ArrayBuffer>} text
 * @param {string} type
 * @param {string} name
 */
export function save(text, type, name) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  element("a", "", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
