// The engine of a page's game.

import { Engine } from "#playground/engine";
import { load } from "#playground/load";

/** @typedef {import("#playground/types").Request} Request */

const shared = new Engine(load("playground.wasm"), false, !location.search.startsWith("?workshop"));

/**
 * Sends a request to the engine of the page's game, and returns the reply.
 * @param {Request} request
 * @returns {Promise<any>}
 */
export const ask = (request) => shared.ask(request);
