// A bot for every game: it does anything that is offered. No packages are needed.
//
//     risk-cli play --ruleset starwars --bot 'cmd:node pick.mjs' --bot random
import { createInterface } from "node:readline";

// Small, seeded dice: the same game is played the same again.
let state = 1;
const below = (count) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * count);
};
const any = (list) => list[below(list.length)];

// One value of a parameter: from a list, or from a span of whole numbers.
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
