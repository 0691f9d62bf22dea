// The game beside the editor: a page of its own, which is loaded again when something changes.

import { OF_WORKSHOP, isPerson } from "#playground/names";
import { linkOf, tableOf } from "#playground/setup";
import { byId, element } from "#report/dom";

/** @typedef {import("#playground/types").OwnFile} OwnFile */

/** A page that has not shown its game after this time, in milliseconds, is shown as it is. */
const PATIENCE = 15_000;

export class Board {
  constructor() {
    /** The number of games that were loaded: later ones replace earlier ones that are not there yet. */
    this.loads = 0;
    /** The link of a game whose moves did not fit a change: they may fit the next one, or its undoing. */
    this.lost = "";
  }

  get window() {
    return /** @type {any} */ (byId("game")?.contentWindow);
  }

  /** Returns the link of the moment that the game shows; empty if it shows none. */
  get moment() {
    return String(this.window?.location.hash ?? "").slice(1);
  }

  /** Returns the step of a watched game; none if people play. */
  get step() {
    const step = this.window?.risk?.now?.at;
    return typeof step === "number" ? step : null;
  }

  /**
   * Plays on from the same moment, as far as the moves of people fit; otherwise from the beginning.
   * @param {string} link of the game from its beginning
   * @param {OwnFile[]} files
   * @returns {Promise<string>} what was done
   */
  async goOn(link, files) {
    const { moment, step } = this;
    const moves = [moment, this.lost].flatMap((known) => movesOf(known, link) ?? []);
    for (const answers of moves) {
      const fits = await this.show(withAnswers(link, answers), files, null).then(() => true, (error) => {
        if (error.stopped) throw error;
        return false;
      });
      if (!fits) continue;
      this.lost = "";
      return "The game goes on from the same moment.";
    }
    await this.show(link, files, step);
    if (moves.length) this.lost ||= moment;
    if (moves.length) return "Your moves don’t fit the new rules: this is a new game with the same dice. If you undo the change, the game before comes back.";
    return step === null ? "A new game with the same dice." : "The same dice, from the same step.";
  }

  /**
   * Loads a game, and shows it in the place of the one before as soon as it is there. A later game takes its place.
   * @param {string} link
   * @param {OwnFile[]} files
   * @param {number | null} step of a watched game
   */
  async show(link, files, step) {
    try {
      sessionStorage.setItem(OF_WORKSHOP, JSON.stringify(files));
    } catch {
      throw new Error("These files are too large for a game in this browser.");
    }
    this.loads += 1;
    const load = this.loads;
    const page = tableOf(link).bots.some(isPerson) ? "play" : "replay";
    const next = element("iframe", "", { title: "The game", class: "coming", src: `${page}.html?workshop&${load}#${link}` });
    byId("games-box").append(next);
    const began = performance.now();
    for (;;) {
      const { risk, document: shown } = next.contentWindow ?? {};
      const trouble = shown?.getElementById("trouble");
      const waits = performance.now() - began;
      if (load === this.loads && !risk?.now && trouble && !trouble.hidden) {
        next.remove();
        throw new Error(trouble.textContent);
      }
      if (load !== this.loads) {
        next.remove();
        throw Object.assign(new Error("another game was begun"), { stopped: true });
      }
      if (risk?.now || waits > PATIENCE) {
        if (step && risk?.timeline) risk.go(Math.min(step, risk.timeline.last));
        break;
      }
      if (waits > 1000) byId("moment").textContent = "The game is getting ready …";
      await new Promise((done) => { setTimeout(done, 50); });
    }
    byId("game")?.remove();
    next.id = "game";
    next.className = "";
    byId("moment").textContent = "";
  }

  /** Reports whether the game that is shown is that of a link. @param {string} link of the game from its beginning */
  shows(link) {
    const [one, other] = [this.moment, link].map((text) => linkOf(tableOf(text)));
    return Boolean(this.moment) && one === other;
  }

  /** Returns the record of the game so far. */
  async record() {
    if (this.step === null && !new URLSearchParams(this.moment).get("answers")) throw new Error("There is nothing to analyse yet: play a few moves, or let bots play.");
    return this.window.gameOnPage.record();
  }

  /**
   * Returns a link of this moment, if the game that is shown has moves of this game.
   * @param {string} link of the game from its beginning
   */
  async link(link) {
    return this.shows(link) ? withAnswers(link, movesOf(await this.window.gameOnPage.link(), link)) : link;
  }

  /** Returns the same at once; without the last moves if they are too long for a link. @param {string} link */
  now(link) {
    return withAnswers(link, this.shows(link) ? movesOf(this.moment, link) : null);
  }
}

/** @param {string} link @param {string | null} answers as a link has them */
export const withAnswers = (link, answers) => answers ? `${link}&answers=${answers}` : link;

/**
 * Returns the moves of people in a link, or null if they are of other dice or of other players.
 * @param {string} known
 * @param {string} link
 */
function movesOf(known, link) {
  const [one, other] = [known, link].map(tableOf);
  const answers = new URLSearchParams(known).get("answers");
  return answers && one.seed === other.seed && one.bots.length === other.bots.length ? answers : null;
}
