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

/** Whether the reader has scrolled the story up, and the size of its box. */
let isReading = false;
let size = "";

function followStory() {
  const box = byId("lines");
  const now = `${box.clientWidth} ${box.clientHeight}`;
  if (now === size) {
    isReading = box.scrollTop + box.clientHeight < box.scrollHeight - 8;
    return;
  }
  // A box of another size was not scrolled by its reader.
  size = now;
  if (!isReading) box.scrollTop = box.scrollHeight;
}

/**
 * Writes the story. Its box shows the end, whatever its size.
 * @param {(string | Node)[]} lines
 * @param {boolean} isKept whether a reader who has scrolled up goes on reading there
 */
export function showStory(lines, isKept) {
  const box = byId("lines");
  box.replaceChildren(...lines);
  isReading &&= isKept;
  if (!isReading) box.scrollTop = box.scrollHeight;
  size = `${box.clientWidth} ${box.clientHeight}`;
  if (box.onscroll) return;
  box.onscroll = followStory;
  new ResizeObserver(followStory).observe(box);
}
