// Elements of a page. All text is set as text, never as HTML.

export const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {string} id
 * @returns {any} the element, which the page's HTML is known to have
 */
export const byId = (id) => document.getElementById(id);

/**
 * Makes an HTML element with a text and attributes.
 * @param {string} name
 * @param {string | number} [text]
 * @param {Record<string, string | number>} [attributes]
 * @returns {any}
 */
export function element(name, text = "", attributes = {}) {
  const made = document.createElement(name);
  made.textContent = String(text);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

/**
 * Makes an SVG element with attributes and parts.
 * @param {string} name
 * @param {Record<string, string | number>} [attributes]
 * @param {(string | Node)[]} parts
 * @returns {any}
 */
export function shape(name, attributes = {}, ...parts) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...parts);
  return made;
}

/**
 * Makes the spot of a player's colour that stands before the name.
 * @param {string} colour
 */
export function dot(colour) {
  const made = document.createElement("i");
  made.style.background = colour;
  return made;
}

/**
 * Writes a story. Its box shows the last lines; a reader who has scrolled up keeps on reading there if `isKept`.
 * @param {(string | Node)[]} lines
 * @param {boolean} isKept
 */
export function showStory(lines, isKept) {
  const box = byId("lines");
  const [before, top] = [box.scrollHeight, box.scrollTop];
  const text = document.createElement("div");
  text.append(...lines);
  box.replaceChildren(text);
  // The style counts from the end, so that a box which changes its size still shows its end.
  box.scrollTop = isKept && top < -8 ? top - (box.scrollHeight - before) : 0;
}
