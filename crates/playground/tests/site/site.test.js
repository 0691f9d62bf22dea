// The site of the playground in a browser: `node --test crates/playground/tests/site/site.test.js` after `.ci/site`.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { LOOKS, asked, launch, question, serve, visit } from "./browser.js";

const root = join(import.meta.dirname, "..", "..", "..", "..");
/** @type {import("playwright-core").Browser} */
let browser;
let server;
let home = "";
const site = process.env.RISK_SITE ?? join(root, "target", "site");
/** Files that the server has beside those of the site. @type {Record<string, string>} */
const more = {};

before(async () => {
  ({ server, home } = await serve(site, more));
  browser = await launch();
});
after(async () => {
  await browser.close();
  server.closeAllConnections();
  server.close();
});

/** @param {string} file @param {string} name of a script in a guide */
const scriptOf = (file, name) => readFileSync(join(root, file), "utf8").split(`\`\`\`rhai ${name}\n`)[1].split("\n```")[0];
/** Each player orders one march, and all armies march at once. */
const MEET = { name: "meet.rhai", text: scriptOf("docs/rulesets.md", "meet.rhai") };
/** Players take free land, and never fight. */
const RUSH = {
  name: "rush.rhai",
  text: `fn ruleset() { #{ name: "rush", players: [2, 4], map: "ring", units: ["flag"], verbs: #{ take: #{ at: "territory" } },
    phases: #{ expand: script(), turn_end: standard("next_turn") }, turn: ["expand", "turn_end"], bots: ["random"],
    endings: #{ full: "all land is taken" } } }
  fn setup(g) { for who in g.players { g.give(who * 7, who); } g.push(TURN_END_PHASE, NOBODY); }
  fn expand_options(g, me, out) { for at in 0..TERRITORIES { if g.owner(at) == NOBODY { out.offer(TAKE, at); } } }
  fn expand_apply(g, me, said) {
    g.give(said.at, me);
    g.done(me);
    let free = 0;
    for at in 0..TERRITORIES { if g.owner(at) == NOBODY { free += 1; } }
    if free == 0 { g.end("full", [0]); }
  }`,
};

/** @param {{ name: string, text: string }[]} files */
const payloads = (files) => files.map(({ name, text }) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) }));

/** Opens a link; files are dropped on the first page before. @param {string} link @param {typeof MEET[]} [files] */
async function open(link, files = [], options = {}) {
  const context = await browser.newContext(options);
  const { page, errors } = await visit(context, home);
  if (files.length) {
    await page.setInputFiles("#file", payloads(files));
    // A site for tests has no tools to check them.
    await page.waitForFunction((count) => document.querySelectorAll("#kept li").length === count
      && (document.querySelector("#findings")?.textContent || document.querySelector("#trouble")?.textContent), files.length);
  }
  await page.goto(`${home}play.html#${link}`);
  return { context, page, errors };
}

/** Answers by clicks: the first choice of each list; the bot goes on with long phases. @param {import("playwright-core").Page} page */
async function click(page, leaves) {
  const before = await question(page);
  if (leaves && await page.isEnabled("#auto")) {
    await page.click("#auto");
  } else {
    for (let choices = 0; choices < 8 && await question(page) === before; choices += 1) {
      const button = page.locator("#step .choices button, #step .go, #verbs button").first();
      await button.click({ timeout: 10_000 }).catch(() => {});
      await page.waitForFunction(() => !(/** @type {any} */ (globalThis).risk.busy));
    }
  }
  await page.waitForFunction((old) => {
    const { now, answered } = /** @type {any} */ (globalThis).risk;
    return now.end || (now.question && now.question.id !== old && now.question.id !== answered);
  }, before);
}

const GAMES = [
  { link: "ruleset=hasbro&bot=human&bot=general&bot=general&option=max_turns=12&seed=site", files: [] },
  { link: "ruleset=warzone&bot=human&bot=marshal&option=max_turns=3&seed=site", files: [] },
  { link: "ruleset=starwars&bot=human&bot=admiral&option=max_turns=4&seed=site", files: [] },
  { link: "ruleset=meet&bot=human&bot=random&seed=site", files: [MEET] },
  { link: "ruleset=rush&bot=human&bot=random&seed=site", files: [RUSH] },
];
for (const [at, { link, files }] of GAMES.entries()) {
  // Usually, every other game is played by clicks, and the others by keys.
  const skips = (/** @type {boolean} */ isOther) => ({ skip: !process.env.RISK_EVERY_CASE && isOther && "with RISK_EVERY_CASE" });
  test(`a game is played by clicks, and its link opens elsewhere: ${link.split("&")[0]}`, skips(at % 2 === 1), async () => {
    const { context, page, errors } = await open(link, files);
    for (let answers = 0; !await asked(page); answers += 1) {
      assert.ok(answers < 300, "the game does not end");
      await click(page, answers % 4 !== 0 || answers > 20);
    }
    await page.click("#copy-link");
    await page.waitForFunction(() => document.querySelector("#kept-note")?.textContent);
    const sent = page.url();
    assert.deepEqual(errors, []);
    await context.close();
    const friend = await browser.newContext();
    const seen = await visit(friend, sent);
    assert.ok(await asked(seen.page), "the friend sees the end");
    assert.ok(await seen.page.isHidden("#alarm"));
    await seen.page.click("#copy-link");
    await seen.page.waitForFunction(() => document.querySelector("#kept-note")?.textContent);
    assert.equal(seen.page.url(), sent);
    assert.deepEqual(seen.errors, []);
    await friend.close();
  });

  test(`a game is played by keys alone: ${link.split("&")[0]}`, skips(at % 2 === 0), async () => {
    const { context, page, errors } = await open(link, files, { viewport: { width: 390, height: 800 }, hasTouch: true });
    for (let keys = 0, last = 0, stuck = 0; !await asked(page) && keys < 60; keys += 1) {
      const now = await question(page);
      stuck = now === last ? stuck + 1 : 0;
      last = now;
      assert.ok(stuck < 12, `no key answers question ${now}`);
      // A hint, and the key that plays it, answer anything; the usual way is Enter on the first choice.
      if (stuck > 6) {
        await page.keyboard.press("h");
        await page.waitForFunction(() => !(/** @type {any} */ (globalThis).risk.busy));
        await page.keyboard.press("t");
      } else {
        await page.keyboard.press(stuck % 2 ? "Tab" : "Enter");
      }
      await page.waitForTimeout(60);
    }
    assert.ok(await question(page) > 3 || await asked(page), "keys have answered several questions");
    assert.deepEqual(errors, []);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 390));
    await context.close();
  });
}

test("a level chooses the opponents, and people keep their seats", async () => {
  const context = await browser.newContext();
  const { page, errors } = await visit(context, home);
  await page.waitForSelector("#seats select");
  const seats = () => page.$$eval("#seats select", (lists) => lists.map((list) => /** @type {HTMLSelectElement} */ (list).value));
  assert.deepEqual(await seats(), ["human", "general", "general"]);
  await page.selectOption("#level", "easy");
  assert.deepEqual(await seats(), ["human", "outnumber", "outnumber"]);
  await page.selectOption("#seats li:nth-child(1) select", "odds");
  await page.selectOption("#seats li:nth-child(3) select", "human");
  await page.selectOption("#level", "hard");
  assert.deepEqual(await seats(), ["oracle", "oracle", "human"]);
  await page.selectOption("#ruleset", "warzone");
  await page.selectOption("#players", "2");
  assert.deepEqual(await seats(), ["human", "marshal"]);
  await page.selectOption("#level", "easy");
  assert.deepEqual(await seats(), ["human", "warlord"]);
  if (process.env.RISK_PICTURES) for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    writeFileSync(join(process.env.RISK_PICTURES, `start-${width}.png`), await page.screenshot());
  }
  assert.deepEqual(errors, []);
  await context.close();
});

test("a page that is loaded again goes on, and a changed digest is said", async () => {
  const { context, page, errors } = await open("ruleset=hasbro&bot=human&bot=general&bot=general&seed=again");
  await asked(page);
  for (let answers = 0; answers < 3; answers += 1) await click(page, true);
  const table = await page.textContent("#players");
  await page.reload();
  await asked(page);
  assert.equal(await page.textContent("#players"), table);
  assert.ok(await page.isHidden("#alarm"));
  await page.goto(page.url().replace(/digest=..../, "digest=0000"));
  await page.waitForSelector("#alarm:not([hidden])");
  assert.deepEqual(errors, []);
  await context.close();
});

test("a game between bots is watched, and its record is verified when it is dropped", async () => {
  const context = await browser.newContext({ acceptDownloads: true });
  const { page, errors } = await visit(context, `${home}replay.html#ruleset=codelab&bot=general&bot=greedy&seed=7`);
  await page.waitForFunction(() => document.querySelector("#verdict")?.textContent?.startsWith("Verified"));
  const verdict = await page.textContent("#verdict");
  const [file] = await Promise.all([page.waitForEvent("download"), page.click("#save-record")]);
  const record = readFileSync(await file.path(), "utf8");
  const other = await visit(context, `${home}replay.html`);
  await other.page.setInputFiles("#file", payloads([{ name: "game.jsonl", text: record }]));
  await other.page.waitForFunction(() => document.querySelector("#verdict")?.textContent?.startsWith("Verified"));
  assert.equal(await other.page.textContent("#verdict"), verdict);
  // The same record at an address of the site.
  more["games/one.jsonl"] = record;
  const named = await visit(context, `${home}replay.html?replay=games/one.jsonl`);
  await named.page.waitForFunction(() => document.querySelector("#verdict")?.textContent?.startsWith("Verified"));
  assert.equal(await named.page.textContent("#verdict"), verdict);
  const forged = record.replace(/"say":"place (\S+) (\d+)"/, '"say":"place $1 1$2"');
  const third = await visit(context, `${home}replay.html`);
  await third.page.setInputFiles("#file", payloads([{ name: "game.jsonl", text: forged }]));
  await third.page.waitForFunction(() => /Not verified/.test(document.querySelector("#verdict")?.textContent ?? "")
    || !(/** @type {any} */ (document.querySelector("#trouble"))?.hidden));
  assert.deepEqual([...errors, ...other.errors, ...third.errors], []);
  await context.close();
});

test("two people share a screen, and neither sees what the other one hides", async () => {
  const { context, page } = await open("ruleset=warzone&bot=name%3Dann%2Cbot%3Dhuman&bot=name%3Dbob%2Cbot%3Dhuman&map=four-corners&seed=two");
  for (const name of ["ann", "bob"]) {
    await page.waitForSelector("#pass[open]");
    assert.ok(await page.isHidden("#lines"));
    assert.equal(await page.textContent("#take"), `I am ${name}`);
    assert.equal(await page.evaluate(() => getComputedStyle(/** @type {Element} */ (document.querySelector("main"))).visibility), "hidden");
    await page.click("#take");
    await asked(page);
    assert.equal(await page.textContent("#who"), `: ${name}`);
    await page.click("#auto");
  }
  // Both are ready: the round goes on with the person at the screen.
  await page.waitForFunction(() => /** @type {any} */ (globalThis).risk.now?.question?.id > 1);
  await context.close();
});

test("files are checked, and a game becomes a page and an animation", { skip: !process.env.RISK_TOOLS }, async () => {
  const context = await browser.newContext({ acceptDownloads: true });
  const { page } = await visit(context, home);
  await page.setInputFiles("#file", payloads([{ ...RUSH, text: RUSH.text.replace("g.done(me)", "g.don(me)") }]));
  await page.waitForFunction(() => document.querySelector("#findings")?.textContent?.startsWith("Errors"));
  assert.match(await page.textContent("#findings") ?? "", /rush:\d+:\d+/);
  const game = await visit(context, `${home}play.html#ruleset=codelab&bot=human&bot=random&option=max_turns=4&seed=tools`);
  while (!await asked(game.page)) await click(game.page, true);
  const save = async (/** @type {string} */ button) => {
    const [file] = await Promise.all([game.page.waitForEvent("download"), game.page.click(button)]);
    return readFileSync(await file.path(), "latin1");
  };
  assert.ok((await save("#save-gif")).startsWith("GIF89a"));
  assert.ok((await save("#save-record")).startsWith('{"record"'));
  assert.ok((await save("#save-picture")).startsWith("<svg"));
  assert.ok((await save("#keep button")).startsWith("<!doctype html>"));
  await context.close();
});

test("the site works without a network after the first visit", async () => {
  const context = await browser.newContext();
  const first = await visit(context, home);
  await first.page.evaluate(() => navigator.serviceWorker.ready);
  await first.page.waitForFunction(() => navigator.serviceWorker.controller);
  await first.page.close();
  await context.setOffline(true);
  const { page, errors } = await visit(context, home);
  await page.waitForSelector("#seats select");
  await page.click("#begin");
  assert.equal(await asked(page), false);
  await page.click("#auto");
  await page.waitForFunction(() => /** @type {any} */ (globalThis).risk.now.question?.id > 1);
  assert.deepEqual(errors, []);
  await context.close();
});

test("a newer site says so, and does not mix with the older one in open tabs", async () => {
  const context = await browser.newContext();
  const first = await visit(context, home);
  await first.page.waitForFunction(() => navigator.serviceWorker.controller);
  const script = readFileSync(join(site, "sw.js"), "utf8");
  more["sw.js"] = script.replace(/risk-cli-site-\w+/, "risk-cli-site-newer");
  more["index.html"] = readFileSync(join(site, "index.html"), "utf8").replace("New game", "Newer game");
  more[""] = more["index.html"];
  await first.page.reload();
  await first.page.waitForFunction(() => /newer version/.test(document.querySelector("#version")?.textContent ?? ""));
  assert.equal(await first.page.textContent("#game-title"), "New game");
  await first.page.waitForFunction(async () => (await navigator.serviceWorker.getRegistration())?.waiting);
  for (const file of ["sw.js", "index.html", ""]) delete more[file];
  await context.close();
});

for (const link of ["ruleset=hasbro&bot=human&bot=general&bot=general&seed=crash", "ruleset=warzone&map=four-corners&bot=human&bot=human&seed=crash"]) test(`an engine that stops is replaced at the same moment of the same game: ${link.split("&")[0]}`, async () => {
  const context = await browser.newContext();
  // No script is known that stops the engine: here, a request does.
  await context.route("**/instance.js", async (route) => {
    const text = await (await route.fetch()).text();
    await route.fulfill({ contentType: "text/javascript", body: text.replace("playground_handle();",
      "if (JSON.stringify(request).includes('no such word')) throw new RangeError('Maximum call stack size exceeded'); playground_handle();") });
  });
  const { page } = await visit(context, `${home}play.html#${link}`);
  // Secret orders of one person are in no link before the other one is ready.
  const isSecret = link.includes("bot=human&bot=human");
  if (isSecret) await page.click("#take");
  await asked(page);
  const answer = async () => {
    if (!isSecret) return click(page, false);
    const before = await question(page);
    await page.fill("#words", "place amber home 1");
    await page.keyboard.press("Enter");
    await page.waitForFunction((old) => (/** @type {any} */ (globalThis).risk.now.question?.id ?? old) !== old, before);
  };
  for (let answers = 0; answers < 3; answers += 1) await answer();
  const units = () => page.evaluate(() => {
    const { states, orders } = /** @type {any} */ (globalThis).risk.now;
    return JSON.stringify([states, orders]);
  });
  const known = await units();
  await page.fill("#words", "no such word");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector("#alarm")?.textContent?.includes("started again"));
  assert.equal(await units(), known);
  await page.fill("#words", "");
  await answer();
  assert.notEqual(await units(), known);
  await context.close();
});

const WORK = {
  loop: "while true { }", hoard: "let a = []; while true { a.push([a, a]); }", recursion: "fn_of(1)",
  output: "while true { debug(view.territories(0)); }",
  strings: "let s = \"x\"; while true { s += s; }", deep: `${"(".repeat(60)}1${")".repeat(60)}`,
};
test("hostile scripts leave the page alive", async () => {
  for (const [name, work] of Object.entries(WORK)) {
    const text = `fn fn_of(n) { fn_of(n + 1) + fn_of(n + 2) }\nfn answer(view, ask) { ${work}; ask.nth(0) }`;
    const { context, page, errors } = await open(`ruleset=codelab&bot=human&bot=${name}&seed=h`, [{ name: `${name}.rhai`, text }]);
    // A script that can't be compiled is refused in words.
    const refused = page.waitForSelector("#trouble:not([hidden])").then(() => true, () => true);
    if (await Promise.race([refused, asked(page).then(() => false, () => false)])) {
      assert.match(await page.textContent("#trouble") ?? "", /script|rhai/, name);
      await context.close();
      continue;
    }
    await page.click("#auto");
    await page.waitForFunction(() => { const { now } = /** @type {any} */ (globalThis).risk; return now.end || now.question?.id > 1; });
    assert.deepEqual(errors, [], name);
    await context.close();
  }
});

const BASE = "ruleset=hasbro&bot=human&bot=general&bot=general";
const HOSTILE = [
  "ruleset=%3Cimg%20src%3Dx%20onerror%3Dhacked%3D1%3E", "ruleset=hasbro&map=%3Cscript%3Ehacked%3D1%3C%2Fscript%3E", "ruleset=nope",
  "v=2&ruleset=hasbro", "v=-1&ruleset=hasbro", "ruleset=hasbro&ruleset=warzone", `${BASE}&unknown=1`, `${BASE}&answers=____`,
  `${BASE}&answers=AAAA`, `${BASE}&files=${"A".repeat(20_000)}`, `${BASE}&seed=${"x".repeat(500)}`, `${BASE}&game=99999999999999999999`,
  `${BASE}&option=max_turns=999999999999`, `${BASE}&option=nonsense`, `ruleset=hasbro${"&bot=general".repeat(40)}`,
  "ruleset=hasbro&bot=cmd%3Ash", "ruleset=hasbro&bot=http%3A%2F%2Fexample.com", "ruleset=%2Fetc%2Fpasswd", `${BASE}&map=grid:99999x99999`,
  `${BASE}&players=0`, "javascript:alert(1)", "%00%ff%fe", `${BASE}&map=random:1000000000`, "=&=&=&",
];
test("hostile links are refused in words, and nothing in them runs", async () => {
  const context = await browser.newContext();
  for (const link of HOSTILE) {
    const { page } = await visit(context, `${home}play.html#${link}`);
    await page.waitForSelector("#trouble:not([hidden])");
    assert.ok((await page.textContent("#trouble"))?.length, link);
    assert.equal(await page.evaluate(() => /** @type {any} */ (globalThis).hacked), undefined, link);
    assert.equal(await page.locator("#trouble *").count(), 0, link);
    await page.close();
  }
  const name = encodeURIComponent("name=<b>x</b>,bot=human");
  const { page } = await visit(context, `${home}play.html#ruleset=codelab&bot=${name}&bot=random`);
  await page.waitForFunction(() => /** @type {any} */ (globalThis).risk?.now || !(/** @type {any} */ (document.querySelector("#trouble")).hidden));
  assert.equal(await page.locator("b", { hasText: /^x$/ }).count(), 0);
  const foreign = await visit(context, `${home}replay.html?replay=https://example.com/game.jsonl`);
  await foreign.page.waitForSelector("#trouble:not([hidden])");
  await context.close();
});

test("axe finds nothing moderate on any page, wide and narrow, light and dark", async () => {
  const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  const pages = [
    ["", "#seats select"], [`play.html#${BASE}&seed=axe`, "#step button"],
    ["replay.html#ruleset=codelab&bot=general&bot=odds&seed=axe", "main:not([hidden])"], ["replay.html", "#empty:not([hidden])"],
  ];
  for (const [width, colorScheme] of LOOKS) {
    const context = await browser.newContext({ viewport: { width, height: 844 }, colorScheme, bypassCSP: true });
    for (const [address, ready] of pages) {
      const { page } = await visit(context, home + address);
      await page.waitForSelector(ready);
      await page.evaluate(() => { for (const box of document.querySelectorAll("details")) box.open = true; });
      await page.evaluate(axe);
      const found = await page.evaluate(async () => {
        const { violations } = await /** @type {any} */ (globalThis).axe.run(document, { resultTypes: ["violations"] });
        return violations.filter(({ impact }) => impact !== "minor")
          .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 100))}`);
      });
      assert.deepEqual(found, [], `${address} ${width} ${colorScheme}`);
      const small = await page.evaluate(() => [...document.querySelectorAll("body *")].filter((part) => !part.closest("svg")
        && part.textContent?.trim() && !part.children.length && Number.parseFloat(getComputedStyle(part).fontSize) < 11).length);
      assert.equal(small, 0, `${address}: letters under 11 pixels`);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${address} is wider than ${width}`);
      if (process.env.RISK_PICTURES) {
        const name = `${address.split(/[.#]/)[0] || "index"}-${width}-${colorScheme}.png`;
        writeFileSync(join(process.env.RISK_PICTURES, name), await page.screenshot({ fullPage: width < 500 }));
      }
      await page.close();
    }
    await context.close();
  }
});
