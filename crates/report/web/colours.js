// Players' colours and patterns, and what a browser remembers of a page's look.

import { byId, shape } from "#report/dom";

/** @type {Record<string, string[]>} */
const PALETTES = {
  grey: ["#d8d8d8", "#bdbdbd", "#e3e3e3", "#9e9e9e", "#d0d0d0", "#f2f2f2", "#acacac", "#c6c6c6"],
};

/** The number of players whose colours differ for all eyes. Further players have patterns too. */
const COLOURS = 6;

/** The colours of the players in the page's own palette, by seat. */
let own = /** @type {string[]} */ ([]);

/** @param {string[]} colours by seat */
export function setColours(colours) {
  own = colours;
  colourPatterns();
}

/** @param {number} seat */
export function colourOf(seat) {
  const palette = PALETTES[byId("palette").value];
  return palette?.[seat % palette.length] ?? own[seat];
}

const isPatterned = () => byId("patterns").checked || byId("palette").value === "grey";

/** @param {number} seat */
export const fillOf = (seat) => isPatterned() || seat >= COLOURS ? `url(#pattern-${seat})` : colourOf(seat);

/** Draws the patterns of the map in the chosen colours. */
function colourPatterns() {
  for (const seat of own.keys()) byId(`pattern-${seat}`)?.firstElementChild?.setAttribute("fill", colourOf(seat));
}

/** Puts the players' patterns before their names, where colours alone do not tell them apart. */
export function showSwatches() {
  document.querySelectorAll("#players tr").forEach((row, seat) => {
    if (!isPatterned() && seat < COLOURS) return;
    const swatch = shape("svg", { class: "swatch", viewBox: "0 0 32 20", "aria-hidden": "true" });
    swatch.append(shape("rect", { width: 32, height: 20, fill: `url(#pattern-${seat})` }));
    row.querySelector("i")?.replaceWith(swatch);
  });
}

/** Reports whether pieces move and lands fade on the map. */
export const isMoving = () => byId("motion").checked;

/** Takes on the look that this browser remembers. It remembers nothing of a game. */
export function rememberLook() {
  let look = /** @type {any} */ ({});
  try {
    look = JSON.parse(localStorage.getItem("risk-look") ?? "{}");
  } catch { /* The usual look. */ }
  if (look.palette in PALETTES) byId("palette").value = look.palette;
  byId("patterns").checked = Boolean(look.patterns);
  byId("theme").value = ["light", "dark"].includes(look.theme) ? look.theme : "";
  byId("motion").checked = look.motion ?? !matchMedia("(prefers-reduced-motion: reduce)").matches;
  setLook();
}

function setLook() {
  document.documentElement.dataset.theme = byId("theme").value;
  document.documentElement.classList.toggle("still", !isMoving());
}

/**
 * Listens to the choice of colours, patterns, theme and motion.
 * @param {() => void} changed called after each choice
 */
export function listenToLook(changed) {
  for (const id of ["palette", "patterns", "theme", "motion"]) {
    byId(id).onchange = () => {
      const look = {
        palette: byId("palette").value, patterns: byId("patterns").checked,
        theme: byId("theme").value, motion: isMoving(),
      };
      try {
        localStorage.setItem("risk-look", JSON.stringify(look));
      } catch { /* The look is the usual one next time. */ }
      setLook();
      colourPatterns();
      changed();
    };
  }
}
