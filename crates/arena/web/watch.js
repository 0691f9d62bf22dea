// The page of a match that is watched while it is played. The server says all that is shown.

import { nextOf } from "#arena/next";
import { byId, element } from "#report/dom";
import { Viewer } from "#report/viewer";

const page = document.body.dataset;
/** @type {Viewer | undefined} */
let viewer;
let epoch = 0;
/** The decision that is shown if the page does not follow the game. */
let decision = /** @type {number | null} */ (null);

/** @param {any} open the match that waits for players */
function showOpen(open) {
  const here = open.text ? [] : [...open.joined, ...open.house];
  const who = here.length ? `: ${here.join(", ")}` : "";
  byId("open").textContent = open.text ? open.text
    : open.closed ? "The arena is not open for players now."
      : `Match ${open.match} waits for players, ${here.length} of ${open.seats} have joined${who}`;
}

/** @param {{ match: number, players: string[], end: string | null }[]} matches */
function showMatches(matches) {
  byId("matches").replaceChildren(...matches.map(({ match, players, end }) => {
    const row = element("li");
    row.append(
      element("a", `Match ${match}`, { href: `/match/${match}` }),
      ` ${players.join(", ")}: ${end ?? "under way"}`);
    return row;
  }));
}

/**
 * Takes more of the game: frames behind those that are here, or all of it anew.
 * @param {any} news
 */
function take({ epoch: of, head, from, frames, more }) {
  if (!viewer) {
    viewer = new Viewer(head);
    viewer.following = true;
    viewer.listen();
    for (const part of document.querySelectorAll(EMPTY)) /** @type {HTMLElement} */ (part).hidden = false;
    Object.assign(globalThis, { risk: viewer });
    const wanted = /^#d=(\d{1,12})$/.exec(location.hash);
    if (wanted) [decision, viewer.following] = [Number(wanted[1]), false];
  } else if (of !== epoch) {
    decision = viewer.following || !viewer.now ? decision : viewer.now.when[0];
    viewer.begin(head);
  } else if (head) {
    Object.assign(viewer.timeline.head, head);
  }
  epoch = of;
  for (const frame of frames.slice(viewer.timeline.frames.length - from)) viewer.timeline.add(frame);
  if (more || !viewer.timeline.frames.length) return;
  viewer.showFrames();
  if (decision !== null) {
    viewer.go(viewer.timeline.frameOf(decision));
    decision = null;
  } else if (viewer.following || !viewer.now) {
    viewer.go(viewer.timeline.last);
  } else {
    viewer.show();
  }
}

/** @param {any} news what the server says */
function showNext({ open, matches, shown, ruleset, map }) {
  const next = nextOf(open, matches, shown?.match ?? null, map ? `${ruleset} on ${map}` : ruleset);
  const box = byId("next");
  box.hidden = next === null;
  // The line below the title would say the same.
  byId("open").hidden = next !== null && open.text === undefined;
  const text = next?.text ?? "";
  if (box.firstChild?.textContent === text) return;
  const link = next?.watch ? [" ", element("a", "Watch it", { href: `/match/${next.watch}` })] : [];
  box.replaceChildren(text, ...link);
}

/** @param {any} news what the server says */
function showNews(news) {
  const { open, matches, shown, timeline } = news;
  showOpen(open);
  showNext(news);
  showMatches(matches);
  if (!shown) {
    const form = /** @type {HTMLDetailsElement | null} */ (document.querySelector("header details"));
    if (form) form.open = true;
    byId("when").textContent = "No match has begun yet.";
    byId("caption").textContent = "The page shows the first match as soon as it begins.";
    return;
  }
  // Another match has another map picture, and the first picture comes with the page.
  if (String(shown.match) !== page.match || (shown.players.length && !byId("map"))) {
    location.reload();
    return;
  }
  if (timeline) take(timeline);
}

// There is nothing to go through before there is a match.
const EMPTY = ".controls, .time, .steps, #side, #below";
for (const part of document.querySelectorAll(EMPTY)) /** @type {HTMLElement} */ (part).hidden = true;
// Screen readers would announce each step of a running game.
byId("when").removeAttribute("role");
const source = new EventSource(String(page.events));
source.onmessage = (event) => showNews(JSON.parse(event.data));
