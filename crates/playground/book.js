// Writes the source of the guides as a book: node crates/playground/book.js FOLDER TOOLS. Each file in a guide gets a link that
// opens it in the workshop, and is run once here. FOLDER/games has the recorded games of the gallery.

import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { Instance } from "#playground/instance";
import { linkOf } from "#playground/setup";

/** @typedef {import("#playground/types").OwnFile} OwnFile */

const [folder, tools] = process.argv.slice(2);
if (!tools) throw new Error("expected a folder for the book, and the module with all tools");
const own = dirname(fileURLToPath(import.meta.url));
const root = join(own, "..", "..");
const docs = join(root, "docs");
const module = await WebAssembly.compile(readFileSync(tools));
/** @param {OwnFile[]} files */
const engine = async (files = []) => {
  const instance = new Instance(await WebAssembly.instantiate(module, {}));
  for (const file of files) instance.ask({ ask: "add", ...file });
  return instance;
};
const shared = await engine();
const catalog = shared.ask({ ask: "catalog" });
/** The files that do not run although their guides show them working. @type {string[]} */
const wrong = [];

rmSync(folder, { recursive: true, force: true });
const source = join(folder, "src");
mkdirSync(join(folder, "games"), { recursive: true });
mkdirSync(source, { recursive: true });
mkdirSync(join(folder, "theme"));
// The way back from each guide.
writeFileSync(join(folder, "theme", "header.hbs"), `<p style="padding: 0.6rem 1rem 0; margin: 0"><a href="{{ path_to_root }}../index.html">Play</a> · <a href="{{ path_to_root }}../workshop.html">Workshop</a></p>
`);
writeFileSync(join(folder, "book.toml"), `[book]
title = "Guides of risk-cli"
language = "en"
authors = []

[output.html]
no-section-label = true

[output.html.print]
enable = false
`);

/** A file in a guide: its kind, its name, and its text. */
const BLOCK = /^```(rhai|yaml|text) ([\w-]+)\.(rhai|yaml|svg|map)\n([\s\S]*?)\n```$/gm;

/** @param {string} ending @param {string} text @returns {OwnFile["kind"] | null} */
function kindOf(ending, text) {
  if (ending === "rhai") return /\bfn\s+ruleset\s*\(/.test(text) ? "ruleset" : "bot";
  return ending !== "yaml" || /^territories:/m.test(text) ? "map" : null;
}

/** @param {string} guide @returns {OwnFile[]} the files in a guide; of files with the same name, each */
const filesOf = (guide) => [...guide.matchAll(BLOCK)].flatMap(([, , name, ending, text]) => {
  const kind = kindOf(ending, text);
  return kind ? [{ kind, name, text: named(text) }] : [];
});

/** Returns a text whose files have names, as in a page, and no paths. @param {string} text */
const named = (text) => text.replaceAll(/"\.\/([\w-]+)\.(rhai|yaml|svg)"/g, '"$1"');

/** Returns a file, and the files of its guide that it names. @param {OwnFile} file @param {OwnFile[]} all @returns {OwnFile[]} */
function withNamed(file, all) {
  if (file.kind === "map") return [file];
  const found = [file];
  for (const { text } of found) {
    const mentioned = all.filter(({ name }) => new RegExp(`"(\\./)?${name}(\\.\\w+)?"`).test(text));
    found.push(...mentioned.filter((other) => !found.some(({ kind, name }) => kind === other.kind && name === other.name)));
  }
  return found;
}

/** Returns the link that opens a file of a guide in the workshop. @param {OwnFile} file @param {string} guide @param {string} where */
async function tryLink(file, guide, where) {
  const { kind, name } = file;
  const all = filesOf(guide);
  const command = new RegExp(`^\\$ .*\\b${name}\\.\\w+.*--ruleset (?:\\./)?([\\w-]+)`, "m").exec(guide)?.[1];
  const ruleset = kind === "ruleset" ? name : kind === "map" ? "codelab" : command ?? "hasbro";
  const files = withNamed(file, all);
  for (const other of all) if (other.kind === "ruleset" && other.name === ruleset && !files.includes(other)) files.push(other);
  const instance = await engine(files);
  const about = instance.ask({ ask: "about", ruleset });
  const { players: [least], levels } = about.entry ?? { players: [2], levels: { normal: ["random"] } };
  const bots = Array.from({ length: Math.max(least, 2) }, (_, seat) => seat ? levels.normal[seat % levels.normal.length] : kind === "bot" ? name : "human");
  const link = linkOf({ ruleset, map: kind === "map" ? name : "", bots, seed: "guide" }, true);
  const games = kind === "map" ? {} : { games: 2, ...kind === "bot" ? { ruleset } : {} };
  const checked = instance.ask({ ask: `check-${kind}`, name, ...games });
  // Guides show faults, too.
  const isWrong = new RegExp(`^\\$ .*\\b${name}\\.\\w+.*# exit code [12]`, "m").test(guide);
  if (!checked.fine && !isWrong) wrong.push(`${where}: ${name}\n${checked.text}`);
  const joined = shared.ask({ ask: "join", link, files });
  if (joined.reply === "error") throw new Error(`${where}: ${name}: ${joined.text}`);
  return `../workshop.html#${joined.text}`;
}

/** Returns the target in the site of a link that leaves the guides. @param {string} target */
function outside(target) {
  const [, kind, name] = /^\.\.\/(scripts|rulesets|rulesets\/examples)\/([\w-]+)\.rhai$/.exec(target) ?? [];
  if (kind === "rulesets/examples") return `../workshop.html#example=${{ capital: "capitals", fog: "fog" }[name] ?? "income"}`;
  return kind ? `../workshop.html#example=${kind === "scripts" ? `bot-${name}` : name}` : null;
}

const summary = readFileSync(join(own, "book", "SUMMARY.md"), "utf8");
writeFileSync(join(source, "SUMMARY.md"), summary);
writeFileSync(join(source, "index.md"), readFileSync(join(own, "book", "index.md")));
let tried = 0;
for (const file of readdirSync(docs)) {
  if (!file.endsWith(".md")) {
    cpSync(join(docs, file), join(source, file), { recursive: true });
    continue;
  }
  if (!summary.includes(`(${file})`)) throw new Error(`${file} is missing in book/SUMMARY.md`);
  let guide = readFileSync(join(docs, file), "utf8");
  for (const [whole, , name, ending, text] of [...guide.matchAll(BLOCK)]) {
    const kind = kindOf(ending, text);
    // Of some drawings, only a layer is the map.
    if (!kind || new RegExp(`^\\$ .*\\b${name}\\.\\w+.*--layers`, "m").test(guide)) continue;
    const link = await tryLink({ kind, name, text: named(text) }, guide, file);
    guide = guide.replace(whole, () => `\`${name}.${ending}\` · [Try it](${link})\n\n${whole}`);
    tried += 1;
  }
  // Files of the project that are no part of the site are only named.
  guide = guide.replace(/\[((?:[^\][]|\[[^\]]*\])*)\]\((\.\.\/[^)#]+|[a-z]+\/?)(#[^)]*)?\)/g, (all, text, target) => {
    if (target.startsWith("../workshop")) return all;
    const to = outside(target);
    return to ? `[${text}](${to})` : text;
  });
  // The highlighter of the book knows no Rhai.
  writeFileSync(join(source, file), guide.replace(/^```rhai.*$/gm, "```js"));
}

/** Games to watch: the rules, the map, and the players. @type {[string, string, string[]][]} */
const GAMES = [
  ["hasbro", "", ["general", "odds", "holder"]], ["warzone", "", ["marshal", "warlord"]], ["codelab", "archipelago", ["general", "greedy"]],
  ["starwars", "", ["admiral", "admiral"]], ["missions", "", ["agent", "agent", "general"]],
];
let gallery = "# Gallery\n\n## Games to watch\n\n";
for (const [ruleset, map, bots] of GAMES) {
  const instance = await engine();
  const opened = instance.ask({ ask: "open", link: linkOf({ ruleset, map, bots, seed: "gallery" }) });
  const file = `games/${ruleset}${map && `-${map}`}.jsonl`;
  writeFileSync(join(folder, file), instance.ask({ ask: "record" }).text);
  gallery += `- [${opened.title}](../replay.html?replay=${file}): ${bots.join(", ")}\n`;
}
gallery += "\n## Examples to change in the workshop\n\n";
const examples = JSON.parse(readFileSync(join(own, "examples", "examples.json"), "utf8"));
for (const { id, title, about } of examples.filter((/** @type {any} */ { group }) => group === "Begin here")) {
  gallery += `- [${title}](../workshop.html#example=${id}): ${about}\n`;
}
gallery += "- In [Your first ruleset](rulesets.md) and [Bots that search](search-bots.md): wolves, tosses, simultaneous orders and scholars\n";
gallery += "\n## Maps\n";
mkdirSync(join(source, "maps"), { recursive: true });
for (const map of catalog.maps) {
  writeFileSync(join(source, "maps", `${map}.svg`), shared.ask({ ask: "picture", map }).text);
  const ruleset = map === "starwars" ? "starwars" : "codelab";
  const play = linkOf({ ruleset, map, bots: ["human", ruleset === "starwars" ? "admiral" : "general"], seed: map });
  gallery += `\n### ${map}\n\n[![The map ${map}](maps/${map}.svg)](maps/${map}.svg)\n\n[Play on it](../play.html#${play}) · [Change it](../workshop.html#${play})\n`;
}
writeFileSync(join(source, "gallery.md"), gallery);
if (wrong.length) throw new Error(`files in guides that do not run in the page:\n${wrong.join("\n")}`);
console.log(`${tried} files in guides run, and open in the workshop`);
