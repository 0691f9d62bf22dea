// The files of a project, and the game in which they are tried. Nothing here touches the page.

import { endingOf, isPerson, playerOf, playerText } from "#playground/names";
import { freeName } from "#playground/projects";
import { linkOf } from "#playground/setup";

/** @typedef {import("#playground/types").OwnFile} OwnFile */
/** @typedef {import("#playground/types").Project} Project */
/** @typedef {import("#playground/types").Catalog} Catalog */
/** @typedef {import("#playground/types").RulesetEntry} RulesetEntry */

/** The maximum number of files of a project. */
const MOST_FILES = 64;

export const KINDS = /** @type {const} */ (["ruleset", "map", "bot"]);

/** The texts of new files. @type {Record<OwnFile["kind"], string>} */
export const NEW = {
  ruleset: `fn ruleset() { #{ extends: "codelab", name: "mine" } }

// Half an army for each territory instead of a third.
fn income(territories) { territories / 2 }
`,
  map: `name: mine
# Whoever owns a whole continent gets its bonus in each turn.
continents:
  - { id: land, name: The Land, bonus: 2, colour: "#5b8c5a" }
  - { id: isles, name: The Isles, bonus: 1, colour: "#457b9d" }
# A border is written at one of its two territories.
territories:
  - { id: north, continent: land, at: [120, 20], borders: [west, middle] }
  - { id: west, continent: land, at: [40, 120], borders: [south] }
  - { id: middle, continent: land, at: [160, 120], borders: [south, islet] }
  - { id: south, continent: land, at: [120, 220] }
  - { id: islet, continent: isles, at: [280, 100], borders: [rock] }
  - { id: rock, continent: isles, at: [300, 200] }
`,
  bot: `// Attacks with two more armies than the defender.
fn deploy(view, ask) { ask.act_most("place", view.most_threatened(view.fronts)) }
fn attack(view, ask) { ask.fights(#{ edge: 2 }).then(ask.act("done")) }
fn answer(view, ask) { ask.random() }
`,
};

/**
 * Returns the names of a kind of file in a catalog.
 * @param {Catalog} catalog
 * @param {OwnFile["kind"]} kind
 */
export function namesOf(catalog, kind) {
  if (kind === "ruleset") return catalog.rulesets.map(({ name }) => name);
  return kind === "map" ? catalog.maps : catalog.bots;
}

/** Quotes a word of a command, if a shell would read more than a word. @param {string} word */
const quoted = (word) => /^[\w./:=,+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

export class Bench {
  /** @param {Project} project @param {Catalog} shipped */
  constructor(project, shipped) {
    this.project = project;
    this.shipped = shipped;
    /** The own rulesets that can be played. @type {Map<string, RulesetEntry>} */
    this.entries = new Map();
  }

  /** @param {OwnFile["kind"]} kind @param {string} name */
  own(kind, name) {
    return this.project.files.find((file) => file.kind === kind && file.name === name);
  }

  /** @param {OwnFile["kind"]} kind */
  ownNames(kind) {
    return this.project.files.filter((file) => file.kind === kind).map(({ name }) => name);
  }

  /** All that a game can name: the files of the project first. @returns {Catalog} */
  get catalog() {
    const { shipped, project: { table } } = this;
    const players = table.bots.length;
    /** @type {Omit<RulesetEntry, "name">} */
    const broken = {
      about: "These rules have errors.", players: [players, players], map: "", bots: [], levels: {},
      options: Object.entries(table.options).map(([name, value]) => ({ name, about: "", default: "", values: [value], range: [0, 0] })),
    };
    return {
      ...shipped, rulesets: [...this.ownNames("ruleset").map((name) => this.entries.get(name) ?? { name, ...broken }), ...shipped.rulesets],
      maps: [...this.ownNames("map"), ...shipped.maps], bots: [...this.ownNames("bot"), ...shipped.bots],
    };
  }

  /**
   * Adds a file under a name that is free, and returns it.
   * @param {OwnFile} file
   */
  add({ kind, name, text }) {
    if (this.project.files.length >= MOST_FILES) throw new Error(`A project has at most ${MOST_FILES} files.`);
    const file = { kind, name: freeName(name || "mine", this.takenNames(kind)), text };
    this.project.files.push(file);
    return file;
  }

  /** Returns the names that a new file can't have. Rulesets and bots have the same ending. @param {OwnFile["kind"]} kind */
  takenNames(kind) {
    const own = kind === "map" ? this.ownNames("map") : [...this.ownNames("ruleset"), ...this.ownNames("bot")];
    return [...namesOf(this.shipped, kind), ...own, "human"];
  }

  /**
   * Lets the game use a file in the place of another.
   * @param {OwnFile["kind"]} kind
   * @param {string} from
   * @param {string} to
   */
  replace(kind, from, to) {
    const { table } = this.project;
    if (kind === "ruleset" && table.ruleset === from) table.ruleset = to;
    if (kind === "map" && table.map === from) table.map = to;
    if (kind === "bot") table.bots = table.bots.map((player) => playerOf(player).bot === from ? playerText({ ...playerOf(player), bot: to }) : player);
  }

  /** Reports whether the game uses a file, as far as its names show. @param {OwnFile["kind"]} kind @param {string} name */
  uses(kind, name) {
    const { ruleset, map, bots } = this.project.table;
    if (kind === "ruleset") return ruleset === name;
    return kind === "bot" ? bots.some((player) => playerOf(player).bot === name) : (map || this.entryOf(ruleset)?.map) === name;
  }

  /** @param {string} ruleset */
  entryOf(ruleset) {
    return this.entries.get(ruleset) ?? this.shipped.rulesets.find(({ name }) => name === ruleset);
  }

  /** Returns the link of the game from its beginning. */
  link() {
    return linkOf(this.project.table, true);
  }

  /**
   * Returns the link of games between bots: for people, the bots play that they meet.
   * @param {string[]} [bots]
   */
  manyLink(bots = this.botsOf()) {
    return linkOf({ ...this.project.table, bots, seats: "", game: "" });
  }

  /** Returns the bots at the table, and bots for its people. */
  botsOf() {
    const { ruleset, bots } = this.project.table;
    const own = this.entryOf(ruleset)?.levels.normal ?? [];
    return bots.map((bot, seat) => isPerson(bot) ? own[seat % own.length] ?? "random" : bot);
  }

  /**
   * Returns the bench as its project began, with the players and the seed of now, as far as it had these bots; null if the project
   * has no beginning.
   */
  begun() {
    const { base, table: { seed } } = this.project;
    if (!base) return null;
    const has = (/** @type {string} */ name) => !this.own("bot", name) || base.files.some((file) => file.kind === "bot" && file.name === name);
    const begun = { ...base.table, seed, bots: this.botsOf().map((bot, seat) => has(playerOf(bot).bot) ? bot : base.table.bots[seat] ?? "random") };
    const bench = new Bench({ ...this.project, files: structuredClone(base.files), table: begun, base: null }, this.shipped);
    bench.entries = this.entries;
    return bench;
  }

  /** Reports whether files, the map or options have changed since the project began. */
  get isChanged() {
    const [now, before] = [this.project, this.project.base].map((one) => JSON.stringify([one?.files, one?.table.ruleset, one?.table.map, one?.table.options]));
    return now !== before;
  }

  /** Returns the name under which the program finds a file. @param {OwnFile["kind"]} kind @param {string} name @returns {string} */
  pathOf(kind, name) {
    const player = playerOf(name);
    if (kind === "bot" && player.name) return quoted(playerText({ ...player, bot: this.pathOf(kind, player.bot) }));
    const file = this.own(kind, name);
    return file ? `./${name}.${endingOf(file)}` : quoted(name);
  }

  /**
   * Returns the options of a command that plays the games of the bench.
   * @param {string[]} bots
   * @param {string} option `--bot` or `--filler`
   */
  options(bots, option) {
    const { ruleset, map, options, seed } = this.project.table;
    const of = map ? ` --map ${this.pathOf("map", map)}` : "";
    const set = Object.entries(options).map(([name, value]) => ` --option ${quoted(`${name}=${value}`)}`).join("");
    return `--ruleset ${this.pathOf("ruleset", ruleset)}${of}${set}${bots.map((bot) => ` ${option} ${this.pathOf("bot", bot)}`).join("")} --seed ${quoted(seed)}`;
  }
}
