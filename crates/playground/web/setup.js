// The link of a game that is set up on a page. Nothing here touches the page.

const LETTERS = "abcdefghijklmnopqrstuvwxyz234567";

/** Returns a seed of 128 random bits, as the program chooses them. */
export function randomSeed() {
  const bytes = crypto.getRandomValues(new Uint8Array(26));
  return [...bytes].map((byte) => LETTERS[byte % 32]).join("");
}

/**
 * Returns the link of a game.
 * @param {{ ruleset: string, map: string, bots: string[], seed: string, takeback: boolean, seats?: string }} game `seats`:
 *   by default, each person sits where the page has put them; empty for the usual seating of many games
 */
export function linkOf({ ruleset, map, bots, seed, takeback, seats = "fixed" }) {
  const link = new URLSearchParams({ v: "1", ruleset });
  if (map) link.set("map", map);
  for (const bot of bots) link.append("bot", bot);
  link.set("seed", seed);
  if (seats) link.set("seats", seats);
  if (takeback) link.set("takeback", "true");
  return link.toString();
}
