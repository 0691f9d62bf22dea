import assert from "node:assert/strict";
import test from "node:test";

import { Bench } from "#playground/bench";
import { isPerson, kindOf, playerOf, playerText } from "#playground/names";
import { keepProject, projectOf } from "#playground/projects";
import { linkOf, tableOf } from "#playground/setup";

/** @param {Partial<import("#playground/types").Table>} table @param {import("#playground/types").OwnFile[]} [files] @param {any} [base] */
function bench(table, files = [], base = null) {
  const whole = { ...tableOf("ruleset=rules&seed=s&bot=human&bot=near"), ...table };
  const entry = { name: "rules", about: "", players: /** @type {[number, number]} */ ([2, 6]), map: "world", bots: ["near"], levels: { normal: ["far"] }, options: [] };
  return new Bench({ id: "", title: "", files, table: whole, base, changed: 0 }, { version: "", rulesets: [entry], maps: ["world"], bots: ["near", "far", "random"] });
}
/** @type {(kind: import("#playground/types").OwnFile["kind"], name: string) => import("#playground/types").OwnFile} */
const file = (kind, name) => ({ kind, name, text: "" });

test("a link has all that a table says", () => {
  for (const link of [
    "v=1&ruleset=hasbro&bot=human&bot=near&seed=7",
    "v=1&ruleset=hasbro&map=grid%3A3x3&option=trades%3Ddown&option=a%3Db%3Dc&bot=name%3DAnn%2Cbot%3Dhuman&seed=7&seats=fixed&game=4",
  ]) assert.equal(linkOf(tableOf(link)), link);
});

test("players have names and bots", () => {
  for (const [player, name, bot] of [
    ["human", "", "human"], ["bot=human", "", "human"], ["name=Ann,bot=human", "Ann", "human"], ["general:hard,name=Zed", "Zed", "general:hard"],
    ["name=Zed,bot=mine,timeout=5", "", "name=Zed,bot=mine,timeout=5"], ['name="a,b",bot=human', "", 'name="a,b",bot=human'], ["name=Zed", "", "name=Zed"],
  ]) {
    assert.deepEqual(playerOf(player), { name, bot }, player);
    assert.deepEqual(playerOf(playerText({ name, bot })), { name, bot }, player);
    assert.equal(isPerson(player), bot === "human", player);
  }
});

test("files are known by their endings and texts", () => {
  for (const [name, text, kind] of [
    ["a.rhai", "fn ruleset() { }", "ruleset"], ["a.RHAI", "// fn ruleset() { }\nfn answer(view, ask) { }", "bot"], ["a.rhai", "/* x\nfn ruleset() */", "bot"],
    ["a.svg", "<svg>", "map"], ["a.YAML", "fn ruleset()", "map"], ["a.txt", '{"record"', "record"],
  ]) assert.equal(kindOf(name, text), kind, `${name} ${text}`);
  assert.throws(() => kindOf("a.exe", "MZ"));
});

test("commands name own files, options and players as the program reads them", () => {
  const own = bench({ options: { trades: "two words" }, map: "land" }, [file("bot", "mine"), file("map", "land")]);
  assert.equal(own.options(["name=Zed,bot=mine", "near"], "--bot"),
    "--ruleset rules --map ./land.yaml --option 'trades=two words' --bot name=Zed,bot=./mine.rhai --bot near --seed s");
});

test("a bot with a new name keeps its seats, and who sits there keeps the name", () => {
  const own = bench({ bots: ["mine", "name=Zed,bot=mine", "human"] }, [file("bot", "mine")]);
  own.replace("bot", "mine", "zed");
  assert.deepEqual(own.project.table.bots, ["zed", "name=Zed,bot=zed", "human"]);
});

test("a ruleset with errors stays in the list", () => {
  assert.deepEqual(bench({ ruleset: "own" }, [file("ruleset", "own")]).catalog.rulesets.map(({ name, players }) => [name, players]), [["own", [2, 2]], ["rules", [2, 6]]]);
});

test("before and after have the same opponents, also under another name of the rules", () => {
  const base = { files: [file("ruleset", "first"), file("bot", "mine")], table: tableOf("ruleset=first&bot=human&bot=mine&seed=s") };
  const now = bench({ ruleset: "second", bots: ["human", "mine", "new"] }, [file("ruleset", "second"), file("bot", "mine"), file("bot", "new")], base);
  now.entries.set("second", /** @type {any} */ ({ name: "second", levels: { normal: ["far"] } }));
  assert.deepEqual(now.botsOf(), ["far", "mine", "new"]);
  assert.deepEqual(now.begun()?.botsOf(), ["far", "mine", "random"]);
  assert.equal(now.begun()?.project.table.ruleset, "first");
});

test("a project has at most 64 files, each with a name of its own", () => {
  const own = bench({});
  for (let more = 0; more < 64; more += 1) own.add(file("bot", "near"));
  assert.equal(new Set(own.ownNames("bot")).size, 64);
  assert.ok(!own.ownNames("bot").includes("near"));
  assert.throws(() => own.add(file("bot", "one-more")), /64/);
});

test("files, maps and options that differ from the beginning are changes", () => {
  const began = () => bench({ ruleset: "rules" }, [file("bot", "mine")], { files: [file("bot", "mine")], table: tableOf("ruleset=rules") });
  assert.ok(!began().isChanged);
  for (const change of [{ map: "ring" }, { options: { trades: "once" } }, { ruleset: "other" }]) {
    const now = began();
    Object.assign(now.project.table, change);
    assert.ok(now.isChanged, JSON.stringify(change));
    const { map, options, ruleset } = /** @type {Bench} */ (now.begun()).project.table;
    assert.deepEqual([map, options, ruleset], ["", {}, "rules"]);
  }
});

test("a ruleset and a bot never have the same name", () => {
  const own = bench({});
  assert.deepEqual(["ruleset", "bot", "map"].map((kind) => own.add(file(/** @type {any} */ (kind), "mine")).name), ["mine", "mine-2", "mine"]);
});

test("comments that never end are read in no time", () => {
  assert.equal(kindOf("a.rhai", "/* ".repeat(300_000)), "bot");
});

test("after a project had no room, a smaller one is kept in its place", () => {
  const kept = /** @type {Map<string, string>} */ (new Map());
  const room = { getItem: (/** @type {string} */ key) => kept.get(key) ?? null, setItem: (/** @type {string} */ key, /** @type {string} */ text) => {
    if (text.length > 1000) throw new Error("full");
    kept.set(key, text);
  } };
  Object.assign(globalThis, { localStorage: room });
  const { project } = bench({}, [file("bot", "mine")]);
  keepProject(project);
  const { id } = project;
  project.files[0].text = "x".repeat(2000);
  assert.throws(() => keepProject(project), /no room/);
  project.files[0].text = "small";
  keepProject(project);
  assert.deepEqual([project.id, kept.size], [id, 1]);
  assert.equal(projectOf(id)?.files[0].text, "small");
});
