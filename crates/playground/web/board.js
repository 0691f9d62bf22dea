// The game beside the editor: a page of its own, which is loaded again when something changes.

import { tableOf, withoutAnswers } from "#playground/bench";
import { OF_WORKSHOP } from "#playground/names";
import { byId } from "#report/dom";

/** @typedef {import("#playground/types").OwnFile} OwnFile */

export class Board {
  /** @param {() => import("#playground/engine").Engine} engine that tries whether answers still fit */
  constructor(engine) {
    this.engine = engine;
    /** How many times the game was loaded: later ones replace earlier ones that are still being tried. */
    this.loads = 0;
  }

  get window() {
    return /** @type {any} */ (byId("game").contentWindow);
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
   * Plays on from the same moment, as far as the answers of people fit; otherwise from the beginning.
   * @param {string} link of the game from its beginning
   * @param {OwnFile[]} files
   * @returns {Promise<string>} what was done
   */
  async goOn(link, files) {
    const { moment, step } = this;
    const known = new URLSearchParams(moment);
    const answers = known.get("answers");
    const kept = answers && known.get("seed") === tableOf(link).seed ? `${link}&answers=${answers}` : "";
    this.loads += 1;
    const load = this.loads;
    if (kept) {
      try {
        await this.engine().ask({ ask: "open", link: kept });
        if (load === this.loads) this.show(kept, files, null);
        return "The game goes on from the same moment.";
      } catch {
        // The answers no longer fit.
      }
    }
    await this.engine().ask({ ask: "open", link });
    if (load === this.loads) this.show(link, files, step);
    if (kept) return "Your answers don’t fit any more: a new game with the same dice.";
    return step === null ? "A new game with the same dice." : "The same dice, from the same step.";
  }

  /**
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
    const frame = byId("game");
    const page = tableOf(link).bots.some((bot) => /(^|bot=)human$/.test(bot)) ? "play" : "replay";
    const old = frame.contentWindow;
    frame.src = `${page}.html?workshop&${this.loads}#${link}`;
    if (!step) return;
    const loads = this.loads;
    // A watched game is there once its page has shown the first step.
    const wait = () => {
      if (loads !== this.loads) return;
      const viewer = this.window === old && this.window?.location.search.endsWith(`&${loads}`) ? this.window.risk : null;
      if (viewer?.now) viewer.go(Math.min(step, viewer.timeline.last));
      else setTimeout(wait, 100);
    };
    wait();
  }

  /** Returns the record of the game so far. */
  async record() {
    await this.engine().ask({ ask: "open", link: this.moment });
    return (await this.engine().ask({ ask: "record" })).text;
  }

  /** Returns the moment without files, hashes and, if it is not of this game, without answers. @param {string} link */
  async bare(link) {
    const { moment } = this;
    if (!moment) return link;
    const { link: bare } = await this.engine().ask({ ask: "split", link: moment });
    return tableOf(bare).ruleset === tableOf(link).ruleset ? bare : withoutAnswers(link);
  }
}
