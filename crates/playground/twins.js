// Compares the module of pages with the program: node crates/playground/twins.js MODULE PROGRAM [TOOLS].
// TOOLS is the module with all tools, if MODULE lacks them.
// Both play the same games. Their records, and so all answers, faults and digests, their statistics and their odds must be
// equal, byte for byte.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Instance } from "#playground/instance";

/** @typedef {import("#playground/types").OwnFile} OwnFile */
/** @typedef {{ ruleset: string, map?: string, bots?: string[], options?: string[], files?: OwnFile[] }} Match */

const [module, program, tools = module] = process.argv.slice(2);
const compiled = await WebAssembly.compile(readFileSync(module));
const withTools = tools === module ? compiled : await WebAssembly.compile(readFileSync(tools));
const folder = mkdtempSync(join(tmpdir(), "risk-twins-"));
/** @param {string[]} args */
const run = (...args) => execFileSync(program, args, { cwd: folder, encoding: "utf8", stdio: "pipe" });

/** @param {OwnFile[]} files @returns {Promise<(request: import("#playground/types").Request) => any>} */
async function page(files = [], module = compiled) {
  const instance = new Instance(await WebAssembly.instantiate(module, {}));
  for (const file of files) assert.equal(instance.ask({ ask: "add", ...file }).reply, "done");
  return (request) => {
    const answer = instance.ask(request);
    assert.notEqual(answer.reply, "error", `${JSON.stringify(request)}: ${answer.text}`);
    return answer;
  };
}

/** @param {Match} match @param {string} seed */
function link({ ruleset, map, bots = [], options = [] }, seed) {
  const link = new URLSearchParams({ ruleset, seed });
  if (map) link.set("map", map);
  for (const bot of bots) link.append("bot", bot);
  for (const option of options) link.append("option", option);
  return link.toString();
}

/** @param {Match} match @param {string} seed */
function commandLine({ ruleset, map, bots = [], options = [], files = [] }, seed) {
  /** @param {string} kind @param {string} name */
  const spec = (kind, name) => {
    const own = files.find((file) => file.kind === kind && file.name === name);
    if (!own) return name;
    const path = `./${name}.${kind === "map" ? "yaml" : "rhai"}`;
    writeFileSync(join(folder, path), own.text);
    return path;
  };
  return ["--ruleset", spec("ruleset", ruleset), ...map ? ["--map", spec("map", map)] : [],
    ...bots.flatMap((bot) => ["--bot", spec("bot", bot)]), ...options.flatMap((option) => ["--option", option]), "--seed", seed];
}

/**
 * Returns the lines of a record. A file has a path in the program and a name in a page, so the header and the sums over it
 * are left out where a file is used, and lines are compared up to where a long fault may be cut.
 * @param {string} record
 * @param {boolean} hasFiles
 */
const linesOf = (record, hasFiles) => hasFiles
  ? record.trimEnd().split("\n").slice(1).map((line) => line.replace(/,"sum":"\w+"\}$/, "}").replaceAll(/\.\/(\w+)\.(rhai|yaml)/g, "$1").slice(0, 1900)) : record.split("\n");

/** @param {string} text */
const bot = (text) => [{ kind: /** @type {const} */ ("bot"), name: "near", text }];
const first = "fn answer(view, ask) { WORK; ask.nth(0) }";
/** A script near each limit: twice as much each game until it faults. @type {[name: string, work: string][]} */
const LIMITS = [
  ["operations", "for i in 0..(1000 << (view.turn % 12)) { i * 2; }"],
  ["depth", "deep(view.turn * 2)"],
  ["nesting", "nested(view.turn)"],
  ["strings", "let s = \"x\"; for i in 0..view.turn % 16 { s += s; }"],
  ["arrays", "let a = []; for i in 0..(view.turn % 14) * 1000 { a.push(i); }"],
  ["maps", "let m = #{}; for i in 0..(view.turn % 14) * 500 { m[i.to_string()] = i; }"],
  ["memory", 'let a = []; for i in 0..(view.turn % 40) * 20 { a.push([i, [i, i], #{ a: i, b: [i] }, i.to_string() + " is a number"]); }'],
  ["numbers", "let n = 1; for i in 0..view.turn { n *= 3; }"],
];

const nested = `fn nested(n) { if n > 0 { ${"(1 + ".repeat(16)}[n].map(|x| nested(x - 1)).len()${")".repeat(16)} } else { 1 } }`;

const start = await page();
const catalog = start({ ask: "catalog" });
/** @type {Match[]} */
const matches = [
  ...catalog.rulesets.map((/** @type {any} */ { name }) => ({ ruleset: name })),
  ...catalog.maps.filter((/** @type {string} */ map) => map !== "starwars").map((/** @type {string} */ map) => ({ ruleset: "codelab", map, bots: ["outnumber", "holder"] })),
  ...["grid:7x5", "hex:4", "random:40:5"].map((map) => ({ ruleset: "codelab", map, bots: ["outnumber", "odds"] })),
  // A module that is soon built searches for minutes: `search:quick` is the same bot with less work.
  ...catalog.bots.filter((/** @type {string} */ bot) => !(/^faulty/.test(bot) || (/^search(:deep)?$/.test(bot) && tools === module))).map((/** @type {string} */ bot) => {
    const own = catalog.rulesets.find((/** @type {any} */ { bots }) => bots.includes(bot) && bot !== "general" && bot !== "random");
    const level = bot === "oracle" ? "oracle:10" : bot;
    return { ruleset: own?.name ?? (/^(aggressive|benevolent)/.test(bot) ? "warzone" : "hasbro"), bots: [level] };
  }),
  { ruleset: "codelab", bots: ["faulty", "random"] },
  ...LIMITS.map(([, work]) => ({
    ruleset: "codelab", bots: ["near", "random"],
    files: bot(`fn deep(n) { if n > 0 { deep(n - 1) } }\n${nested}\n${first.replace("WORK", work)}`),
  })),
];

let faults = 0;
for (const [at, match] of matches.entries()) {
  const { files = [] } = match;
  const seed = `twins-${at}`;
  const what = `${JSON.stringify({ ...match, files: undefined })}, seed ${seed}`;
  const record = join(folder, "game.jsonl");
  run("play", ...commandLine(match, seed), "--record", record, "--force", "--quiet");
  const ask = await page(files);
  ask({ ask: "open", link: link(match, seed) });
  const [own, other] = [ask({ ask: "record" }).text, readFileSync(record, "utf8")].map((text) => linesOf(text, files.length > 0));
  const differs = own.findIndex((line, index) => line !== other[index]);
  assert.ok(differs < 0 && own.length === other.length, `${what}: line ${differs + 1}\n  page    ${own[differs]}\n  program ${other[differs]}`);
  faults += own.filter((line) => line.includes('"line":"fault"')).length;
  const replayed = ask({ ask: "replay", record: ask({ ask: "record" }).text });
  assert.equal(replayed.differs, null, what);
}

/**
 * Plays work on two instances, which share its pieces, and returns the result.
 * @param {import("#playground/types").Request} begin
 * @param {number} most
 * @param {OwnFile[]} files
 */
async function shared(begin, most, files = []) {
  const module = begin.ask === "match" ? compiled : withTools;
  const both = [await page(files, module), await page(files, module)];
  const [all] = both.map((ask) => Math.min(most, ask(begin).pieces ?? most));
  let summary = { over: false, document: /** @type {any} */ (null) };
  for (let [from, turn] = [0, 0]; from < all && !summary.over; turn += 1) {
    const count = Math.min(7, all - from);
    summary = both[0]({ ask: "count", results: both[turn % 2]({ ask: "pieces", from, count }).results });
    from += count;
  }
  return summary.document;
}
/** @param {string[]} args of a command that may say no */
const said = (...args) => {
  try {
    return JSON.parse(run(...args, "--format", "json"));
  } catch (error) {
    return JSON.parse(/** @type {any} */ (error).stdout);
  }
};
/** Returns a document of the program with names of files as in a page. @param {unknown} document */
const named = (document) => JSON.parse(JSON.stringify(document).replaceAll(/\.\/([\w-]+)\.(rhai|yaml|svg)/g, "$1"));

const many = { ruleset: "hasbro", bots: ["outnumber", "general", "greedy", "odds"] };
assert.deepEqual(await shared({ ask: "match", link: link(many, "many") }, 40), said("play", ...commandLine(many, "many"), "--games", "40", "--jobs", "1"));

// A bot of the user's has the same shares in a page and in the program, and the same comparison.
const example = (/** @type {string} */ name) => readFileSync(new URL(`examples/${name}`, import.meta.url), "utf8");
const own = { ruleset: "codelab", map: "four-corners", bots: ["five-lines", "random"], files: [{ kind: /** @type {const} */ ("bot"), name: "five-lines", text: example("five-lines.rhai") }] };
const ownLink = link(own, "own");
const withoutPaths = (/** @type {any} */ { bots, ...document }) => named({ ...document, bots: bots.map((/** @type {any} */ { bot: _, ...rest }) => rest) });
assert.deepEqual(withoutPaths(await shared({ ask: "match", link: ownLink }, 30, own.files)), withoutPaths(said("play", ...commandLine(own, "own"), "--games", "30", "--jobs", "2")));
const comparison = await shared({ ask: "compare", link: ownLink }, Number.MAX_SAFE_INTEGER, own.files);
const compared = said("compare", "./five-lines.rhai", "random", ...commandLine({ ...own, bots: [] }, "own"));
for (const key of ["verdict", "bots", "test", "blocks", "games", "shares", "interval", "path", "pairs", "identical_pairs"]) assert.deepEqual(comparison[key], compared[key], key);

// Ratings are the same in a page, and in the program on one thread and on two.
const rated = process.env.RISK_EVERY_CASE ? ["./five-lines.rhai", "random", "holder", "odds", "outnumber", "general"] : [];
for (const spec of rated) {
  const rating = await shared({ ask: "rate", bot: named(spec), ruleset: "simplified" }, Number.MAX_SAFE_INTEGER, own.files);
  for (const jobs of ["1", "2"]) assert.deepEqual(named({ ...rating, bot: 0 }), named({ ...said("bot", "rate", spec, "--ruleset", "simplified", "--jobs", jobs), bot: 0 }), spec);
}

const record = join(folder, "analysed.jsonl");
run("play", ...commandLine({ ruleset: "codelab", map: "four-corners", bots: ["general", "greedy"] }, "analysed"), "--record", record, "--quiet");
assert.deepEqual(await shared({ ask: "analyse", record: readFileSync(record, "utf8") }, Number.MAX_SAFE_INTEGER), said("analyse", record, "--rollouts", "20"));

// Checks find the same, at the same places.
/** @type {[OwnFile["kind"], string, string, string[]][]} */
const CHECKED = [
  ["bot", "five-lines", example("five-lines.rhai"), ["bot", "check", "./five-lines.rhai", "--ruleset", "codelab", "--games", "3"]],
  ["bot", "slip", "// ü\nfn answer(view, ask) { ask.randon() }\n", ["bot", "check", "./slip.rhai", "--ruleset", "codelab", "--games", "3"]],
  ["ruleset", "half", 'fn ruleset() { #{ extends: "codelab", name: "half" } }\nfn income(territories) { territories / 2 }\n', ["ruleset", "check", "./half.rhai", "--games", "3"]],
  ["ruleset", "slip", 'fn ruleset() { #{ extends: "codelab", nme: "slip" } }\n', ["ruleset", "check", "./slip.rhai", "--games", "3"]],
  ["map", "drawn", example("drawn.svg"), ["map", "validate", "./drawn.svg"]],
  ["map", "slip", "name: slip\nterritories: [{ id: a, borders: [b] }, { id: c }]\n", ["map", "validate", "./slip.yaml"]],
];
for (const [kind, name, text, command] of CHECKED) {
  writeFileSync(join(folder, /** @type {string} */ (command.find((word) => word.startsWith("./")))), text);
  const ask = await page([{ kind, name, text }], withTools);
  const request = kind === "bot" ? { ruleset: "codelab", games: 3 } : kind === "ruleset" ? { games: 3 } : {};
  const { document } = ask({ ask: `check-${kind}`, name, ...request });
  assert.deepEqual(document, named(said(...command).files[0]), command.join(" "));
}

let fights = 0;
for (const { name: ruleset } of catalog.rulesets) {
  for (const [attackers, defenders] of [[1, 1], [3, 2], [10, 8], [57, 60], [200, 150]]) {
    const odds = () => JSON.parse(run("odds", String(attackers), String(defenders), "--ruleset", ruleset, "--format", "json"));
    let expected;
    try {
      expected = odds();
    } catch {
      continue;
    }
    assert.deepEqual(start({ ask: "odds", link: `ruleset=${ruleset}`, attackers, defenders }).odds, expected, `${ruleset}: ${attackers} v ${defenders}`);
    fights += 1;
  }
}
const maps = [...catalog.maps, "hex:4", "random:40:5", "random:120:9"];
for (const map of maps) {
  run("map", "render", map, "--output", "map.svg", "--force");
  assert.equal(start({ ask: "picture", map }).text.trim(), readFileSync(join(folder, "map.svg"), "utf8").trim(), map);
}
rmSync(folder, { recursive: true });
console.log(`${matches.length} games with ${faults} faults, 40 games of a match, a comparison, ${rated.length} ratings, an analysis, ${CHECKED.length} checks, the odds of ${fights} fights and the pictures of ${maps.length} maps are equal in a page and in the program`);
