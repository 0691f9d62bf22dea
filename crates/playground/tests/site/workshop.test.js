// The workshop in a browser: `node --test crates/playground/tests/site/workshop.test.js` after `.ci/site`. With
// RISK_PROGRAM, its numbers are compared with those of the program.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { LOOKS, launch, serve, visit } from "./browser.js";

const root = join(import.meta.dirname, "..", "..", "..", "..");
const site = process.env.RISK_SITE ?? join(root, "target", "site");
/** @type {import("playwright-core").Browser} */
let browser;
const permissions = ["clipboard-read", "clipboard-write"];
let server;
let home = "";

before(async () => {
  ({ server, home } = await serve(site));
  browser = await launch();
});
after(async () => {
  await browser.close();
  server.closeAllConnections();
  server.close();
});

/** @typedef {import("playwright-core").Page} Page */

/** Opens the workshop. @param {string} hash @param {import("playwright-core").BrowserContext} [context] */
async function open(hash, context) {
  const own = context ?? await browser.newContext({ viewport: { width: 1400, height: 900 }, permissions, acceptDownloads: true });
  const { page, errors } = await visit(own, `${home}workshop.html${hash && `#${hash}`}`);
  page.on("dialog", (dialog) => dialog.accept("renamed"));
  await page.waitForSelector(hash ? "#bench:not([hidden])" : "#begin:not([hidden])");
  return { context: own, page, errors };
}

/** Waits for the game beside the editor. @param {Page} page */
async function game(page) {
  await page.waitForFunction(() => /** @type {any} */ (document.querySelector("#game"))?.contentWindow?.risk?.now);
  return /** @type {import("playwright-core").Frame} */ (page.frames().find((frame) => /\/(play|replay)\.html/.test(frame.url())));
}

/** @param {Page} page */
const text = (page) => page.evaluate(() => /** @type {any} */ (globalThis).workshop.bench.project.files.map((/** @type {any} */ file) => file.text).join("\n"));

/** Replaces the text in the editor by keys. @param {Page} page @param {string} text */
async function write(page, text) {
  await focus(page);
  await page.keyboard.press("Control+a");
  await paste(page, text);
}

/** @param {Page} page @param {string} text */
async function paste(page, text) {
  await page.evaluate((text) => navigator.clipboard.writeText(text), text);
  await page.keyboard.press("Control+v");
}

/** @param {Page} page */
const focus = (page) => page.evaluate(() => {
  const editor = /** @type {any} */ (document.querySelector("#editor")).shadowRoot.querySelector(".cm-content");
  editor.focus();
});

/** @param {Page} page @param {RegExp} pattern */
const verdict = (page, pattern) => page.waitForFunction((source) => new RegExp(source).test(document.querySelector("#verdict")?.textContent ?? ""), pattern.source);

/** Opens a shipped file that the game uses, and adds a text at its end. @param {Page} page @param {string} kind @param {string} name @param {string} more */
async function change(page, kind, name, more) {
  await page.click(`#tab-${kind}`);
  await page.waitForFunction((name) => /** @type {any} */ (document.querySelector("#file")).value === name, name);
  await focus(page);
  await page.keyboard.press("Control+End");
  await paste(page, more);
  await verdict(page, new RegExp(`my-${name}: no findings`));
}

/** @param {Page} page */
const idle = (page) => page.waitForFunction(() => /** @type {any} */ (document.querySelector("#running")).hidden);

/** @param {Page} page @param {string} what */
async function picture(page, what) {
  if (process.env.RISK_PICTURES) writeFileSync(join(process.env.RISK_PICTURES, `workshop-${what}.png`), await page.screenshot({ fullPage: true }));
}

const LESS = 'fn ruleset() { #{ extends: "codelab", name: "one" } }\nfn income(territories) { territories / 12 }\n';

test("a rule is changed, played on from the same moment, and compared with before", async () => {
  const { context, page, errors } = await open("example=income");
  const board = await game(page);
  const seed = () => page.evaluate(() => /** @type {any} */ (globalThis).workshop.bench.project.table.seed);
  const before = await seed();
  // A comment changes nothing: the answers of people still fit.
  await board.waitForFunction(() => /** @type {any} */ (globalThis).risk.now.question);
  await board.click("#auto");
  await board.waitForFunction(() => /** @type {any} */ (globalThis).risk.now.question?.id > 1);
  await write(page, `// More.\n${await text(page)}`);
  await page.waitForFunction(() => document.querySelector("#moment")?.textContent?.includes("same moment"));
  assert.match(page.url(), /#project=\w+$/);
  await page.waitForFunction(() => /** @type {any} */ (document.querySelector("#game"))?.contentWindow.location.hash.includes("answers"));
  await write(page, LESS);
  await page.waitForFunction(() => document.querySelector("#moment")?.textContent?.includes("new game"));
  assert.equal(await seed(), before);
  // Undoing the change brings the game back.
  const changed = await text(page);
  await focus(page);
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => document.querySelector("#moment")?.textContent?.includes("same moment"));
  await write(page, changed);
  await page.waitForFunction(() => document.querySelector("#moment")?.textContent?.includes("new game"));
  await page.fill("#games", "12");
  await page.click("#change");
  await page.waitForFunction(() => document.querySelector("#difference")?.textContent);
  const found = await page.textContent("#difference") ?? "";
  const [now, , past] = found.match(/\d+\.\d/g) ?? [];
  assert.notEqual(now, past, found);
  assert.equal(await page.locator("#results pre").count(), 2);
  await picture(page, "rule");
  assert.deepEqual(errors, []);
  // What was changed is kept, and a project can be deleted.
  await page.reload();
  await page.waitForSelector("#bench:not([hidden])");
  assert.equal(await text(page), LESS);
  await page.click("#others");
  await page.waitForSelector("#kept li");
  await page.click("#kept button");
  await page.waitForFunction(() => !document.querySelector("#kept li"));
  await context.close();
});

const BOT = `fn deploy(view, ask) { ask.act_most("place", view.most_threatened(view.fronts)) }
fn attack(view, ask) { ask.fights(#{ edge: 2 }).then(ask.act("done")) }
fn answer(view, ask) { if ask.has("trade") { ask.nth(0) } else { ask.random() } }
`;
test("a bot of the page has the numbers of the program", async () => {
  const { context, page, errors } = await open("example=five-lines");
  await write(page, BOT);
  await verdict(page, /no findings$/);
  await page.fill("#games", "20");
  await page.click("#many");
  await idle(page);
  const played = await page.textContent("#results pre") ?? "";
  assert.match(played, /20 games/);
  const command = await page.textContent("#results code") ?? "";
  await page.selectOption("#a", "greedy");
  await page.selectOption("#b", "random");
  await page.click("#compare");
  await page.waitForFunction(() => /is better than random/.test(document.querySelector("#results pre")?.textContent ?? ""));
  const compared = await page.textContent("#results pre") ?? "";
  const comparison = await page.textContent("#results code") ?? "";
  assert.match(compared, /greedy is better than random/);
  await page.waitForFunction(() => /^greedy is better than random: of \d+ games/.test(document.querySelector("#difference")?.textContent ?? ""));
  if (process.env.RISK_PROGRAM) {
    const folder = mkdtempSync(join(tmpdir(), "risk-workshop-"));
    writeFileSync(join(folder, "five-lines.rhai"), BOT);
    const run = (/** @type {string} */ line) => {
      const [, ...words] = line.split(" ");
      return execFileSync(/** @type {string} */ (process.env.RISK_PROGRAM), words, { cwd: folder, encoding: "utf8", env: { ...process.env, COLUMNS: "80" }, stdio: ["ignore", "pipe", "ignore"] }).trim();
    };
    assert.equal(run(command), played.trim());
    assert.equal(run(comparison), compared.trim());
  }
  assert.deepEqual(errors, []);
  await context.close();
});

test("a rating in the page is that of the program", async () => {
  const { context, page, errors } = await open("ruleset=simplified&bot=greedy&bot=random&seed=s");
  await page.selectOption("#a", "greedy");
  await page.click("#rate");
  await page.waitForFunction(() => /no faults/.test(document.querySelector("#results pre")?.textContent ?? ""));
  await idle(page);
  const rated = await page.textContent("#results pre") ?? "";
  assert.match(rated, /1120 games of simplified/);
  if (process.env.RISK_PROGRAM) {
    const [, ...words] = (await page.textContent("#results code") ?? "").split(" ");
    const printed = execFileSync(process.env.RISK_PROGRAM, words, { encoding: "utf8", env: { ...process.env, COLUMNS: "80" }, stdio: ["ignore", "pipe", "ignore"] });
    assert.equal(printed.trim(), rated.trim());
  }
  assert.deepEqual(errors, []);
  await context.close();
});

test("findings stand at their places, and words are completed and explained", async () => {
  const { context, page, errors } = await open("example=five-lines");
  await write(page, "// ü🎲\nfn answer(view, ask) { ask.randon() }");
  await verdict(page, /1 error/);
  const marked = () => page.evaluate(() => [.../** @type {any} */ (document.querySelector("#editor")).shadowRoot.querySelectorAll(".cm-lintRange-error")].map((part) => part.textContent));
  assert.deepEqual(await marked(), ["randon"]);
  assert.match(await page.textContent("#findings") ?? "", /five-lines:2:28 .*\n.*did you mean `random`/);
  await page.click("#findings button");
  await page.keyboard.press("F1");
  await page.waitForFunction(() => /Nothing is known about “randon”/.test(document.querySelector("#docs")?.textContent ?? ""));
  await write(page, "fn answer(view, ask) { ask.rand");
  await page.keyboard.press("Control+Space");
  await page.waitForFunction(() => /** @type {any} */ (document.querySelector("#editor")).shadowRoot.querySelector(".cm-tooltip-autocomplete li[aria-selected]"));
  // An Enter at once would be one that was meant for the text.
  await page.waitForTimeout(200);
  await page.keyboard.press("Enter");
  await paste(page, "() }");
  await verdict(page, /no findings/);
  // A word is explained by what it is where it stands: a function, an object, a hook.
  for (const [word, text] of [["random", "ask\\.random\\(\\)"], ["ask)", "the rules offer now"], ["answer", "no function of its own"], ["deploy", "phase of that name"]]) {
    if (word === "deploy") await write(page, "fn deploy(view, ask) { ask.random() }");
    await page.evaluate((word) => {
      const { view } = /** @type {any} */ (globalThis).workshop.editor;
      view.dispatch({ selection: { anchor: view.state.doc.toString().indexOf(word) + 1 } });
    }, word);
    await focus(page);
    await page.keyboard.press("F1");
    await page.waitForFunction((text) => new RegExp(text).test(document.querySelector("#docs")?.textContent ?? ""), text);
  }
  assert.deepEqual(errors, []);
  await context.close();
});

test("a link takes the files and the moment along, and replaces nothing that a friend keeps", async () => {
  const { context, page, errors } = await open("example=income");
  await write(page, LESS);
  await verdict(page, /no findings/);
  await page.waitForFunction(() => /same dice/.test(document.querySelector("#moment")?.textContent ?? ""));
  const board = await game(page);
  await board.waitForFunction(() => /** @type {any} */ (globalThis).risk?.now?.question);
  await page.click("#share");
  await page.waitForFunction(() => document.querySelector("#shared")?.textContent?.startsWith("Link copied"));
  const link = await page.evaluate(() => navigator.clipboard.readText());
  // The friend has a project with a file of that name.
  const other = await browser.newContext({ permissions });
  const first = await open("example=income", other);
  await write(first.page, `${LESS}// mine`);
  await verdict(first.page, /no findings/);
  const kept = () => first.page.evaluate(() => JSON.stringify({ ...localStorage }));
  const mine = await kept();
  const friend = await open(link.split("#")[1], other);
  await verdict(friend.page, /no findings/);
  assert.equal(await text(friend.page), LESS);
  assert.equal(await kept(), mine);
  await write(friend.page, `${LESS}// changed`);
  await verdict(friend.page, /no findings/);
  const both = JSON.parse(await kept());
  assert.equal(Object.keys(both).length, 2);
  for (const [key, value] of Object.entries(JSON.parse(mine))) assert.equal(both[key], value);
  // What is too long for a link says so, and is saved as files.
  await write(page, `${LESS}// ${Array.from({ length: 9000 }, (_, at) => Math.sin(at).toString(36).slice(3)).join("")}`);
  await page.click("#share");
  await page.waitForSelector("#trouble:not([hidden])");
  assert.match(await page.textContent("#trouble") ?? "", /characters[\s\S]*save the files/);
  // Its moves are kept nevertheless.
  await verdict(page, /no findings/);
  const long = await game(page);
  await long.waitForFunction(() => /** @type {any} */ (globalThis).risk.now.question);
  await long.click("#auto");
  await page.waitForFunction(() => /** @type {any} */ (document.querySelector("#game"))?.contentWindow.location.hash.includes("answers"));
  await focus(page);
  await page.keyboard.press("Control+End");
  await paste(page, "\n// more");
  await page.waitForFunction(() => document.querySelector("#moment")?.textContent?.includes("same moment"));
  const [file] = await Promise.all([page.waitForEvent("download"), page.evaluate(() => /** @type {any} */ (document.querySelector("#save-all")).click())]);
  assert.equal(file.suggestedFilename(), "half.rhai");
  const saved = await file.path();
  const again = await open("");
  await again.page.setInputFiles("#begin .files", { name: "half.rhai", mimeType: "text/plain", buffer: readFileSync(saved) });
  await again.page.waitForSelector("#bench:not([hidden])");
  assert.equal(await text(again.page), readFileSync(saved, "utf8"));
  assert.deepEqual([...errors, ...first.errors, ...friend.errors, ...again.errors], []);
  for (const one of [context, other, again.context]) await one.close();
});

test("shipped files become copies of one's own when they are changed", async () => {
  const { context, page, errors } = await open("ruleset=codelab&bot=human&bot=greedy&seed=s");
  assert.match(await page.textContent("#whose") ?? "", /as everybody has it/);
  const names = () => page.evaluate(() => /** @type {any} */ (globalThis).workshop.bench.project);
  await change(page, "bot", "greedy", "// mine\n");
  await change(page, "map", "world", "\n# mine\n");
  const { table, files } = await names();
  assert.deepEqual([table.bots, table.map], [["human", "my-greedy"], "my-world"]);
  assert.deepEqual(files.map((/** @type {any} */ file) => file.name), ["my-greedy", "my-world"]);
  await page.click("#rename");
  await page.waitForFunction(() => /** @type {any} */ (document.querySelector("#file")).value === "renamed");
  assert.equal((await names()).table.map, "renamed");
  await page.click("#delete");
  await page.waitForFunction(() => /** @type {any} */ (globalThis).workshop.bench.project.files.length === 1);
  await game(page);
  assert.equal(await page.textContent("#trouble"), "");
  assert.deepEqual(errors, []);
  await context.close();
});

test("a link’s options, players and game stay when a file is changed, and options have a form", async () => {
  const { context, page, errors } = await open("ruleset=hasbro&option=max_turns%3D40&bot=name%3DAnn%2Cbot%3Dhuman&bot=name%3DZed%2Cbot%3Dgreedy&players=3&seed=s&game=2");
  const table = () => page.evaluate(() => /** @type {any} */ (globalThis).workshop.bench.project.table);
  await game(page);
  const seats = await page.locator("#seats select").evaluateAll((lists) => lists.map((list) => /** @type {any} */ (list).value));
  assert.deepEqual(seats.slice(0, 2), ["human", "greedy"]);
  await change(page, "bot", "greedy", "// mine\n");
  const { bots, options, game: number } = await table();
  assert.deepEqual([bots.length, bots[0], bots[1], options, number], [3, "name=Ann,bot=human", "name=Zed,bot=my-greedy", { max_turns: "40" }, "2"]);
  await page.evaluate(() => { for (const box of document.querySelectorAll("#table, #of-options")) /** @type {any} */ (box).open = true; });
  const field = page.getByLabel(/^max turns/);
  assert.equal(await field.inputValue(), "40");
  await field.fill("1");
  await field.press("Tab");
  await page.getByLabel(/^trades/).selectOption("once");
  await page.waitForFunction(() => /max_turns%3D1&option=trades%3Donce/.test(/** @type {any} */ (document.querySelector("#game"))?.contentWindow.location.hash));
  assert.equal((await table()).game, "");
  await page.fill("#games", "3");
  await page.click("#many");
  await idle(page);
  assert.match(await page.textContent("#results code") ?? "", /--option max_turns=1 --option trades=once --bot general --bot name=Zed,bot=\.\/my-greedy\.rhai/);
  assert.match(await page.textContent("#difference") ?? "", /None of the 3 games has a winner/);
  // Options are changes, too.
  await page.click("#change");
  await page.waitForFunction(() => /A game lasts 1\.0 rounds and 1\.0 turns now/.test(document.querySelector("#difference")?.textContent ?? ""));
  await picture(page, "options");
  assert.deepEqual(errors, []);
  await context.close();
});

test("rules with errors stay the rules of their project, and large texts are not kept", async () => {
  const { context, page } = await open("example=income");
  const table = () => page.evaluate(() => /** @type {any} */ (globalThis).workshop.bench.project.table);
  const { ruleset } = await table();
  await write(page, `${LESS}fn broken( {`);
  await verdict(page, /1 error/);
  await page.reload();
  await page.waitForSelector("#trouble:not([hidden])");
  await page.evaluate(() => { /** @type {any} */ (document.querySelector("#table")).open = true; });
  await page.fill("#seed", "other");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#trouble:not([hidden])");
  assert.deepEqual([(await table()).ruleset, await page.inputValue("#ruleset")], [ruleset, ruleset]);
  await write(page, LESS);
  await game(page);
  await write(page, "// much\n".repeat((1 << 17) + 1));
  await page.waitForFunction(() => /1 MiB/.test(document.querySelector("#trouble")?.textContent ?? ""));
  assert.equal(await text(page), LESS);
  await context.close();
});

test("the page says which file the game uses, and a friend watches the same step", async () => {
  const { context, page, errors } = await open("example=five-lines");
  const bots = () => page.evaluate(() => /** @type {any} */ (globalThis).workshop.bench.project.table.bots);
  const moment = (/** @type {RegExp} */ pattern) => page.waitForFunction((source) => new RegExp(source).test(document.querySelector("#moment")?.textContent ?? ""), pattern.source);
  await game(page);
  assert.ok(await page.isHidden("#unused"));
  await page.click("#new");
  await moment(/mine sits at seat 1/);
  await page.selectOption("#file", "five-lines");
  await page.click("#use");
  await moment(/five-lines sits at seat 1/);
  assert.ok(await page.isHidden("#unused"));
  await page.click("#delete");
  await page.waitForFunction(() => /** @type {any} */ (globalThis).workshop.bench.project.files.length === 1);
  assert.equal((await bots())[0], "mine");
  await moment(/mine sits at seat 1/);
  const board = await game(page);
  await board.evaluate(() => /** @type {any} */ (globalThis).risk.go(20));
  await page.click("#share");
  await page.waitForFunction(() => document.querySelector("#shared")?.textContent?.startsWith("Link copied"));
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const friend = await open(link.split("#")[1], context);
  const same = await game(friend.page);
  await same.waitForFunction(() => /** @type {any} */ (globalThis).risk.now.at === 20);
  assert.equal(await friend.page.textContent("#moment"), "");
  await page.click("#new");
  await page.waitForFunction(() => document.querySelector("#shared")?.textContent === "");
  assert.deepEqual([...errors, ...friend.errors], []);
  await context.close();
});

test("a game that is slow to begin gives way to the next one", async () => {
  const { context, page } = await open("ruleset=hasbro&bot=search%3Adeep&bot=search%3Adeep&seed=s");
  await page.evaluate(() => { /** @type {any} */ (document.querySelector("#table")).open = true; });
  for (const seat of [1, 2]) await page.getByLabel(`Seat ${seat}`, { exact: true }).selectOption("random");
  await game(page);
  assert.match(await page.evaluate(() => /** @type {any} */ (document.querySelector("#game")).src), /bot=random&bot=random/);
  assert.equal(await page.textContent("#trouble"), "");
  await context.close();
});

test("every example opens without an error", async () => {
  const { examples } = JSON.parse(readFileSync(join(site, "workshop.json"), "utf8"));
  const context = await browser.newContext();
  for (const { id, group } of examples) {
    // All have the same form: of each kind, some are opened each time.
    if (!process.env.RISK_EVERY_CASE && group !== "Begin here" && !/hasbro|starwars$|warlord/.test(id)) continue;
    const { page, errors } = await open(`example=${id}`, context);
    await game(page);
    await verdict(page, /^[\w-]+: (no findings|\d+ warning)/);
    assert.ok(await page.isHidden("#trouble"), id);
    assert.deepEqual(errors, [], id);
    await page.close();
  }
  await context.close();
});

test("games in progress are stopped, odds and luck are shown", async () => {
  const { context, page, errors } = await open("example=five-lines");
  await page.fill("#games", "100000");
  await page.click("#many");
  await page.waitForFunction(() => Number(/** @type {any} */ (document.querySelector("#progress")).value) > 0);
  await page.click("#stop");
  await idle(page);
  const played = Number(/of (\d+) games|(\d+) games/.exec(await page.textContent("#results pre") ?? "")?.slice(1).find(Boolean));
  assert.ok(played > 0 && played < 100_000);
  assert.ok(await page.isHidden("#trouble"));
  await page.click("#fight button");
  await page.waitForFunction(() => /10 against 8: .* %/.test(document.querySelector("#results")?.textContent ?? ""));
  await game(page);
  await page.click("#analyse");
  await page.waitForFunction(() => /chance of winning/.test(document.querySelector("#results")?.textContent ?? ""));
  await idle(page);
  assert.deepEqual(errors, []);
  await context.close();
});

test("keys alone change a rule and play games, on a narrow screen", async () => {
  const context = await browser.newContext({ viewport: { width: 390, height: 800 }, permissions });
  const { page, errors } = await open("", context);
  /** Presses Tab until something has the focus. @param {string} selector */
  const reach = async (selector) => {
    for (let keys = 0; keys < 150; keys += 1) {
      if (await page.evaluate((selector) => document.activeElement?.matches(selector), selector)) return;
      await page.keyboard.press("Tab");
    }
    assert.fail(`no key reaches ${selector}`);
  };
  await reach('#examples a[href="#example=income"]');
  await page.keyboard.press("Enter");
  await page.waitForSelector("#bench:not([hidden])");
  await picture(page, "narrow");
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await reach('[role="tab"][aria-selected="true"]');
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => document.activeElement?.id === "tab-map");
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(() => document.activeElement?.id === "tab-ruleset");
  await reach("#editor");
  await page.keyboard.press("Control+a");
  await paste(page, LESS);
  await verdict(page, /no findings/);
  await reach("#to-numbers").catch(() => {});
  await page.evaluate(() => scrollTo(0, 0));
  await reach('#screens button:nth-child(3)').catch(async () => {
    await page.focus('#screens button:nth-child(3)');
  });
  await page.keyboard.press("Enter");
  await reach("#games");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("4");
  await reach("#many");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => /4 games/.test(document.querySelector("#results pre")?.textContent ?? ""));
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await picture(page, "narrow-numbers");
  assert.deepEqual(errors, []);
  await context.close();
});

const MARKUP = '<img src=x onerror="hacked=1"><script>hacked=1</script>';
test("hostile texts run nowhere, and are refused in words", async () => {
  const { context, page } = await open("example=five-lines");
  const isSafe = async (/** @type {string} */ what) => {
    assert.equal(await page.evaluate(() => /** @type {any} */ (globalThis).hacked), undefined, what);
    assert.equal(await page.evaluate(() => document.querySelectorAll("main img, main script").length), 0, what);
  };
  await page.click("#bar summary");
  await page.fill("#title", MARKUP.slice(0, 80));
  for (const script of [MARKUP, `fn answer(view, ask) { throw \`${MARKUP}\`; }`, `// ${"x".repeat(300_000)}`, "fn answer(view, ask) { while true { } }", "\u0000\u202e"]) {
    await write(page, script);
    await verdict(page, /: /);
    await isSafe(script.slice(0, 60));
  }
  await write(page, `fn answer(view, ask) { debug("${MARKUP.replaceAll('"', "'")}"); while true { } }`);
  await verdict(page, /error|warning/);
  await page.fill("#games", "2");
  await page.click("#many");
  await idle(page);
  await isSafe("games");
  for (const [selector, value] of [["#games", "-1"], ["#attackers", "0"], ["#defenders", "1001"]]) {
    await page.fill(selector, value);
    await page.click(selector === "#games" ? "#many" : "#fight button");
    await page.fill(selector, "2");
  }
  await page.evaluate(() => { /** @type {any} */ (document.querySelector("#table")).open = true; });
  await page.fill("#seed", `${MARKUP}&bot=cmd:sh`);
  await page.keyboard.press("Enter");
  await page.waitForSelector("#trouble:not([hidden])");
  await isSafe("seed");
  await page.fill("#seed", "plain");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#trouble", { state: "hidden" });
  await page.setInputFiles("#bench .files", { name: `${MARKUP}.rhai`, mimeType: "text/plain", buffer: Buffer.from(MARKUP) });
  await page.waitForFunction(() => /** @type {any} */ (globalThis).workshop.bench.project.files.length === 2);
  await isSafe("file");
  await page.setInputFiles("#bench .files", { name: "x.exe", mimeType: "text/plain", buffer: Buffer.from("MZ") });
  await page.waitForFunction(() => /no ruleset, bot, map/.test(document.querySelector("#trouble")?.textContent ?? ""));
  // What a browser has kept may be damaged, or written by others.
  await page.evaluate((markup) => {
    localStorage.setItem("risk-project-broken", "{");
    localStorage.setItem("risk-project-wrong", "[1]");
    localStorage.setItem("risk-project-markup", JSON.stringify({ title: markup, files: [{ kind: "bot", name: markup, text: markup }], table: { bots: [markup], ruleset: markup } }));
  }, MARKUP);
  const other = await open("", context);
  assert.equal(await other.page.locator("#kept li").count(), 4);
  assert.equal(await other.page.evaluate(() => /** @type {any} */ (globalThis).hacked), undefined);
  for (const hash of ["project=markup", "project=broken", "project=nosuch", "example=nosuch", `ruleset=${encodeURIComponent(MARKUP)}`, "ruleset=hasbro&files=AAAA", "ruleset=hasbro&bot=cmd%3Ash", "&&&=%ff"]) {
    const { page } = await visit(context, `${home}workshop.html#${hash}`);
    await page.waitForFunction(() => !(/** @type {any} */ (document.querySelector("#trouble")).hidden) || !(/** @type {any} */ (document.querySelector("#begin")).hidden));
    assert.equal(await page.evaluate(() => /** @type {any} */ (globalThis).hacked), undefined, hash);
    assert.equal(await page.evaluate(() => document.querySelectorAll("main img, main script").length), 0, hash);
    await page.close();
  }
  await context.close();
});

test("axe finds nothing moderate in the workshop, wide and narrow, light and dark", async () => {
  const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  for (const [width, colorScheme] of LOOKS) {
    const context = await browser.newContext({ viewport: { width, height: 844 }, colorScheme, bypassCSP: true, permissions });
    for (const hash of ["", "example=five-lines", "example=drawn"]) {
      const { page } = await open(hash, context);
      if (hash === "example=five-lines") {
        await write(page, "fn answer(view, ask) { ask.randon() }");
        await verdict(page, /error/);
        await page.keyboard.press("F1");
        await page.waitForSelector("#docs:not([hidden])");
      }
      await page.evaluate(() => { for (const box of document.querySelectorAll("details")) box.open = true; });
      await page.evaluate(axe);
      const found = await page.evaluate(async () => {
        const { violations } = await /** @type {any} */ (globalThis).axe.run({ include: [["body"]], exclude: [["#game"]] }, { resultTypes: ["violations"] });
        return violations.filter(({ impact }) => impact !== "minor").map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 120))}`);
      });
      assert.deepEqual(found, [], `${hash} ${width} ${colorScheme}`);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${hash} is wider than ${width}`);
      await picture(page, `${hash.slice(8) || "begin"}-${width}-${colorScheme}`);
      await page.close();
    }
    await context.close();
  }
});
