// An instance of the engine's module. docs/playground.md describes its functions.

/** @typedef {import("#playground/types").Request} Request */
/** @typedef {import("#playground/types").Answer} Answer */

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Instance {
  /** @param {WebAssembly.Instance} instance */
  constructor(instance) {
    /** @type {any} */
    this.exports = instance.exports;
    /** What the module said before it failed, if it did. @type {string | null} */
    this.lastWords = null;
  }

  /** The size of its memory, in bytes. */
  get size() {
    return this.exports.memory.buffer.byteLength;
  }

  /**
   * Sends a request and returns the reply.
   * @param {Request} request
   * @returns {Answer}
   */
  ask(request) {
    const { playground_room, playground_handle, playground_buffer, playground_length, memory } = this.exports;
    const bytes = encoder.encode(JSON.stringify(request));
    const room = playground_room(bytes.length);
    if (!room) return { reply: "error", code: "request::too-large", text: "The request is too large." };
    new Uint8Array(memory.buffer, room, bytes.length).set(bytes);
    const read = () => decoder.decode(new Uint8Array(memory.buffer, playground_buffer(), playground_length()));
    try {
      playground_handle();
    } catch (error) {
      // A module that panics leaves the reason in the buffer.
      this.lastWords = (error instanceof WebAssembly.RuntimeError && read()) || String(error);
      throw error;
    }
    return JSON.parse(read());
  }
}
