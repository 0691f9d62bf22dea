// The game of a page that plays it itself.

import { ask } from "#playground/engine";

/** @typedef {import("#arena/types").Backend} Backend */

/** @implements {Backend} */
export class LocalGame {
  /**
   * @param {import("#playground/types").Opened} opened
   * @param {(seat: number) => void} pass called when a person at another seat is asked
   */
  constructor(opened, pass) {
    this.opened = opened;
    this.pass = pass;
    /** The seat of the person who looks at the page. @type {number | null} */
    this.seat = opened.people[0] ?? null;
    this.change();
  }

  /** Wakes whoever waits for news. */
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
    const { seat, changed } = this;
    const { sheet, asked } = await ask({ ask: "look", seat, epoch: epoch ?? 0, from });
    if (seat !== this.seat) return null;
    if (asked.length && !asked.includes(seat)) this.pass(asked[0]);
    if (sheet.version !== version) return sheet;
    await changed;
    return null;
  }

  /** @type {Backend["say"]} */
  async say(request) {
    const { said } = await ask({ ask: "say", seat: this.seat, request });
    this.change();
    return said;
  }

  async replay() {
    const { text: record } = await ask({ ask: "record" });
    const { text } = await ask({ ask: "page", record });
    return new Blob([text], { type: "text/html" });
  }
}
