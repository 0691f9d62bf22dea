// The fields that choose a game: its rules, its map, and who sits where.

import { playerOf, playerText } from "#playground/names";
import { byId, element } from "#report/dom";

/** @typedef {import("#playground/types").Catalog} Catalog */
/** @typedef {import("#playground/types").RulesetEntry} RulesetEntry */

/**
 * Fills a list of choices.
 * @param {HTMLSelectElement} list
 * @param {[value: string, text: string][]} rows
 * @param {string} chosen
 */
export function fill(list, rows, chosen) {
  list.replaceChildren(...rows.map(([value, text]) => element("option", text, { value })));
  list.value = rows.some(([value]) => value === chosen) ? chosen : rows[0]?.[0] ?? "";
}

/**
 * Says the odds of a fight.
 * @param {{ capture: number, attackers_left: number }} odds
 * @param {number} attackers
 * @param {number} defenders
 */
export const oddsText = (odds, attackers, defenders) => `${attackers} against ${defenders}: ${
  (100 * odds.capture).toFixed(1)} % to take the territory, with ${odds.attackers_left.toFixed(1)} attackers left on average`;

/** The names that a link can have. */
const NAME = '[^,="]*';

export class GameFields {
  /** @param {(what: "ruleset" | "other") => void} changed called when a person has chosen something */
  constructor(changed) {
    this.changed = changed;
    this.catalog = /** @type {Catalog} */ ({ version: "", rulesets: [], maps: [], bots: [] });
    /** The bots at the seats; `human` for people. @type {string[]} */
    this.seats = [];
    /** The names of players, by seat. @type {string[]} */
    this.names = [];
    /** Values of options that are not left to the rules. @type {Record<string, string>} */
    this.options = {};
    /** @param {string} id @param {() => void} act */
    const on = (id, act) => {
      byId(id).onchange = () => {
        act();
        changed(id === "ruleset" ? id : "other");
      };
    };
    // A closed box with an invalid field opens, so that its message is visible.
    addEventListener("invalid", ({ target }) => {
      for (let box = /** @type {any} */ (target).closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
    }, { capture: true });
    on("ruleset", () => this.showRuleset());
    on("board", () => {});
    on("players", () => this.showPlayers());
    on("level", () => {
      this.seats = this.seats.map((bot, seat) => bot === "human" ? bot : this.opponent(seat));
      this.names = this.names.map((name, seat) => this.seats[seat] === "human" ? name : "");
      this.showSeats();
    });
  }

  /** @returns {RulesetEntry | undefined} the chosen rules */
  get entry() {
    return this.catalog.rulesets.find(({ name }) => name === byId("ruleset").value);
  }

  get hasPeople() {
    return this.seats.includes("human");
  }

  /** The players as a link names them. */
  get bots() {
    return this.seats.map((bot, seat) => playerText({ name: this.names[seat], bot }));
  }

  set bots(players) {
    this.seats = players.map((player) => playerOf(player).bot);
    this.names = players.map((player) => playerOf(player).name);
  }

  /**
   * Returns the bot at a seat whom people meet at the chosen level.
   * @param {number} seat
   */
  opponent(seat) {
    const bots = this.entry?.levels[byId("level").value] ?? [];
    return bots[seat % bots.length] ?? "random";
  }

  /** The bots for these rules: their own first, and none that was made for others or to make errors. */
  get choices() {
    const own = [...new Set(this.entry?.bots)];
    const { made = {}, bots } = this.catalog;
    const fits = (/** @type {string} */ bot) => !own.includes(bot) && !/^faulty/.test(bot) && (!Object.hasOwn(made, bot) || made[bot].includes(this.entry?.name ?? ""));
    return [...own, ...bots.filter(fits)];
  }

  showSeats() {
    const rows = [["human", "a person at this screen"], ...[...new Set([...this.choices, ...this.seats])].filter((bot) => bot !== "human").map((bot) => [bot, `bot ${bot}`])];
    byId("seats").replaceChildren(...this.seats.map((bot, seat) => {
      const row = element("li");
      const list = element("select", "", { "aria-label": `Seat ${seat + 1}` });
      fill(list, /** @type {[string, string][]} */ (rows), bot);
      list.onchange = () => {
        this.seats[seat] = list.value;
        if (list.value !== "human") this.names[seat] = "";
        this.showSeats();
        this.changed("other");
      };
      row.append(list);
      if (bot !== "human" && this.names[seat]) row.append(` named ${this.names[seat]}`);
      if (bot === "human" && this.seats.filter((other) => other === "human").length > 1) {
        const name = element("input", "", { "aria-label": `Name of the person at seat ${seat + 1}`, placeholder: "name", maxlength: 20, spellcheck: "false" });
        name.value = this.names[seat] ?? "";
        Object.assign(name, { pattern: NAME, title: "A name without commas, = and quotes" });
        name.onchange = () => {
          this.names[seat] = name.value.trim();
          if (name.reportValidity()) this.changed("other");
        };
        row.append(" ", name);
      }
      return row;
    }));
  }

  showOptions() {
    const { options = [] } = this.entry ?? {};
    const known = options.map(({ name }) => name);
    const others = Object.keys(this.options).filter((name) => !known.includes(name)).map((name) => (
      { name, about: "These rules have no such option: empty this field.", default: "", values: [], range: null }));
    byId("of-options").hidden = !options.length && !others.length;
    byId("options").replaceChildren(...[...others, ...options].map(({ name, about, default: usual, values, range }) => {
      const chosen = Object.hasOwn(this.options, name) ? this.options[name] : "";
      const others = [...new Set([chosen, ...values.filter((value) => value !== usual)])].filter(Boolean);
      const field = values.length ? element("select") : element("input", "", { spellcheck: "false", placeholder: usual, inputmode: "numeric" });
      if (values.length) fill(field, [["", `as usual: ${usual}`], ...others.map((value) => /** @type {[string, string]} */ ([value, value]))], "");
      field.value = chosen;
      field.onchange = () => {
        if (field.value) this.options[name] = field.value;
        else delete this.options[name];
        const isNumber = /^-?\d+$/.test(field.value) && Number(field.value) >= (range?.[0] ?? 0) && Number(field.value) <= (range?.[1] ?? 0);
        field.setCustomValidity(range && !values.length && field.value && !isNumber ? `Write a number from ${range[0]} to ${range[1]}.` : "");
        if (field.reportValidity()) this.changed("other");
      };
      const label = element("label");
      label.append(element("b", name.replaceAll("_", " ")), element("span", range && !values.length ? `${about} (${range[0]} to ${range[1]})` : about, { class: "about" }), field);
      return label;
    }));
  }

  showPlayers() {
    const number = Number(byId("players").value);
    this.seats = Array.from({ length: number }, (_, seat) => this.seats[seat] ?? (seat ? this.opponent(seat) : "human"));
    this.showSeats();
  }

  /** @param {boolean} [keeps] whether the map and the players stay, as far as they can */
  showRuleset(keeps = false) {
    const chosen = { map: byId("board").value, players: keeps && this.seats.length ? String(this.seats.length) : "" };
    const { about, players: [least, most], map } = this.entry ?? { about: "", players: [1, 1], map: "" };
    byId("about").textContent = about;
    fill(byId("board"), [["", `its own: ${map}`], ...this.catalog.maps.map((name) => /** @type {[string, string]} */ ([name, name]))], keeps ? chosen.map : "");
    const counts = Array.from({ length: most - least + 1 }, (_, at) => String(least + at));
    fill(byId("players"), counts.map((count) => [count, count]), String(Math.max(least, Math.min(most, Number(chosen.players || 3)))));
    if (!keeps) {
      // A game between bots stays one.
      this.seats = [this.seats.length && !this.hasPeople ? this.opponent(0) : "human"];
      this.options = {};
    }
    this.showPlayers();
    this.showOptions();
  }

  /**
   * @param {Catalog} catalog
   * @param {string} chosen the ruleset to show
   */
  showCatalog(catalog, chosen) {
    this.catalog = catalog;
    const before = byId("ruleset").value;
    fill(byId("ruleset"), catalog.rulesets.map(({ name }) => [name, name]), chosen);
    this.showRuleset(before === byId("ruleset").value);
  }
}
