// The requests of the page and the replies. A server or this browser runs the game: see the backend.

import { seen, table, take } from "#arena/table";
import { byId, element } from "#report/dom";

/** @typedef {import("#arena/types").Reply} Reply */

const LONGEST_WAIT = 8000;

/** @type {import("#arena/types").Backend} */
let backend;

/** @param {import("#arena/types").Backend} chosen what runs the game */
export function talkTo(chosen) {
  backend = chosen;
}

/** @param {number} time in milliseconds */
export const pause = (time) => new Promise((done) => { setTimeout(done, time); });

/** @param {string} text what keeps the page from working; empty if nothing does */
export function trouble(text) {
  byId("trouble").hidden = !text;
  byId("trouble").textContent = text;
}

/**
 * Shows a reply.
 * @param {string} text
 * @param {boolean} refused
 */
export function showReply(text, refused = false) {
  byId("reply").textContent = text;
  byId("reply").classList.toggle("refused", refused);
}

/**
 * Sends an answer, or a request about the open question.
 * @param {Record<string, unknown>} wish
 * @returns {Promise<Reply | null | undefined>} null if it was refused, undefined if nothing was sent
 */
export async function say(wish) {
  const question = table.now?.question?.id;
  if (question === undefined || question === table.answered || table.busy) return undefined;
  // While a request for odds is on its way, the player may answer.
  const decides = wish.odds === undefined;
  table.busy = decides;
  try {
    const reply = await backend.say({ question, ...wish });
    if (reply.done) table.answered = question;
    return reply;
  } catch (error) {
    showReply(/** @type {Error} */ (error).message, true);
    return null;
  } finally {
    if (decides) table.busy = false;
  }
}

/**
 * Asks again and again how things stand; each answer comes when there is something new.
 * @param {(begins: boolean) => void} show called with whether the game begins anew
 */
export async function follow(show) {
  let wait = 250;
  let more = false;
  for (;;) {
    try {
      const version = more ? null : table.now?.version ?? null;
      const [epoch, from] = seen.timeline ? [seen.epoch, seen.timeline.frames.length] : [null, 0];
      const news = await backend.news({ version, epoch, from });
      wait = 250;
      if (!news) continue;
      const { timeline, ...now } = news;
      table.now = now;
      const begins = timeline ? take(timeline) : false;
      more = timeline?.more ?? false;
      trouble("");
      if (!more) show(begins);
      continue;
    } catch (error) {
      const { message, final } = /** @type {import("#arena/types").Refusal} */ (error);
      trouble(message);
      if (final) return;
    }
    await pause(wait);
    wait = Math.min(LONGEST_WAIT, wait * 2);
  }
}

/** Fetches what does not change, as soon as the game can be reached. Returns false if it refuses. */
export async function join() {
  for (;;) {
    try {
      table.game = await backend.game();
      return true;
    } catch (error) {
      const { message, refused } = /** @type {import("#arena/types").Refusal} */ (error);
      trouble(message);
      if (refused) return false;
      await pause(2000);
    }
  }
}

/** Saves the page of the whole game as a file. */
export async function saveReplay() {
  try {
    const page = await backend.replay();
    element("a", "", { href: URL.createObjectURL(page), download: "game.html" }).click();
  } catch (error) {
    byId("keep").append(` ${/** @type {Error} */ (error).message}`);
  }
}
