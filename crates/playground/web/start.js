// The first page: what to play, on which map, and who sits where.

import { ask } from "#playground/shared";
import { GameFields, oddsText } from "#playground/fields";
import { load } from "#playground/load";
import { endingOf, kindOf, stem } from "#playground/names";
import { addOwnFiles, keep, ownFiles, remove } from "#playground/own";
import { save } from "#playground/save";
import { play } from "#playground/pool";
import { linkOf, randomSeed } from "#playground/setup";
import { byId, element } from "#report/dom";

const GAMES = 200;
/** A file that is dropped has at most this many bytes. */
const LARGEST = 64 << 20;

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

const fields = new GameFields((what) => {
  if (what === "ruleset") forgetRules();
  showButtons();
});

function forgetRules() {
  byId("rules").textContent = "Choose “Show the rules” to read them.";
  byId("odds").textContent = "";
}

function showButtons() {
  byId("begin").textContent = fields.hasPeople ? "Play" : "Watch";
  byId("begin").disabled = false;
  byId("many").hidden = fields.hasPeople;
}

/** @param {import("#playground/types").Catalog} catalog @param {string} [chosen] the ruleset to show */
function showCatalog(catalog, chosen = "hasbro") {
  fields.showCatalog(catalog, chosen);
  showButtons();
}

/** Returns the link of the game that is chosen. */
function link() {
  const game = { ruleset: byId("ruleset").value, map: byId("board").value, options: fields.options, bots: fields.bots, seed: byId("seed").value || randomSeed() };
  return linkOf(game, byId("takeback").checked);
}

/** Plays many games between the bots, and shows how they stand. */
async function playMany() {
  byId("match").hidden = false;
  byId("many").disabled = true;
  try {
    await play({
      module: load("playground.wasm"), files: ownFiles(), begin: { ask: "match", link: link() }, most: GAMES,
      show: ({ pieces, text }) => {
        byId("progress").value = pieces;
        byId("played").textContent = `${pieces} of ${GAMES} games`;
        byId("standings").textContent = text;
      },
    });
  } finally {
    byId("many").disabled = false;
  }
}

/** @param {string} kind @param {string} name */
async function check(kind, name) {
  /** @type {Record<string, import("#playground/types").Request>} */
  const checks = {
    ruleset: { ask: "check-ruleset", name, games: null }, map: { ask: "check-map", name },
    bot: { ask: "check-bot", name, ruleset: byId("ruleset").value, games: null },
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
  showCatalog({ ...await ask({ ask: "catalog" }), made: fields.catalog.made }, chosen);
}

function listen() {
  byId("setup").onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    location.href = `${fields.hasPeople ? "play" : "replay"}.html#${link()}`;
  };
  byId("many").onclick = () => attempt(playMany);
  byId("fight").onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    attempt(async () => {
      const [attackers, defenders] = ["attackers", "defenders"].map((id) => Number(byId(id).value));
      const { odds } = await ask({ ask: "odds", link: link(), attackers, defenders });
      byId("odds").textContent = oddsText(odds, attackers, defenders);
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
    const name = byId("board").value || fields.entry?.map;
    const { text } = await ask({ ask: "text", kind: "map", name });
    save(text, "text/plain", `${name}.${endingOf({ kind: "map", text })}`);
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
  const catalog = await (await fetch("catalog.json")).json();
  byId("seed").placeholder = "chosen at random";
  listen();
  showCatalog(catalog);
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
