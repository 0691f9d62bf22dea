
// --- colours -----------------------------------------------------------------------------------------
// Colours that colour-blind people tell apart, and greys with patterns. A page says what its own are,
// by seat: `ownColour`.
const SVG = "http://www.w3.org/2000/svg";
const PALETTES = {
  safe: ["#e69f00", "#56b4e9", "#2bb38a", "#f0e442", "#6aa3d8", "#e8864a", "#cc79a7", "#bbbbbb"],
  grey: ["#d8d8d8", "#bdbdbd", "#e3e3e3", "#9e9e9e", "#d0d0d0", "#f2f2f2", "#acacac", "#c6c6c6"],
};
const colourOf = (seat) => PALETTES[byId("palette").value]?.[seat % 8] ?? ownColour(seat);
const patterned = () => byId("patterns").checked || byId("palette").value === "grey";
const fillOf = (seat) => patterned() ? `url(#pattern-${seat})` : colourOf(seat);

function shape(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

// Lines and dots that tell players apart without colours.
const MARKS = [
  [], [["path", "M0 0L14 14M-4 10L4 18M10 -4L18 4"]], [["circle", 7, 7, 3]], [["path", "M0 7H14"]],
  [["path", "M0 14L14 0M-4 4L4 -4M10 18L18 10"]], [["path", "M7 0V14M0 7H14"]], [["path", "M7 0V14"]],
  [["circle", 3, 3, 2], ["circle", 10, 10, 2]],
];

function makePatterns() {
  document.getElementById("patterns-of-players")?.remove();
  const defs = shape("defs", { id: "patterns-of-players" });
  game.players.forEach((_, seat) => {
    const pattern = shape("pattern", { id: `pattern-${seat}`, width: 14, height: 14, patternUnits: "userSpaceOnUse" });
    pattern.append(shape("rect", { width: 14, height: 14, fill: colourOf(seat) }));
    for (const [kind, ...at] of MARKS[seat % MARKS.length]) {
      pattern.append(kind === "path"
        ? shape("path", { d: at[0], stroke: "#16202a", "stroke-width": 1.6, fill: "none" })
        : shape("circle", { cx: at[0], cy: at[1], r: at[2], fill: "#16202a" }));
    }
    defs.append(pattern);
  });
  byId("map")?.prepend(defs);
}

// The players' patterns before their names, where colours alone do not tell them apart.
function showSwatches() {
  if (!patterned()) return;
  document.querySelectorAll("#players tr").forEach((row, seat) => {
    const swatch = shape("svg", { class: "swatch", viewBox: "0 0 32 20", "aria-hidden": "true" });
    swatch.append(shape("rect", { width: 32, height: 20, fill: `url(#pattern-${seat})` }));
    row.querySelector("i")?.replaceWith(swatch);
  });
}

// What this browser remembers: how pages look, and nothing of the game.
function rememberedLook() {
  try {
    const [palette, patterns, theme] = JSON.parse(localStorage.getItem("look") ?? "[]");
    return { palette, patterns, theme };
  } catch {
    return {};
  }
}

function keepLook(theme) {
  try {
    localStorage.setItem("look", JSON.stringify([byId("palette").value, byId("patterns").checked, theme]));
  } catch { /* It is as it was next time. */ }
}

function putLook({ palette, patterns }) {
  if (palette === "safe" || palette === "grey") byId("palette").value = palette;
  byId("patterns").checked = Boolean(patterns);
}
