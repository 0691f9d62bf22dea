// Checks of a file that is edited: at once without games, and after a pause with the games of the program's command.

import { Engine } from "#playground/engine";

/** @typedef {import("#playground/types").OwnFile} OwnFile */
/** @typedef {import("#playground/types").Finding} Finding */

/** The pauses before a check and before its games, in milliseconds. */
const PAUSE = 350;
const PAUSE_BEFORE_GAMES = 1200;

/**
 * @typedef {object} Checked
 * @property {OwnFile} file
 * @property {boolean} fine
 * @property {Finding[]} findings
 * @property {Record<string, string>} trial what the games have shown
 * @property {boolean} isWhole whether the games are played
 */

/**
 * Returns the request that checks a file.
 * @param {OwnFile} file
 * @param {string} ruleset for bots
 * @param {number | null} games null for the program's usual number
 */
function requestOf({ kind, name }, ruleset, games) {
  if (kind === "map") return { ask: "check-map", name };
  return kind === "bot" ? { ask: "check-bot", name, ruleset, games } : { ask: "check-ruleset", name, games };
}

export class Checks {
  /**
   * @param {Promise<WebAssembly.Module>} module with the tools
   * @param {{ files: () => OwnFile[], ruleset: () => string, show: (checked: Checked) => void, broken: (error: Error) => void }} page
   */
  constructor(module, page) {
    this.module = module;
    this.page = page;
    /** Plays the games of a check; it is stopped when the file changes. @type {Engine | null} */
    this.games = null;
    this.timer = 0;
    this.engine = this.started();
  }

  started() {
    return new Engine(this.module, true);
  }

  /** Checks a file after a pause, unless it changes again. @param {OwnFile} file @param {boolean} [now] without the first pause */
  begin(file, now = false) {
    clearTimeout(this.timer);
    this.games?.stop();
    this.games = null;
    this.timer = setTimeout(() => this.check(file), now ? 0 : PAUSE);
  }

  /** @param {OwnFile} file */
  async check(file) {
    const { timer } = this;
    const found = await this.ask(this.engine, file, 0);
    if (timer !== this.timer || !found) return;
    this.page.show({ ...found, isWhole: file.kind === "map" });
    if (!found.fine || file.kind === "map") return;
    this.timer = setTimeout(async () => {
      this.games = this.started();
      const { timer, games } = this;
      const whole = await this.ask(games, file, null);
      games.stop();
      if (timer === this.timer && whole) this.page.show({ ...whole, isWhole: true });
    }, PAUSE_BEFORE_GAMES);
  }

  /**
   * @param {Engine} engine
   * @param {OwnFile} file
   * @param {number | null} games
   * @returns {Promise<Omit<Checked, "isWhole"> | null>} null if the engine was stopped
   */
  async ask(engine, file, games) {
    try {
      for (const other of this.page.files()) await engine.ask({ ask: "add", ...other });
      const { fine, document } = await engine.ask(requestOf(file, this.page.ruleset(), games));
      return { file, fine, findings: document.findings, trial: document.trial ?? {} };
    } catch (error) {
      const { code, message } = /** @type {any} */ (error);
      if (!code) {
        this.page.broken(/** @type {Error} */ (error));
        return null;
      }
      return { file, fine: false, findings: [{ code, level: "error", text: message, help: null }], trial: {} };
    }
  }

  /** Forgets files that have gone. */
  renew() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.games?.stop();
    this.engine.stop();
    this.engine = this.started();
  }
}
