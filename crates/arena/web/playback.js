// What others did, step by step on the map: each step once, about two a second, until the viewer skips it.

const PACE = 500;

export class Playback {
  /** @param {(at: number, walks: boolean) => void} show shows a step; `walks` if it follows the one before */
  constructor(show) {
    this.show = show;
    /** The step that is shown. */
    this.at = -1;
    this.last = -1;
    this.timer = 0;
  }

  /** Whether steps are still to be shown. */
  get isBusy() {
    return this.timer !== 0;
  }

  /**
   * Goes on to a step that has come.
   * @param {number} last the last step
   * @param {(at: number) => boolean} isSeen whether something of a step is drawn or said
   * @param {boolean} jumps whether the steps before have been seen
   */
  goOn(last, isSeen, jumps) {
    this.last = last;
    this.isSeen = isSeen;
    if (jumps || this.at < 0 || document.hidden) {
      this.skip();
    } else if (!this.isBusy) {
      this.step();
    }
  }

  step() {
    let to = this.at + 1;
    while (to < this.last && !this.isSeen?.(to)) to += 1;
    const walks = to === this.at + 1;
    this.at = Math.min(to, this.last);
    this.timer = this.at < this.last ? window.setTimeout(() => this.step(), PACE) : 0;
    this.show(this.at, walks);
  }

  /** Shows the last step at once. */
  skip() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.at = this.last;
    this.show(this.at, false);
  }
}
