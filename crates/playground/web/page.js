// The parts that pages of games share: the map, links and files to take away.

import { ask } from "#playground/shared";
import { save } from "#playground/save";
import { byId, shape } from "#report/dom";

// The workshop shows a game beside its editor, where it takes the focus from itself only.
if (parent !== window) {
  document.body.classList.add("embedded");
  for (const { prototype } of [HTMLElement, SVGElement]) {
    const { focus } = prototype;
    prototype.focus = function focusInside(options) {
      if (document.hasFocus()) focus.call(this, options);
    };
  }
  // The wheel scrolls the workshop. With Ctrl, it zooms into the map.
  addEventListener("wheel", (event) => { if (!event.ctrlKey) event.stopImmediatePropagation(); }, { capture: true });
}
// For the workshop.
Object.assign(globalThis, { gameOnPage: { record: async () => (await ask({ ask: "record" })).text, link: async () => (await ask({ ask: "link", files: false })).text } });

/** @param {string} svg the picture of a map, from the engine */
export function insertMap(svg) {
  const drawn = new DOMParser().parseFromString(svg, "text/html").querySelector("svg");
  if (drawn) document.querySelector(".map")?.prepend(drawn);
}

/** @param {string} text what the person must know, whatever happens next */
export function alarm(text) {
  byId("trouble").after(byId("alarm"));
  byId("alarm").hidden = !text;
  byId("alarm").textContent = text;
}

/** @param {string[]} differences what differs from the game of a link */
export function showDifferences(differences) {
  alarm(differences.length ? `This is not the game of the link: ${differences.join("; ")}.` : "");
}

/** Saves the open game as an animated picture. */
export async function saveGif() {
  const { text: record } = await ask({ ask: "record" });
  const { text } = await ask({ ask: "gif", record });
  save(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)), "image/gif", "game.gif");
}

/** What a style sheet says about the parts of a map. */
const LOOK = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linejoin", "stroke-linecap", "paint-order",
  "vector-effect", "font-size", "font-family", "font-weight", "text-anchor", "dominant-baseline", "opacity"];

/** Returns the map as it is on the page now, without what is chosen on it. */
function picture() {
  const map = /** @type {SVGElement} */ (byId("map").cloneNode(true));
  const shown = byId("map").querySelectorAll("*");
  map.querySelectorAll("*").forEach((part, at) => {
    const style = getComputedStyle(shown[at]);
    for (const name of LOOK) {
      part.setAttribute(name, style.getPropertyValue(name));
    }
    if (style.display === "none" || style.visibility === "hidden") part.remove();
  });
  for (const part of map.querySelectorAll(".arrow, .arrows, title")) part.remove();
  map.prepend(shape("rect", { x: "-50%", y: "-50%", width: "200%", height: "200%", fill: getComputedStyle(/** @type {Element} */ (byId("map").parentElement)).backgroundColor }));
  map.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return new XMLSerializer().serializeToString(map);
}

export function listenToKeep() {
  /** @param {string} text */
  const show = (text) => { byId("kept-note").textContent = text; };
  /** @param {string} id @param {() => Promise<string | void>} act */
  const on = (id, act) => {
    byId(id).onclick = async () => {
      try {
        show((await act()) ?? "");
      } catch (error) {
        show(/** @type {Error} */ (error).message);
      }
    };
  };
  on("copy-link", async () => {
    const { text } = await ask({ ask: "link", files: true });
    const link = `${location.href.split("#")[0]}#${text}`;
    history.replaceState(null, "", link);
    try {
      await navigator.clipboard.writeText(link);
      return `Link copied: ${link.length} characters. Whoever opens it sees this moment and can play on; it contains the seed of the dice.`;
    } catch {
      return "The link of this moment is now the address of this page: copy it from there.";
    }
  });
  on("save-record", async () => save((await ask({ ask: "record" })).text, "application/jsonl", "game.jsonl"));
  on("save-gif", saveGif);
  on("save-picture", async () => save(picture(), "image/svg+xml", "map.svg"));
}
