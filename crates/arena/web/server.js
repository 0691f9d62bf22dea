// The game of `play --web`, by requests to the program that serves the page.

const token = location.hash.slice(1);

/** @type {Record<string, string>} */
const credentials = token ? { Authorization: `Bearer ${token}` } : {};

/**
 * Returns the reply to a request, or null if there is none yet.
 * @param {string} path
 * @param {RequestInit} [more]
 * @returns {Promise<Response | null>}
 */
async function ask(path, more = {}) {
  let reply;
  try {
    reply = await fetch(path, { ...more, headers: { ...credentials, ...more.headers } });
  } catch {
    throw new Error("Can't reach the program: it has ended, or the connection broke. The game is saved; this page reconnects by itself.");
  }
  if (reply.ok) return reply.status === 204 ? null : reply;
  const { error } = await reply.json();
  throw Object.assign(new Error(error), { refused: true, final: reply.status === 401 });
}

/** @type {import("#arena/types").Backend} */
export const server = {
  game: async () => (await ask("/game"))?.json(),
  news: async ({ version, epoch, from }) => {
    const after = version === null ? "" : `after=${version}&`;
    const known = epoch === null ? "" : `epoch=${epoch}&from=${from}`;
    return (await (await ask(`/now?${after}${known}`))?.json()) ?? null;
  },
  say: async (request) => (await ask("/say", {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(request),
  }))?.json(),
  replay: async () => /** @type {Response} */ (await ask("/replay")).blob(),
};
