// The engine as pages use it: requests to a Web Worker.

/** @typedef {import("#playground/types").Request} Request */
/** @typedef {import("#playground/types").Answer} Answer */

import { load } from "#playground/load";

const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
const waiting = /** @type {Map<number, { done: (answer: Answer) => void, fail: (error: Error) => void }>} */ (new Map());
let last = 0;

worker.addEventListener("message", ({ data: { id, answer } }) => {
  waiting.get(id)?.done(answer);
  waiting.delete(id);
});
/** @param {string} why */
function giveUp(why) {
  for (const { fail } of waiting.values()) fail(new Error(why));
  waiting.clear();
}
worker.addEventListener("error", (event) => giveUp(event.message || "the engine can't be started in this browser"));
load("playground.wasm").then((module) => worker.postMessage({ module }), (error) => giveUp(error.message));

/**
 * Sends a request, and returns the reply.
 * @param {Request} request
 * @returns {Promise<any>}
 */
export async function ask(request) {
  last += 1;
  const id = last;
  const answer = await new Promise((done, fail) => {
    waiting.set(id, { done, fail });
    worker.postMessage({ id, request });
  });
  if (answer.reply === "error") throw Object.assign(new Error(answer.text.trim()), { code: answer.code, refused: true });
  return answer;
}
