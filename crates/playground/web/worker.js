// The engine in a Web Worker: one request at a time. An instance of the module that fails is replaced by a new one,
// which goes on with the same files and the same moment of the same game.

/** @typedef {import("#playground/types").Request} Request */
/** @typedef {import("#playground/types").Answer} Answer */

import { Instance } from "#playground/instance";
import { load } from "#playground/load";

/** The memory of an instance never shrinks: with more than this, the next game gets a new instance. */
const LARGEST = 256 << 20;
/** Set-ups of games live as long as their instance. */
const MOST_OPENED = 100;

/** The requests that only the module with the tools fulfils. It is loaded for the first of them. */
const OF_TOOLS = ["check-ruleset", "check-bot", "check-map", "import-map", "page", "gif"];
/** The requests that keep something until the instance is gone. */
const BEGIN = ["open", "match", "compare", "rate", "analyse"];

/** The page loads the module: it begins with that before this script is here. */
const module = /** @type {Promise<WebAssembly.Module>} */ (new Promise((done) => {
  addEventListener("message", ({ data }) => {
    if (!data.module) return;
    ({ hasTools, linksFiles } = data);
    done(data.module);
  });
}));
/** `true` if that module has the tools. */
let hasTools = false;
/** `true` if the links of moments have the files of the user: those of the workshop are in its project. */
let linksFiles = true;
let tools = /** @type {Promise<WebAssembly.Module> | null} */ (null);
/** @type {Instance | null} */
let instance = null;
let opened = 0;
const files = /** @type {Map<string, Request>} */ (new Map());
/** The open game: a link, and what people said since. */
let game = /** @type {{ link: string, said: Request[] } | null} */ (null);

/** Starts an instance with the files and the game so far. */
async function renew() {
  instance = new Instance(await WebAssembly.instantiate(await module, {}));
  opened = 0;
  for (const file of files.values()) instance.ask(file);
  if (!game) return;
  instance.ask({ ask: "open", link: game.link });
  for (const said of game.said) {
    // The new instance counts its questions from the beginning.
    const { sheet } = instance.ask({ ask: "look", seat: said.seat, epoch: 0, from: 0 });
    const request = { .../** @type {object} */ (said.request), question: sheet?.question?.id };
    instance.ask({ ...said, request });
  }
}

/**
 * Keeps what a new instance needs to go on.
 * @param {Request} request
 * @param {Answer} answer
 */
function keep(request, answer) {
  if (request.ask === "add" && answer.reply === "done") files.set(`${request.kind} ${request.name}`, request);
  if (answer.reply === "opened") game = { link: String(request.link), said: [] };
  if (answer.reply !== "said" || !game) return;
  game.said.push(request);
  if (!answer.saved) return;
  const link = instance?.ask({ ask: "link", files: linksFiles });
  if (link?.reply !== "text") return;
  game = { link: String(link.text), said: [] };
  // The page's address follows the game.
  answer.link = link.text;
}

/**
 * Fulfils a request with an instance of its own, which is gone afterwards.
 * @param {Request} request
 * @returns {Promise<Answer>}
 */
async function useTool(request) {
  tools ??= load("tools.wasm");
  tools.catch(() => { tools = null; });
  const tool = new Instance(await WebAssembly.instantiate(await tools, {}));
  for (const file of files.values()) tool.ask(file);
  try {
    return tool.ask(request);
  } catch {
    return { reply: "error", code: "playground::crashed", text: `The engine stopped: ${tool.lastWords}` };
  }
}

/**
 * @param {Request} request
 * @returns {Promise<Answer>}
 */
async function handle(request) {
  if (OF_TOOLS.includes(request.ask) && !hasTools) return useTool(request);
  const begins = BEGIN.includes(request.ask);
  if (begins) {
    game = null;
    opened += 1;
  }
  try {
    if (!instance || (begins && (instance.size > LARGEST || opened > MOST_OPENED))) await renew();
    const answer = /** @type {Instance} */ (instance).ask(request);
    keep(request, answer);
    return answer;
  } catch (error) {
    const why = instance?.lastWords ?? String(error);
    instance = null;
    const known = game;
    try {
      await renew();
    } catch {
      [instance, game] = [null, null];
    }
    const rest = known && !game ? " The game can't go on: open its link again." : "";
    return { reply: "error", code: "playground::crashed", text: `The engine stopped and was started again: ${why}${rest}` };
  }
}

let last = Promise.resolve();
addEventListener("message", ({ data: { id, request } }) => {
  if (!request) return;
  last = last.then(async () => {
    const failed = (/** @type {unknown} */ error) => ({ reply: "error", code: "playground::load", text: String(error) });
    postMessage({ id, answer: await handle(request).catch(failed) });
  });
});
