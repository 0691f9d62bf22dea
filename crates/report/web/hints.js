// What a ruleset's `board:` adds to the map: badges of units, markers on territories, and tracks.

import { byId, element, shape } from "#report/dom";

/** @typedef {import("#report/types").Hints} Hints */
/** @typedef {import("#report/types").Shown} Shown */

/**
 * Returns the units of a territory as a short text.
 * @param {number[]} stack units by kind
 * @param {Hints["badges"]} badges
 */
export function stackText(stack, badges) {
  const kinds = stack.map((count, unit) => ({ count, unit })).filter(({ count }) => count);
  if (badges.length) return kinds.map(({ count, unit }) => `${count}${badges[unit][0]}`).join(" ");
  return kinds.length > 3 ? `${kinds[0].count}+${kinds[1].count}+…` : kinds.map(({ count }) => count).join("+");
}

/** @typedef {{ at: number, text: string }} MarkText the marks of a territory in words */

/**
 * Returns the marks of each territory that are not 0, as texts at territories.
 * @param {import("#report/types").State} state
 * @param {import("#report/types").Mark[]} marks
 * @param {(at: number, seen: import("#report/types").Mark["seen"]) => boolean} isSeen
 * @returns {MarkText[]}
 */
export const markTexts = (state, marks, isSeen) => state.marks.flatMap((values, at) => {
  const shown = values.flatMap((value, index) =>
    value && isSeen(at, marks[index].seen) ? [`${marks[index].title} ${value}`] : []);
  return shown.length ? [{ at, text: shown.join(", ") }] : [];
});

/**
 * Reports whether a bit of a counter is set. Counters may have more bits than a number's operators read.
 * @param {number} value
 * @param {number} bit
 */
export const isSet = (value, bit) => Math.floor(value / 2 ** bit) % 2 === 1;

/**
 * Returns the values of a track's counters, for the table or for each player. Hidden values are null.
 * @param {Hints["tracks"][number]} track
 * @param {Shown["declared"]["counters"]} counters
 */
export function standings(track, counters) {
  const none = { table: 0, players: /** @type {(number | null)[]} */ ([]) };
  const of = (/** @type {string | null} */ name) => counters.find((counter) => counter.name === name) ?? none;
  const [passed, ahead] = [of(track.counter), of(track.ahead)];
  if (!track.players) return [{ seat: -1, passed: passed.table, ahead: ahead.table }];
  return passed.players.map((value, seat) => ({ seat, passed: value, ahead: ahead === none ? 0 : ahead.players[seat] }));
}

/**
 * Writes the titles of markers in the middle of territories, for a map of which a pixel of the screen has so many
 * units.
 * @param {Hints["markers"]} markers
 * @param {number} unit
 */
export function nameMarkers(markers, unit) {
  for (const disc of /** @type {NodeListOf<SVGCircleElement>} */ (document.querySelectorAll("#map circle.middle"))) {
    const { title } = markers[Number(disc.dataset.marker)];
    const [x, y] = [Number(disc.getAttribute("cx")), Number(disc.getAttribute("cy"))];
    const lines = title.split(" ");
    const top = -(lines.length - 1) * 7 + 4;
    const parts = lines.map((line, row) => shape("tspan", { x: 0, y: top + 14 * row }, line));
    const text = shape("text", { class: "middle", transform: `translate(${x} ${y}) scale(${unit})`, "font-size": 11 },
      ...parts);
    disc.parentElement?.querySelector(`text.middle[data-marker="${disc.dataset.marker}"]`)?.remove();
    text.dataset.marker = disc.dataset.marker;
    disc.after(text);
  }
}

/**
 * Shows which markers are gone, the meaning of badges and markers, and the tracks.
 * @param {Hints} hints
 * @param {Shown} shown
 * @param {import("#report/types").Mark[]} marks
 */
export function showHints({ badges, markers, tracks }, { declared: { counters }, players }, marks) {
  // A marker is there as long as this viewer doesn't know better.
  const gone = markers.map((marker) => counters.find(({ name }) => name === marker.gone)?.table ?? 0);
  for (const marker of /** @type {NodeListOf<SVGElement>} */ (document.querySelectorAll("#map g.marker"))) {
    marker.classList.toggle("gone", isSet(gone[Number(marker.dataset.marker)], Number(marker.dataset.land)));
  }
  const discs = new Set([...document.querySelectorAll("#map circle.middle")]
    .map((disc) => Number(/** @type {SVGElement} */ (disc).dataset.marker)));
  const parts = markers.flatMap(({ title, lands }, index) => {
    if (!lands.length || discs.has(index)) return [];
    const left = lands.filter((land) => isSet(gone[index], land)).length;
    return [`double line: ${title}`, ...(left ? [`dashed line: ${title}, gone`] : [])];
  });
  if (marks.length) parts.push(`◆: ${marks.map(({ title }) => title).join(", ")}`);
  const meaning = [...badges.map(([badge, title]) => `${badge}: ${title}`), ...parts].join(" · ");
  const made = tracks.flatMap((track) => standings(track, counters).map(({ seat, passed, ahead }) => {
    const owner = seat < 0 ? "" : `, ${players[seat].name}`;
    const more = ahead !== 0 && track.ahead ? `, ${ahead ?? "?"} ${track.ahead.replaceAll("_", " ")} ahead` : "";
    const title = `${track.title}${owner}: ${passed ?? "?"} of ${track.spaces.length}${more}`;
    const row = element("span", "", { class: "spaces", "aria-hidden": "true" });
    track.spaces.forEach((text, index) => {
      const kind = passed === null ? "" : index < passed ? "passed" : index < passed + (ahead ?? 0) ? "ahead" : "";
      const space = element("span", text, { class: kind });
      if (kind === "passed" && seat >= 0) space.style.background = players[seat].colour;
      row.append(space);
    });
    const box = element("div", "", { class: seat < 0 ? "track" : "track own" });
    box.append(element("p", title), row);
    return box;
  }));
  byId("hints").replaceChildren(...(meaning ? [element("p", meaning)] : []), ...made);
}
