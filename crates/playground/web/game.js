// The page of a game that this browser plays.

import { begin, seat } from "#arena/play";
import { seen, state, table } from "#arena/table";
import { trouble } from "#arena/talk";
import { ask } from "#playground/shared";
import { LocalGame } from "#playground/local";
import { addOwnFiles } from "#playground/own";
import { alarm, insertMap, listenToKeep, showDifferences } from "#playground/page";
import { byId } from "#report/dom";

/**
 * Hands the screen to another person: what the person before saw must be gone first.
 * @param {LocalGame} game
 * @param {number} to
 */
function pass(game, to) {
  const { opened } = game;
  const take = () => {
    game.sit(to);
    seat(game.view);
  };
  if (!opened.hides || !hidesNow()) {
    take();
    return;
  }
  const name = opened.games[0].players[to];
  const box = /** @type {HTMLDialogElement} */ (byId("pass"));
  if (box.open) return;
  byId("pass-to").textContent = `Give the screen to ${name}`;
  byId("take").textContent = `I am ${name}`;
  document.body.classList.add("passing");
  byId("take").onclick = () => {
    document.body.classList.remove("passing");
    box.close();
    take();
  };
  box.oncancel = (event) => event.preventDefault();
  box.showModal();
}

/** Reports whether the game hides anything now: as long as nobody holds a card, for example, screens need not be passed. */
function hidesNow() {
  const { game, now } = table;
  if (!now || !seen.timeline || !game.head.open || now.question?.secret || now.waits?.seat === null) return true;
  const { piles, counters } = state();
  const isOwn = (/** @type {{ name: string, seen: string }} */ { name, seen }) => seen === "owner"
    && (piles[name]?.players.some(({ count }) => count) || counters[name]);
  return [...game.head.piles, ...game.head.counters].some(isOwn);
}

addEventListener("hashchange", () => location.reload());
try {
  await addOwnFiles();
  /** @type {import("#playground/types").Opened} */
  const opened = await ask({ ask: "open", link: location.hash.slice(1) });
  if (!opened.people.length) location.replace(`replay.html${location.search}${location.hash}`);
  document.title = opened.title;
  byId("title").prepend(opened.title);
  insertMap(opened.map);
  showDifferences(opened.differences);
  const game = new LocalGame(opened, (to) => pass(game, to), alarm);
  const others = opened.people.length > 1 && opened.hides;
  if (others) pass(game, opened.people[0]);
  listenToKeep();
  await begin(game);
} catch (error) {
  trouble(/** @type {Error} */ (error).message);
  byId("title").prepend("This game can't be shown");
  for (const part of document.querySelectorAll("main > *, #below > *")) /** @type {HTMLElement} */ (part).hidden = part.id !== "below";
  byId("keep-game").hidden = false;
  for (const button of byId("keep-game").querySelectorAll("button")) button.hidden = true;
}
