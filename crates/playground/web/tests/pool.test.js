import assert from "node:assert/strict";
import test from "node:test";

import { play } from "#playground/pool";

/** The replies of an engine that plays pieces 0, 1, 2 …, and counts them once its work has begun. */
class Engine {
  /** @type {Engine[]} */
  static all = [];
  static hasPlayed = () => {};
  /** Resolved when the second engine has played. */
  static played = new Promise((done) => { Engine.hasPlayed = () => done(null); });

  constructor() {
    this.number = Engine.all.push(this) - 1;
    this.work = false;
    this.counted = 0;
    this.last = Promise.resolve();
    this.listen = (/** @type {any} */ _) => {};
  }

  /** @param {string} kind @param {(event: any) => void} listener */
  addEventListener(kind, listener) {
    if (kind === "message") this.listen = listener;
  }

  /** @param {any} message */
  postMessage({ id, request }) {
    if (!request) return;
    this.last = this.last.then(async () => this.listen({ data: { id, answer: await this.answer(request) } }));
  }

  /** @param {any} request */
  async answer({ ask, from, count, results }) {
    // The first engine is slow to begin.
    if (ask === "add" && this.number === 0) await Engine.played;
    if (ask === "match") this.work = true;
    if (ask === "add" || ask === "match") return { reply: "work", pieces: null };
    if (!this.work) return { reply: "error", code: "playground::match", text: "no work has begun" };
    if (ask === "pieces") {
      if (this.number === 1) setTimeout(Engine.hasPlayed);
      return { reply: "results", results: Array.from({ length: count }, (_, at) => String(from + at)) };
    }
    for (const result of results) assert.equal(result, String(this.counted++));
    return { reply: "summary", pieces: this.counted, over: false, text: "", document: {} };
  }

  terminate() {}
}

test("an engine that begins late counts the pieces of the others, each once and in order", async () => {
  Object.assign(globalThis, { Worker: Engine });
  Object.defineProperty(globalThis, "navigator", { value: { hardwareConcurrency: 2 }, configurable: true });
  const files = [{ kind: /** @type {const} */ ("bot"), name: "mine", text: "" }];
  const last = await play({ module: Promise.resolve(/** @type {any} */ (null)), files, begin: { ask: "match" }, most: 500, show: () => {} });
  assert.equal(last?.pieces, 500);
});
