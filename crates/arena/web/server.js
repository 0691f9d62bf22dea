// What the page says to the server, and what it hears.

import { seen, table, take } from "#arena/table";
import { byId, element } from "#report/dom";

/** @typedef {import("#arena/types").Reply} Reply */

const token = location.hash.slice(1);
const LONGEST_WAIT = 8000;

/** @returns {Record<string, string>} */
export const credentials = () => (token ? { Authorization: `Bearer ${token}` } : {});

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
  // What only asks for chances keeps nobody from answering meanwhile.
  const decides = wish.odds === undefined;
  table.busy = decides;
  try {
    const answer = await fetch("/say", {
      method: "POST",
      headers: { ...credentials(), "Content-Type": "application/json" },
      body: JSON.stringify({ question, ...wish }),
    });
    const body = await answer.json();
    if (body.done) table.answered = question;
    if (!answer.ok) showReply(body.error, true);
    return answer.ok ? body : null;
  } catch {
    showReply("Can't reach the program.", true);
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
      const known = seen.timeline ? `epoch=${seen.epoch}&from=${seen.timeline.frames.length}` : "";
      const after = table.now && !more ? `after=${table.now.version}&` : "";
      const answer = await fetch(`/now?${after}${known}`, { headers: credentials() });
      if (answer.status === 200) {
        const { timeline, ...now } = await answer.json();
        table.now = now;
        const begins = timeline ? take(timeline) : false;
        more = timeline?.more ?? false;
        trouble("");
        if (!more) show(begins);
        wait = 250;
        continue;
      }
      if (answer.status === 204) continue;
      const { error } = await answer.json();
      trouble(error);
      if (answer.status === 401) return;
    } catch {
      trouble("Can't reach the program: it has ended, or the connection broke. The game is saved; this page reconnects by itself.");
    }
    await pause(wait);
    wait = Math.min(LONGEST_WAIT, wait * 2);
  }
}

/** Fetches what does not change, as soon as the program can be reached. Returns false if it refuses. */
export async function join() {
  for (;;) {
    try {
      const answer = await fetch("/game", { headers: credentials() });
      const body = await answer.json();
      if (answer.ok) {
        table.game = body;
        return true;
      }
      trouble(body.error);
      return false;
    } catch {
      trouble("Can't reach the program.");
      await pause(2000);
    }
  }
}

/** Saves the page of the whole game as a file. */
export async function saveReplay() {
  const answer = await fetch("/replay", { headers: credentials() });
  if (!answer.ok) {
    byId("keep").append(` ${(await answer.json()).error}`);
    return;
  }
  element("a", "", { href: URL.createObjectURL(await answer.blob()), download: "game.html" }).click();
}
