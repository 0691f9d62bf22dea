// The game beside the editor: a page of its own, which is loaded again when something changes.

import { tableOf } from "#playground/bench";
import { OF_WORKSHOP } from "#playground/names";
import { byId, element } from "#report/dom";

/** @typedef {import("#playground/types").OwnFile} OwnFile */

/** A page that has not shown its game after this time, in milliseconds, is shown as it is. */
const PATIENCE = 15_000;

export class Board {
  /** @param {() => import("#playground/engine").Engine} engine that tries whether moves still fit */
  constructor(engine) {
    this.engine = engine;
    /** How many times a game was loaded: later ones replace earlier ones that are still being tried. */
    this.loads = 0;
    /** The link of a game whose moves did not fit a change: they may fit the next one, or its undoing. */
    this.lost = "";
  }

  get window() {
    return /** @type {any} */ (byId("game")?.contentWindow);
  }

  /** Returns the link of the moment that the game shows; empty if it shows none. */
  get moment() {
    try {
      return String(this.window.location.hash).slice(1);
    } catch {
      return "";
    }
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
    this.loads += 1;
    const load = this.loads;
    const moves = [moment, this.lost].flatMap((known) => movesOf(known, link) ?? []);
    for (const answers of moves) {
      const kept = `${link}&answers=${answers}`;
      const fits = await this.engine().ask({ ask: "open", link: kept }).then(() => true, (error) => {
        if (error.stopped) throw error;
        return false;
      });
      if (load !== this.loads) return "";
      if (!fits) continue;
      this.lost = "";
      this.show(kept, files, null);
      return "The game goes on from the same moment.";
    }
    await this.engine().ask({ ask: "open", link });
    if (load !== this.loads) return "";
    if (moves.length) this.lost ||= moment;
    this.show(link, files, step);
    if (moves.length) return "Your moves don’t fit the new rules: this is a new game with the same dice. If you undo the change, the game before comes back.";
    return step === null ? "A new game with the same dice." : "The same dice, from the same step.";
  }

  /**
   * Loads a game, and shows it in the place of the one before as soon as it is there.
   * @param {string} link
   * @param {OwnFile[]} files
   * @param {number | null} step of a watched game
   */
  show(link, files, step) {
    try {
      sessionStorage.setItem(OF_WORKSHOP, JSON.stringify(files));
    } catch {
      throw new Error("These files are too large for a game in this browser.");
    }
    this.loads += 1;
    const load = this.loads;
    const page = tableOf(link).bots.some((bot) => /(^|bot=)human$/.test(bot)) ? "play" : "replay";
    const next = element("iframe", "", { title: "The game", class: "coming", src: `${page}.html?workshop&${load}#${link}` });
    byId("games-box").append(next);
    const began = performance.now();
    const wait = () => {
      if (load !== this.loads) {
        next.remove();
        return;
      }
      const { risk, document: shown } = next.contentWindow;
      const trouble = shown?.getElementById("trouble");
      const isThere = risk?.now || (trouble && !trouble.hidden) || performance.now() - began > PATIENCE;
      if (!isThere) {
        setTimeout(wait, 50);
        return;
      }
      if (step && risk?.timeline) risk.go(Math.min(step, risk.timeline.last));
      byId("game")?.remove();
      next.id = "game";
      next.className = "";
    };
    wait();
  }

  /** Returns the record of the game so far. */
  async record() {
    const { moment } = this;
    if (this.step === null && !new URLSearchParams(moment).get("answers")) throw new Error("There is nothing to analyse yet: play a few moves, or let bots play.");
    await this.engine().ask({ ask: "open", link: moment });
    return (await this.engine().ask({ ask: "record" })).text;
  }

  /** Returns a link with the moves so far, if they are of this game. @param {string} link of the game from its beginning */
  now(link) {
    const answers = movesOf(this.moment, link);
    return answers ? `${link}&answers=${answers}` : link;
  }
}

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
