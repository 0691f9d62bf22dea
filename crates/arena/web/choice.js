// What may be chosen next, from the offers of a question alone: nothing here knows any game.

/** @typedef {import("#arena/types").Domain} Domain */
/** @typedef {import("#arena/types").Offer} Offer */
/** @typedef {import("#arena/types").Choice} Choice */
/** @typedef {import("#arena/types").Verb} Verb */
/** @typedef {import("#arena/types").Step} Step */
/** @typedef {import("#arena/types").Value} Value */

/**
 * @param {Domain} domain
 * @param {Value} value
 */
const inDomain = (domain, value) => Array.isArray(domain)
  ? domain.includes(value)
  : typeof value === "number" && Number.isInteger(value) && value >= domain.min && value <= domain.max;

/**
 * Returns the offers that agree with a verb, or with any if it is null, and with these values.
 * @param {Offer[]} offers
 * @param {Choice} choice
 */
export const fitting = (offers, { verb, args }) => offers.filter((offer) =>
  (verb === null || offer.verb === verb) && offer.parameters.length >= args.length
  && args.every((value, at) => inDomain(offer.parameters[at], value)));

/** @param {Offer[]} offers */
export const verbsOf = (offers) => [...new Set(offers.map(({ verb }) => verb))];

/**
 * Returns what the parameter behind the given ones may be: values, or the ends of a span.
 * @param {Offer[]} offers
 * @param {number} at
 */
function domainOf(offers, at) {
  const domains = offers.map(({ parameters }) => parameters[at]).filter((domain) => domain !== undefined);
  const all = domains.flatMap((domain) => Array.isArray(domain) ? domain : [domain.min, domain.max]);
  const numbers = all.filter((value) => typeof value === "number");
  return numbers.length && numbers.length === all.length
    ? { min: Math.min(...numbers), max: Math.max(...numbers) } : { values: [...new Set(all)] };
}

/**
 * Returns what to ask next: a verb, a value of some kind, or nothing more. A verb need not be chosen as long
 * as the next parameter is a territory for all that are left: which one it is shows on the map.
 * @param {Verb[]} known the verbs of the ruleset
 * @param {Offer[]} offers
 * @param {Choice} choice
 * @returns {Step}
 */
export function nextStep(known, offers, choice) {
  const left = fitting(offers, choice);
  const parameters = (/** @type {string} */ verb) => known.find(({ name }) => name === verb)?.parameters ?? [];
  const at = choice.args.length;
  const open = left.filter(({ parameters }) => parameters.length > at);
  const verbs = verbsOf(open);
  if (choice.verb !== null && !open.length) return { kind: "done", verb: choice.verb };
  if (choice.verb === null && at > 0 && !open.length) {
    const whole = verbsOf(left);
    return whole.length === 1 ? { kind: "done", verb: whole[0] } : { kind: "verb", verbs: whole };
  }
  const kinds = [...new Set(verbs.map((verb) => parameters(verb)[at].kind))];
  const alike = verbs.length === 1 || (kinds.length === 1 && kinds[0] === "territory" && at < 2);
  if (!verbs.length || !alike) return { kind: "verb", verbs: verbsOf(left) };
  const name = parameters(verbs[0])[at].name;
  return { kind: kinds[0], name, verbs, ...domainOf(open, at) };
}
