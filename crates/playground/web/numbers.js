// Results of many games: shares, comparisons, chances and odds, with the numbers of the program.

import { oddsText } from "#playground/fields";
import { play } from "#playground/pool";
import { byId, element } from "#report/dom";

/** @typedef {import("#playground/types").Summary} Summary */
/** @typedef {import("#playground/types").Request} Request */
/** @typedef {import("#playground/bench").Bench} Bench */

/** A percentage. @param {number} share */
const percent = (share) => `${(100 * share).toFixed(1)} %`;

/** A difference of shares in percentage points. @param {number} share */
const points = (share) => `${share < 0 ? "−" : "+"}${Math.abs(100 * share).toFixed(1)}`;

/** Says how a comparison stands while it is played. @param {Summary} summary */
function soFar({ document: { bots, shares, interval, games, test } }) {
  const [low, high] = interval;
  return `${games} games so far: ${bots[0]} wins ${percent(shares[0])}, ${bots[1]} ${percent(shares[1])}.
The difference is ${points(shares[0] - shares[1])} points, between ${points(low)} and ${points(high)}.
Evidence that ${bots[0]} is better: ${test.up.toFixed(1)} of ${test.bound_up.toFixed(1)}, that it is not: ${test.down.toFixed(1)} of ${test.bound_down.toFixed(1)}.`;
}

/** Says who wins most, and how sure that is. @param {Summary} summary */
export function sentence({ document: { games, bots } }) {
  const [best, ...others] = [...bots].sort((/** @type {any} */ one, /** @type {any} */ other) => other.wins - one.wins);
  if (!best.wins) return `None of the ${games} games has a winner.`;
  const [low, high] = best.interval;
  const found = `${best.name} wins most: ${percent(best.wins / games)} of ${games} games.`;
  return others.every(({ interval }) => interval[1] < low) ? `${found} Of many more games, it would probably win ${percent(low)} to ${percent(high)}.`
    : `${found} That may be chance: play more games.`;
}

/**
 * Says what has changed between two matches with the same dice: how long games are, and shares whose intervals do not meet.
 * @param {any} before
 * @param {any} now
 */
export function difference(before, now) {
  if (before.digest === now.digest) return `All ${now.games} games are the same as before.`;
  const [rounds, turns] = ["rounds", "turns"].map((what) => [now, before].map((match) => match[what].mean.toFixed(1)));
  const shares = ["bots", "by_seat"].flatMap((what) => now[what].flatMap((/** @type {any} */ one, /** @type {number} */ at) => {
    const other = before[what][at];
    if (one.interval[0] <= other.interval[1] && other.interval[0] <= one.interval[1]) return [];
    return [`${one.name ?? `seat ${one.seat}`} wins ${percent(one.win_rate)} and won ${percent(other.win_rate)}`];
  }));
  const [draws, formerly] = [now, before].map(({ bots, games }) => percent(Math.max(...bots.map((/** @type {any} */ bot) => bot.draws)) / games));
  if (draws !== formerly) shares.unshift(`${draws} of games are draws now, and ${formerly} were before`);
  return `A game lasts ${rounds[0]} rounds and ${turns[0]} turns now, and lasted ${rounds[1]} and ${turns[1]} before, on average over ${
    now.games} games with the same dice. ${shares.length ? `${shares.join("; ")}.` : "Who wins has not clearly changed."}`;
}

export class Numbers {
  /**
   * @param {Promise<WebAssembly.Module>} module
   * @param {{ bench: () => Bench, record: () => Promise<string>, ask: (request: Request) => Promise<any> }} page
   */
  constructor(module, page) {
    this.module = module;
    this.page = page;
    this.stop = /** @type {AbortController | null} */ (null);
    byId("stop").onclick = () => this.stop?.abort();
    byId("many").onclick = () => this.run((signal) => this.many(signal));
    byId("change").onclick = () => this.run((signal) => this.change(signal));
    byId("compare").onclick = () => this.run((signal) => this.compare(signal));
    byId("rate").onclick = () => this.run((signal) => this.rate(signal));
    byId("analyse").onclick = () => this.run((signal) => this.analyse(signal));
    byId("fight").onsubmit = (/** @type {Event} */ event) => {
      event.preventDefault();
      this.run(() => this.odds());
    };
  }

  /** @param {(signal: AbortSignal) => Promise<void>} act */
  async run(act) {
    this.stop?.abort();
    const stop = new AbortController();
    this.stop = stop;
    byId("results").replaceChildren();
    for (const id of ["difference", "failed"]) byId(id).textContent = "";
    byId("outdated").hidden = true;
    byId("results").scrollIntoView({ block: "nearest" });
    try {
      await act(stop.signal);
    } catch (error) {
      for (const box of [...byId("results").children]) if (!box.querySelector("pre").textContent) box.remove();
      if (!stop.signal.aborted) byId("failed").textContent = /** @type {Error} */ (error).message;
    } finally {
      if (stop === this.stop) {
        byId("running").hidden = true;
        this.stop = null;
      }
      byId("results").scrollIntoView({ block: "nearest" });
    }
  }

  /** Marks results as those of files that have changed since. */
  outdate() {
    byId("outdated").hidden = !byId("results").childElementCount;
  }

  /**
   * Adds a result.
   * @param {string} title
   * @param {(pieces: number) => string} [command] prints the same numbers
   */
  box(title, command) {
    const box = element("div");
    const text = element("pre", "", { tabindex: 0, role: "group", "aria-label": title });
    const code = element("code");
    box.append(element("h3", title), text);
    if (command) box.append(element("p", "The program gives the same numbers:", { class: "about" }), code);
    byId("results").append(box);
    return { text, show: (/** @type {number} */ pieces) => { code.textContent = command?.(pieces) ?? ""; } };
  }

  /**
   * Plays work, and shows how it stands.
   * @param {{ what: string, begin: Request, files: import("#playground/types").OwnFile[], most: number, into: ReturnType<Numbers["box"]>, signal: AbortSignal,
   *   text?: (summary: Summary) => string }} work
   */
  async play({ what, begin, files, most, into, signal, text = (summary) => summary.text }) {
    byId("running").hidden = false;
    byId("progress").value = 0;
    byId("done").textContent = "The engines start …";
    return play({
      module: this.module, hasTools: true, files, begin, most, signal,
      show: (summary, all) => {
        if (signal.aborted) return;
        byId("progress").max = all;
        byId("progress").value = summary.pieces;
        byId("done").textContent = `${summary.pieces} of ${summary.over ? summary.pieces : `at most ${all}`} ${what}`;
        into.text.textContent = text(summary);
        into.show(summary.pieces);
      },
    });
  }

  get games() {
    const games = Number(byId("games").value);
    if (!Number.isInteger(games) || games < 1 || games > 100_000) throw new Error("Write a number of games from 1 to 100000.");
    return games;
  }

  /** Says who plays for people. @param {Bench} bench */
  title(bench) {
    const { bots } = bench.project.table;
    const own = bench.botsOf();
    const played = bots.flatMap((bot, seat) => bot === own[seat] ? [] : [own[seat]]);
    return played.length ? `, with ${played.join(" and ")} for people` : "";
  }

  /** @param {AbortSignal} signal */
  async many(signal) {
    const bench = this.page.bench();
    const { games } = this;
    const command = `risk-cli play ${bench.options(bench.botsOf(), "--bot")} --games`;
    const into = this.box(`Now${this.title(bench)}`, (games) => `${command} ${games}`);
    const found = await this.play({ what: "games", begin: { ask: "match", link: bench.manyLink() }, files: bench.project.files, most: games, into, signal });
    if (found) byId("difference").textContent = sentence(found);
  }

  /** Plays the same games as the project began, and as it is now. @param {AbortSignal} signal */
  async change(signal) {
    const now = this.page.bench();
    const before = now.begun();
    const who = this.title(now);
    const { games } = this;
    if (!before || !now.isChanged) throw new Error("You have changed nothing yet since this project began.");
    // Errors are said before the games.
    for (const bench of [before, now]) await this.page.ask({ ask: "match", link: bench.manyLink() });
    /** @type {Summary[]} */
    const found = [];
    for (const [when, bench] of /** @type {const} */ ([["Before my changes", before], ["Now", now]])) {
      const into = this.box(`${when}${who}`);
      const summary = await this.play({ what: "games", begin: { ask: "match", link: bench.manyLink() }, files: bench.project.files, most: games, into, signal });
      if (!summary || signal.aborted) return;
      found.push(summary);
    }
    byId("difference").textContent = difference(found[0].document, found[1].document);
  }

  /** @param {AbortSignal} signal */
  async compare(signal) {
    const bench = this.page.bench();
    const [a, b] = [byId("a").value, byId("b").value];
    if (a === b) throw new Error("Choose two different bots to compare.");
    const fillers = bench.botsOf().slice(2);
    const all = [a, b, ...fillers];
    const command = `risk-cli compare ${bench.pathOf("bot", a)} ${bench.pathOf("bot", b)} ${bench.options(fillers, "--filler")}`;
    const into = this.box(`Is ${a} better than ${b}${fillers.length ? `, with ${fillers.join(" and ")} at the other seats` : ""}?`, () => command);
    const found = await this.play({
      what: "blocks of games", begin: { ask: "compare", link: bench.manyLink(all) }, files: bench.project.files, most: Number.MAX_SAFE_INTEGER, into, signal,
      text: (summary) => summary.over ? summary.text : soFar(summary),
    });
    if (!found?.over) return;
    const { verdict, shares, games, interval } = found.document;
    const is = verdict === "better" ? "is better than" : interval[1] < 0 ? "is worse than" : verdict === "not better" ? "is not clearly better than" : "may be better or worse than";
    byId("difference").textContent = `${a} ${is} ${b}: of ${games} games, in the same seats, ${a} wins ${percent(shares[0])}, and ${b} ${percent(shares[1])}.`;
  }

  /** @param {AbortSignal} signal */
  async rate(signal) {
    const bench = this.page.bench();
    const [bot, { ruleset }] = [byId("a").value, bench.project.table];
    const into = this.box(`One number for ${bot}`, () => `risk-cli bot rate ${bench.pathOf("bot", bot)} --ruleset ${bench.pathOf("ruleset", ruleset)}`);
    await this.play({
      what: "blocks of games", begin: { ask: "rate", bot, ruleset }, files: bench.project.files, most: Number.MAX_SAFE_INTEGER, into, signal,
    });
  }

  /** @param {AbortSignal} signal */
  async analyse(signal) {
    const record = await this.page.record();
    const into = this.box("Luck and chances in this game", () => "risk-cli analyse game.jsonl --rollouts 20");
    const { files } = this.page.bench().project;
    await this.play({ what: "moments", begin: { ask: "analyse", record }, files, most: Number.MAX_SAFE_INTEGER, into, signal });
  }

  async odds() {
    const [attackers, defenders] = ["attackers", "defenders"].map((id) => Number(byId(id).value));
    const bench = this.page.bench();
    const { odds } = await this.page.ask({ ask: "odds", link: bench.link(), attackers, defenders });
    this.box("Odds of a fight").text.textContent = oddsText(odds, attackers, defenders);
  }
}
