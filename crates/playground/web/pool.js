// Work in pieces on several engines. The result depends neither on their number nor on their speed.

import { Engine } from "#playground/engine";

/** @typedef {import("#playground/types").Request} Request */
/** @typedef {import("#playground/types").OwnFile} OwnFile */
/** @typedef {import("#playground/types").Summary} Summary */

const MOST_ENGINES = 8;
/** An engine gets as many pieces at once as it plays in about this time, in milliseconds. */
const AT_ONCE = 250;
const MOST_AT_ONCE = 200;

/**
 * Plays pieces of work, and returns how it stands at the end.
 * @param {{ module: Promise<WebAssembly.Module>, hasTools?: boolean, files?: OwnFile[], begin: Request, most: number,
 *   show: (summary: Summary, all: number) => void, signal?: AbortSignal }} work `most`: the number of pieces, unless fewer
 *   are enough
 * @returns {Promise<Summary | null>} null if it was stopped before the first piece
 */
export async function play({ module, hasTools, files = [], begin, most, show, signal }) {
  const engines = Array.from({ length: Math.min(MOST_ENGINES, navigator.hardwareConcurrency || 2) }, () => new Engine(module, hasTools));
  const stop = () => { for (const engine of engines) engine.stop(); };
  signal?.addEventListener("abort", stop);
  let all = most;
  let [next, counted] = [0, 0];
  let last = /** @type {Summary | null} */ (null);
  const results = /** @type {Map<number, string[]>} */ (new Map());
  let counting = Promise.resolve();

  const begun = (/** @type {Engine} */ engine) => Promise.all(files.map((file) => engine.ask({ ask: "add", ...file }))).then(() => engine.ask(begin));
  // The first engine counts, also for others that have begun earlier.
  const counter = begun(engines[0]);
  const count = async () => {
    await counter;
    for (let found = results.get(counted); found && !last?.over; found = results.get(counted)) {
      results.delete(counted);
      counted += found.length;
      last = /** @type {Summary} */ (await engines[0].ask({ ask: "count", results: found }));
      show(last, all);
    }
  };
  const work = async (/** @type {Engine} */ engine) => {
    const { pieces } = await (engine === engines[0] ? counter : begun(engine));
    all = Math.min(most, pieces ?? most);
    for (let size = 1; next < all && !last?.over;) {
      const [from, began] = [next, performance.now()];
      next = Math.min(all, next + size);
      const reply = await engine.ask({ ask: "pieces", from, count: next - from });
      results.set(from, reply.results);
      counting = counting.then(count);
      await counting;
      if (performance.now() - began < AT_ONCE) size = Math.min(MOST_AT_ONCE, 2 * size);
    }
  };
  try {
    await Promise.all(engines.map(work));
  } catch (error) {
    if (!signal?.aborted) throw error;
  } finally {
    signal?.removeEventListener("abort", stop);
    stop();
  }
  return last;
}
