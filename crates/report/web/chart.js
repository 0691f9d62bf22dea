// The chart over the time line: each player's share, and marks of what turned the game.

import { byId, element, shape } from "#report/dom";

/** @typedef {import("#report/timeline").Timeline} Timeline */

const HIGH = 90;
/** The number of marks for which the chart has room. */
const MOST_MARKS = 40;

/**
 * Returns the shares to draw, by frame: territories, units, or chances to win.
 * @param {Timeline} timeline
 * @param {"land" | "units" | "chances"} what
 * @returns {[frame: number, values: number[]][]}
 */
export function sharesOf(timeline, what) {
  const { chances } = timeline.head;
  if (what === "chances" && chances) {
    /** @type {[number, number[]][]} */
    const known = chances.at.map(([answers, ...values]) => [timeline.frameOf(answers), values]);
    const last = known.at(-1);
    if (!last || last[0] >= timeline.last) return known;
    // In the end, the winners have won. The last chances hold to the end of a game that has none.
    const won = timeline.head.players.map(({ end }) => end?.[0] === 1 ? 1 : 0);
    return [...known, [timeline.last, won.includes(1) ? won : last[1]]];
  }
  return timeline.samples.map(([frame, both]) => [frame, both[what === "units" ? 1 : 0]]);
}

/**
 * Returns the corners of each player's area. The areas lie on each other, from the first seat down.
 * @param {[frame: number, values: number[]][]} shares
 * @param {number} end the last frame
 * @returns {string[]}
 */
export function areasOf(shares, end) {
  const rows = shares.map(([frame, values]) => {
    const sum = values.reduce((a, b) => a + b, 0) || 1;
    let low = 0;
    const edges = values.map((value) => {
      const from = low;
      low += HIGH * value / sum;
      return [from, low];
    });
    return { x: (1000 * frame / Math.max(1, end)).toFixed(1), edges };
  });
  const seats = shares[0]?.[1].length ?? 0;
  return Array.from({ length: seats }, (_, seat) => {
    const upper = rows.map(({ x, edges }) => `${x},${edges[seat][0].toFixed(1)}`);
    const lower = rows.map(({ x, edges }) => `${x},${edges[seat][1].toFixed(1)}`).reverse();
    return [...upper, ...lower].join(" ");
  });
}

/**
 * Returns the marks of a game: eliminations, and what an analysis found.
 * @param {Timeline} timeline
 * @returns {{ frame: number, sign: string, text: string }[]}
 */
export function marksOf(timeline) {
  const { head, frames, whens } = timeline;
  const out = timeline.marks.eliminations.map((frame) => ({
    frame, sign: "✕",
    text: `Round ${whens[frame][1]}: ${(frames[frame].x ?? []).map((seat) => head.players[seat].name).join(", ")} eliminated`,
  }));
  const turns = (head.chances?.marks ?? []).map(({ answers, kind, text }) => ({
    frame: timeline.frameOf(answers), sign: kind === "dice" ? "◆" : "▼", text,
  }));
  return [...out, ...turns].slice(0, MOST_MARKS).sort((a, b) => a.frame - b.frame);
}

/**
 * Draws the chart with its marks.
 * @param {Timeline} timeline
 * @param {"land" | "units" | "chances"} what
 * @param {(seat: number) => string} fillOf
 * @param {(frame: number) => void} go
 */
export function drawChart(timeline, what, fillOf, go) {
  const end = Math.max(1, timeline.last);
  const areas = areasOf(sharesOf(timeline, what), end)
    .map((points, seat) => shape("polygon", { points, fill: fillOf(seat) }));
  byId("chart").replaceChildren(...areas, shape("line", { id: "cursor", x1: 0, x2: 0, y1: 0, y2: HIGH }));
  byId("marks-of-time").replaceChildren(...marksOf(timeline).map(({ frame, sign, text }) => {
    const mark = element("button", sign, { type: "button", title: text, "aria-label": text });
    mark.style.left = `${100 * frame / end}%`;
    mark.onclick = () => go(frame);
    return mark;
  }));
}

const SIGNS = { "✕": "elimination", "◆": "dice that changed much", "▼": "costly decision" };

/**
 * Returns what the chart shows at a frame in words, and the meaning of its marks.
 * @param {Timeline} timeline
 * @param {"land" | "units" | "chances"} what
 * @param {number} frame
 */
export function legendOf(timeline, what, frame) {
  const known = sharesOf(timeline, what).filter(([at]) => at <= frame).at(-1);
  const sum = known?.[1].reduce((a, b) => a + b, 0) ?? 0;
  const name = { land: "Territories", units: "Units", chances: "Chances to win" }[what];
  const shares = known && sum ? timeline.head.players.map((player, seat) =>
    `${player.name} ${Math.round(100 * known[1][seat] / sum)} %`) : [];
  const signs = new Set(marksOf(timeline).map(({ sign }) => sign));
  const marks = Object.entries(SIGNS).filter(([sign]) => signs.has(sign)).map(([sign, text]) => `${sign} ${text}`);
  return [shares.length ? `${name}: ${shares.join(", ")}` : "", marks.join(", ")].filter(Boolean).join(". ");
}

/**
 * Moves the chart's line to a frame, and says what the chart shows there.
 * @param {Timeline} timeline
 * @param {"land" | "units" | "chances"} what
 * @param {number} frame
 */
export function moveCursor(timeline, what, frame) {
  byId("legend").textContent = legendOf(timeline, what, frame);
  byId("legend").hidden = !byId("legend").textContent;
  const x = String(1000 * frame / Math.max(1, timeline.last));
  byId("cursor").setAttribute("x1", x);
  byId("cursor").setAttribute("x2", x);
}
