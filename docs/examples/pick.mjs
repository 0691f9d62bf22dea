// A bot for every game: it plays random options. It needs no packages.
//
//     risk-cli play --ruleset starwars --bot 'cmd:node pick.mjs' --bot random
import { createInterface } from "node:readline";

// A small random generator: the same seed gives the same choices.
let state = 1;
const below = (count) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * count);
};
const any = (list) => list[below(list.length)];

// Picks a value of a parameter, from a list or from a range of integers.
const pick = (domain) =>
  Array.isArray(domain) ? any(domain) : domain.min + below(domain.max - domain.min + 1);

const replies = {
  hello: () => ({ type: "hello", protocol: 1, name: "pick" }),
  game: (message) => void (state = message.seed % 2 ** 32),
  fault: (message) => console.error(message.text),
  ask: ({ id, options }) => {
    const offer = any(options);
    return { id, do: [offer.verb, ...offer.parameters.map(pick)] };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  const said = replies[message.type]?.(message);
  if (said) console.log(JSON.stringify(said));
}
