// The engine as pages use it: requests to a Web Worker.

/** @typedef {import("#playground/types").Request} Request */
/** @typedef {import("#playground/types").Answer} Answer */

/** An engine in a Web Worker of its own. */
export class Engine {
  /**
   * @param {Promise<WebAssembly.Module>} module
   * @param {boolean} [hasTools] whether the module has the tools
   * @param {boolean} [linksFiles] whether the links of moments have the files of the user
   */
  constructor(module, hasTools = false, linksFiles = true) {
    this.waiting = /** @type {Map<number, { done: (answer: Answer) => void, fail: (error: Error) => void }>} */ (new Map());
    this.last = 0;
    this.worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.worker.addEventListener("message", ({ data: { id, answer } }) => {
      this.waiting.get(id)?.done(answer);
      this.waiting.delete(id);
    });
    this.worker.addEventListener("error", (event) => this.giveUp(event.message || "the engine can't be started in this browser"));
    module.then((module) => this.worker.postMessage({ module, hasTools, linksFiles }), (error) => this.giveUp(error.message));
  }

  /** @param {string} why @param {boolean} [stopped] */
  giveUp(why, stopped = false) {
    for (const { fail } of this.waiting.values()) fail(Object.assign(new Error(why), { stopped }));
    this.waiting.clear();
  }

  /** Ends the engine at once, whatever it does. */
  stop() {
    this.worker.terminate();
    this.giveUp("stopped", true);
  }

  /**
   * Sends a request, and returns the reply.
   * @param {Request} request
   * @returns {Promise<any>}
   */
  async ask(request) {
    this.last += 1;
    const id = this.last;
    const answer = await new Promise((done, fail) => {
      this.waiting.set(id, { done, fail });
      this.worker.postMessage({ id, request });
    });
    if (answer.reply === "error") throw Object.assign(new Error(answer.text.trim()), { code: answer.code, refused: true });
    return answer;
  }
}
