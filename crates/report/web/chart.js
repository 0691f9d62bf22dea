// The chart over the time line: each player's share, and marks of what turned the game.

import { byId, dot, element, shape } from "#report/dom";
import { isUnseen, strength } from "#report/timeline";

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
  return [...out, ...turns, ...turningPoint(timeline)].slice(0, MOST_MARKS).sort((a, b) => a.frame - b.frame);
}

/**
 * Returns a mark where a player's chance begins to change the most.
 * @param {Timeline} timeline
 */
function turningPoint(timeline) {
  const { head } = timeline;
  let most = { by: 0, frame: 0, text: "" };
  const at = head.chances?.at ?? [];
  at.slice(1).forEach(([, ...after], index) => {
    const [answers, ...before] = at[index];
    after.forEach((value, seat) => {
      const by = Math.abs(value - before[seat]);
      const text = `From here, the chance of ${head.players[seat].name} goes from ${Math.round(before[seat])} to ${Math.round(value)} %`;
      if (by > most.by) most = { by, frame: timeline.frameOf(answers), text };
    });
  });
  return most.by ? [{ frame: most.frame, sign: "★", text: most.text }] : [];
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

const SIGNS = {
  "✕": "elimination", "◆": "dice that changed much", "▼": "costly decision", "★": "the greatest change of chances",
};

/**
 * Returns the shares of all players at a state, in percent, as the chart shows them there.
 * @param {Timeline} timeline
 * @param {"land" | "units" | "chances"} what
 * @param {import("#report/types").State} state
 * @returns {number[]} empty if nobody has anything
 */
export function sharesAt(timeline, what, state) {
  const seats = timeline.head.players.length;
  let values = strength(state, seats)[what === "units" ? 1 : 0];
  if (what === "chances") {
    const known = sharesOf(timeline, what);
    const next = known.findIndex(([frame]) => frame >= state.at);
    const [before, after] = [known[Math.max(0, next - 1)], known[next < 0 ? known.length - 1 : next]];
    if (!before || !after) return [];
    const part = after[0] > before[0] ? (state.at - before[0]) / (after[0] - before[0]) : 0;
    const scaled = (/** @type {number[]} */ all) => {
      const sum = all.reduce((a, b) => a + b, 0) || 1;
      return all.map((value) => value / sum);
    };
    const [from, to] = [scaled(before[1]), scaled(after[1])];
    values = from.map((value, seat) => value + (to[seat] - value) * Math.min(1, Math.max(0, part)));
  }
  const sum = values.reduce((a, b) => a + b, 0);
  return sum ? values.map((value) => Math.round(100 * value / sum)) : [];
}

/**
 * Returns the meaning of a game's marks.
 * @param {Timeline} timeline
 */
export function meaningOf(timeline) {
  const signs = new Set(marksOf(timeline).map(({ sign }) => sign));
  return Object.entries(SIGNS).filter(([sign]) => signs.has(sign)).map(([sign, text]) => `${sign} ${text}`).join(", ");
}

/**
 * Moves the chart's line to a state, and says what the chart shows there.
 * @param {Timeline} timeline
 * @param {"land" | "units" | "chances"} what
 * @param {import("#report/types").State} state
 * @param {((seat: number) => string) | null} colourOf null if the chart is hidden
 */
export function moveCursor(timeline, what, state, colourOf) {
  const name = { land: "Territories", units: "Units", chances: "Chances to win" }[what];
  const shares = !colourOf || state.lands.some(isUnseen) ? [] : sharesAt(timeline, what, state);
  const parts = shares.flatMap((share, seat) =>
    [" ", dot(colourOf?.(seat) ?? ""), `${timeline.head.players[seat].name} ${share} %`]);
  byId("legend").replaceChildren(...(parts.length ? [`${name}:`, ...parts, ". "] : []), colourOf ? meaningOf(timeline) : "");
  byId("legend").hidden = !byId("legend").textContent;
  const x = String(1000 * state.at / Math.max(1, timeline.last));
  byId("cursor").setAttribute("x1", x);
  byId("cursor").setAttribute("x2", x);
}
