// The backend of a page that runs its game itself.

import { ask } from "#playground/shared";

/** @typedef {import("#arena/types").Backend} Backend */

/** An engine that was started again counts from the beginning. This keeps its numbers apart from those of the one before. */
const OF_LIFE = 1e9;

/** @implements {Backend} */
export class LocalGame {
  /**
   * @param {import("#playground/types").Opened} opened
   * @param {(seat: number) => void} pass called when a person at another seat is asked
   * @param {(text: string) => void} stopped called when the engine had to be started again
   */
  constructor(opened, pass, stopped) {
    this.opened = opened;
    this.pass = pass;
    this.stopped = stopped;
    /** The seat of the person who looks at the page. @type {number | null} */
    this.seat = opened.people[0] ?? null;
    /** The lives of the engine before this one, times OF_LIFE. */
    this.lives = 0;
    this.change();
  }

  /** Ends the wait for news. */
  change() {
    this.wake?.();
    this.changed = /** @type {Promise<void>} */ (new Promise((done) => { this.wake = done; }));
  }

  /** Returns the game as a person sees it. */
  get view() {
    const { people, games } = this.opened;
    return games[this.seat === null ? people.length : people.indexOf(this.seat)];
  }

  /** @param {number} seat of the person who looks at the page from now on */
  sit(seat) {
    this.seat = seat;
    this.change();
  }

  async game() {
    return this.view;
  }

  /** @type {Backend["news"]} */
  async news({ version, epoch, from }) {
    const { seat, changed, lives } = this;
    const { sheet, asked } = await ask({ ask: "look", seat, epoch: Math.max(0, (epoch ?? 0) - lives), from });
    if (seat !== this.seat || lives !== this.lives) return null;
    if (asked.length && !asked.includes(seat)) this.pass(asked[0]);
    sheet.version += lives;
    if (sheet.timeline) sheet.timeline.epoch += lives;
    if (sheet.question) sheet.question.id += lives;
    if (sheet.version !== version) return sheet;
    await changed;
    return null;
  }

  /** @type {Backend["say"]} */
  async say({ question, ...wish }) {
    try {
      const request = { question: Number(question) - this.lives, ...wish };
      const { said, link } = await ask({ ask: "say", seat: this.seat, request });
      // A page that is loaded again goes on from here.
      if (link) history.replaceState(null, "", `#${link}`);
      return said;
    } catch (error) {
      if (/** @type {any} */ (error).code === "playground::crashed") {
        this.lives += OF_LIFE;
        this.stopped(/** @type {Error} */ (error).message);
      }
      throw error;
    } finally {
      this.change();
    }
  }

  async replay() {
    const { text: record } = await ask({ ask: "record" });
    const { text } = await ask({ ask: "page", record });
    return new Blob([text], { type: "text/html" });
  }
}
