// The first page: what to play, on which map, and who sits where.

import { ask } from "#playground/engine";
import { addOwnFiles, keep, kindOf, ownFiles, remove, stem } from "#playground/own";
import { save } from "#playground/page";
import { linkOf, randomSeed } from "#playground/setup";
import { byId, element } from "#report/dom";

/** @typedef {import("#playground/types").RulesetEntry} RulesetEntry */

const GAMES = 200;
/** The number of games of a request: the page shows how far it is after each. */
const AT_ONCE = 5;
/** A file that is dropped has at most this many bytes. */
const LARGEST = 64 << 20;

/** @type {import("#playground/types").Catalog} */
let catalog;
/** Who sits at each seat. @type {string[]} */
let seats = [];
/** The names of people, by seat. @type {string[]} */
const names = [];

/** @param {unknown} error */
function trouble(error) {
  byId("trouble").hidden = !error;
  byId("trouble").textContent = error ? /** @type {Error} */ (error).message : "";
}

/** @param {() => Promise<void>} act */
async function attempt(act) {
  trouble(null);
  try {
    await act();
  } catch (error) {
    trouble(error);
  }
}

/**
 * Fills a list of choices.
 * @param {HTMLSelectElement} list
 * @param {[value: string, text: string][]} rows
 * @param {string} chosen
 */
function fill(list, rows, chosen) {
  list.replaceChildren(...rows.map(([value, text]) => element("option", text, { value })));
  list.value = rows.some(([value]) => value === chosen) ? chosen : rows[0]?.[0] ?? "";
}

/** @returns {RulesetEntry} */
const ruleset = () => /** @type {RulesetEntry} */ (catalog.rulesets.find(({ name }) => name === byId("ruleset").value));

function showSeats() {
  const { bots } = ruleset();
  const own = [...new Set(bots)];
  const others = catalog.bots.filter((bot) => !own.includes(bot));
  byId("seats").replaceChildren(...seats.map((bot, seat) => {
    const row = element("li");
    const list = element("select", "", { "aria-label": `Seat ${seat + 1}` });
    fill(list, [["human", "a person at this screen"], ...own, ...others].map((it) => typeof it === "string" ? [it, `bot ${it}`] : /** @type {[string, string]} */ (it)), bot);
    list.onchange = () => {
      seats[seat] = list.value;
      showSeats();
    };
    row.append(list);
    if (bot === "human" && seats.filter((other) => other === "human").length > 1) {
      const name = element("input", "", { "aria-label": `Name of the person at seat ${seat + 1}`, placeholder: "name", maxlength: 20, spellcheck: "false" });
      name.value = names[seat] ?? "";
      name.oninput = () => { names[seat] = name.value.trim(); };
      row.append(" ", name);
    }
    return row;
  }));
  showButtons();
}

function showButtons() {
  const people = seats.includes("human");
  byId("begin").textContent = people ? "Play" : "Watch";
  byId("begin").disabled = false;
  byId("many").hidden = people;
}

/**
 * Returns the bot at a seat whom people meet at the chosen level.
 * @param {number} seat
 */
function opponent(seat) {
  const bots = ruleset().levels[byId("level").value] ?? [];
  return bots[seat % bots.length] ?? "random";
}

function showPlayers() {
  const number = Number(byId("players").value);
  seats = Array.from({ length: number }, (_, seat) => seats[seat] ?? (seat ? opponent(seat) : "human"));
  showSeats();
}

function showLevel() {
  seats = seats.map((bot, seat) => bot === "human" ? bot : opponent(seat));
  showSeats();
}

/** @param {boolean} [keeps] whether the map and the players stay, as far as they can */
function showRuleset(keeps = false) {
  const chosen = { map: byId("board").value, players: byId("players").value };
  const { about, players: [least, most], map } = ruleset();
  byId("about").textContent = about;
  fill(byId("board"), [["", `its own: ${map}`], ...catalog.maps.map((name) => /** @type {[string, string]} */ ([name, name]))], keeps ? chosen.map : "");
  const counts = Array.from({ length: most - least + 1 }, (_, at) => String(least + at));
  fill(byId("players"), counts.map((count) => [count, count]), keeps ? chosen.players : String(Math.max(least, Math.min(most, 3))));
  if (!keeps) seats = ["human"];
  byId("rules").textContent = "Choose “Show the rules” to read them.";
  byId("odds").textContent = "";
  showPlayers();
}

/** @param {string} [chosen] the ruleset to show */
function showCatalog(chosen = "hasbro") {
  const before = byId("ruleset").value;
  fill(byId("ruleset"), catalog.rulesets.map(({ name }) => [name, name]), chosen);
  showRuleset(before === byId("ruleset").value);
}

/** Returns the link of the game that is chosen. */
function link() {
  return linkOf({
    ruleset: byId("ruleset").value, map: byId("board").value,
    bots: seats.map((bot, seat) => bot === "human" && names[seat] ? `name=${names[seat]},bot=human` : bot), seed: byId("seed").value || randomSeed(),
    takeback: byId("takeback").checked,
  });
}

/** Plays many games between the bots, and shows how they stand. */
async function playMany() {
  byId("match").hidden = false;
  byId("many").disabled = true;
  try {
    await ask({ ask: "match", link: link() });
    for (let games = 0; games < GAMES;) {
      const standings = await ask({ ask: "play", games: AT_ONCE });
      ({ games } = standings);
      byId("progress").value = games;
      byId("played").textContent = `${games} of ${GAMES} games`;
      byId("standings").textContent = standings.text;
    }
  } finally {
    byId("many").disabled = false;
  }
}

/** @param {string} kind @param {string} name */
async function check(kind, name) {
  /** @type {Record<string, import("#playground/types").Request>} */
  const checks = {
    ruleset: { ask: "check-ruleset", name, games: 20 }, map: { ask: "check-map", name },
    bot: { ask: "check-bot", name, ruleset: byId("ruleset").value, games: 20 },
  };
  const { text, fine } = await ask(checks[kind]);
  byId("findings").hidden = false;
  byId("findings").textContent = `${fine ? "No errors" : "Errors"} in the ${kind} ${name}\n${text}`;
}

/** @param {FileList | undefined | null} files */
async function take(files) {
  for (const file of files ?? []) {
    if (file.size > LARGEST) throw new Error(`${file.name} has more than ${LARGEST >> 20} MiB.`);
    const text = await file.text();
    const kind = kindOf(file.name, text);
    if (kind === "record") {
      try {
        sessionStorage.setItem("risk-record", text);
      } catch {
        throw new Error(`${file.name} is too large to hand over: open “Watch a recorded game”, and drop it there.`);
      }
      location.href = "replay.html";
      return;
    }
    const name = stem(file.name);
    await keep({ kind, name, text });
    showKept();
    await showFiles(kind === "ruleset" ? name : undefined);
    await check(kind, name);
  }
}

function showKept() {
  byId("kept").replaceChildren(...ownFiles().map(({ kind, name }) => {
    const row = element("li", `${kind} ${name} `);
    const again = element("button", "Check", { type: "button", "aria-label": `Check the ${kind} ${name}` });
    again.onclick = () => attempt(() => check(kind, name));
    const gone = element("button", "Remove", { type: "button", "aria-label": `Remove the ${kind} ${name}` });
    gone.onclick = () => {
      remove(kind, name);
      location.reload();
    };
    row.append(again, " ", gone);
    return row;
  }));
}

/** @param {string} [chosen] the ruleset to show */
async function showFiles(chosen = byId("ruleset").value) {
  catalog = await ask({ ask: "catalog" });
  showCatalog(chosen);
}

function listen() {
  byId("ruleset").onchange = () => showRuleset();
  byId("players").onchange = showPlayers;
  byId("level").onchange = showLevel;
  byId("setup").onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    location.href = `${seats.includes("human") ? "play" : "replay"}.html#${link()}`;
  };
  byId("many").onclick = () => attempt(playMany);
  byId("fight").onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    attempt(async () => {
      const [attackers, defenders] = ["attackers", "defenders"].map((id) => Number(byId(id).value));
      const { odds } = await ask({ ask: "odds", ruleset: byId("ruleset").value, attackers, defenders });
      byId("odds").textContent = `${attackers} against ${defenders}: ${(100 * odds.capture).toFixed(1)} % to take the territory, with ${odds.attackers_left.toFixed(1)} attackers left on average`;
    });
  };
  byId("show-rules").onclick = () => attempt(async () => {
    byId("rules").textContent = (await ask({ ask: "rules", ruleset: byId("ruleset").value })).text;
  });
  byId("save-ruleset").onclick = () => attempt(async () => {
    const { value: name } = byId("ruleset");
    save((await ask({ ask: "text", kind: "ruleset", name })).text, "text/plain", `${name}.rhai`);
  });
  byId("save-map").onclick = () => attempt(async () => {
    const name = byId("board").value || ruleset().map;
    save((await ask({ ask: "text", kind: "map", name })).text, "text/plain", `${name}.yaml`);
  });
  byId("file").onchange = () => attempt(() => take(byId("file").files));
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    attempt(() => take(event.dataTransfer?.files));
  });
}

if (location.hash.length > 1) location.replace(`play.html${location.hash}`);
await attempt(async () => {
  // The list of the program's files is made with the site, so that the page is soon there.
  catalog = await (await fetch("catalog.json")).json();
  byId("seed").placeholder = "chosen at random";
  listen();
  showCatalog();
  if (!ownFiles().length) return;
  await addOwnFiles();
  showKept();
  await showFiles();
});
if ("serviceWorker" in navigator) {
  const offline = await navigator.serviceWorker.register("sw.js").catch(() => null);
  offline?.addEventListener("updatefound", () => {
    // A first visit has nothing to replace.
    if (navigator.serviceWorker.controller) byId("version").textContent = "A newer version is ready: close all its tabs, and open the page again.";
  });
}
