// The link of a game. Nothing here touches the page.

const LETTERS = "abcdefghijklmnopqrstuvwxyz234567";

/** Returns a seed of 128 random bits, as the program chooses them. */
export function randomSeed() {
  const bytes = crypto.getRandomValues(new Uint8Array(26));
  return [...bytes].map((byte) => LETTERS[byte % 32]).join("");
}

/**
 * Returns the link of a game.
 * @param {Pick<import("#playground/types").Table, "ruleset" | "map" | "bots" | "seed"> & Partial<import("#playground/types").Table>} game by
 *   default, players sit where they are named
 * @param {boolean} [takeback] whether people may undo answers after dice and cards
 */
export function linkOf({ ruleset, map, bots, seed, options = {}, seats = "fixed", game = "" }, takeback = false) {
  const link = new URLSearchParams({ v: "1", ruleset });
  if (map) link.set("map", map);
  for (const [name, value] of Object.entries(options)) link.append("option", `${name}=${value}`);
  for (const bot of bots) link.append("bot", bot);
  link.set("seed", seed);
  if (seats) link.set("seats", seats);
  if (game) link.set("game", game);
  if (takeback) link.set("takeback", "true");
  return link.toString();
}

/**
 * Returns what a link says about the game.
 * @param {string} link
 * @returns {import("#playground/types").Table}
 */
export function tableOf(link) {
  const keys = new URLSearchParams(link);
  const [ruleset, map, seats, game] = ["ruleset", "map", "seats", "game"].map((key) => keys.get(key) ?? "");
  const options = keys.getAll("option").map((option) => [option.split("=", 1)[0], option.slice(option.indexOf("=") + 1)]);
  return { ruleset, map, options: Object.fromEntries(options), bots: keys.getAll("bot"), seed: keys.get("seed") ?? randomSeed(), seats, game };
}
