// A static server for the site, and a browser that visits it.

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";

import { chromium } from "playwright-core";

const TYPES = /** @type {Record<string, string>} */ ({
  ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json", ".wasm": "application/wasm", ".svg": "image/svg+xml",
});

/**
 * Serves a folder below a path, as a forge does. Returns its address.
 * @param {string} folder
 * @param {Record<string, string>} [more] further files, by their paths in the folder
 */
export async function serve(folder, more = /** @type {Record<string, string>} */ ({})) {
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? "", "http://x").pathname)).replace(/^\/risk/, "");
    try {
      const own = more[path.slice(1)];
      if (own !== undefined) {
        response.writeHead(200, { "Content-Type": TYPES[extname(path)] ?? "text/plain" }).end(own);
        return;
      }
      const file = await readFile(join(folder, path.endsWith("/") ? `${path}index.html` : path));
      response.writeHead(200, { "Content-Type": TYPES[extname(path)] ?? "text/html" }).end(file);
    } catch {
      response.writeHead(404).end("no such file");
    }
  });
  await new Promise((done) => { server.listen(0, "127.0.0.1", () => done(undefined)); });
  const address = /** @type {import("node:net").AddressInfo} */ (server.address());
  return { server, home: `http://127.0.0.1:${address.port}/risk/` };
}

export const launch = () => chromium.launch({
  executablePath: process.env.RISK_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"],
});

/**
 * Opens a page that must log no error.
 * @param {import("playwright-core").BrowserContext} context
 * @param {string} address
 */
export async function visit(context, address) {
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  /** @type {string[]} */
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => { if (message.type() === "error") errors.push(message.text()); });
  await page.goto(address);
  return { page, errors };
}

/** @typedef {import("playwright-core").Page} Page */

/** Waits until a person is asked or the game is over. Returns whether it is over. @param {Page} page */
export async function asked(page) {
  await page.waitForFunction(() => {
    const { now, answered, busy } = /** @type {any} */ (globalThis).risk ?? {};
    return now?.end || (now?.question && now.question.id !== answered && !busy);
  });
  return page.evaluate(() => Boolean(/** @type {any} */ (globalThis).risk.now.end));
}

/** Returns how many answers the open game has, from its sheet. @param {Page} page */
export const question = (page) => page.evaluate(() => /** @type {any} */ (globalThis).risk.now.question?.id ?? 0);

/** The widths and colours in which pages are checked. They do not depend on each other, so usually two pairs of the four are enough. @type {[number, "light" | "dark"][]} */
export const LOOKS = process.env.RISK_EVERY_CASE ? [[1280, "light"], [1280, "dark"], [390, "light"], [390, "dark"]] : [[1280, "light"], [390, "dark"]];
