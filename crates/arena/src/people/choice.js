// What may be chosen next, from the offers of a question alone: nothing here knows any game.
// An offer is a verb and, for each parameter, a list of values or a span of numbers.

const inDomain = (domain, value) => Array.isArray(domain)
  ? domain.includes(value)
  : Number.isInteger(value) && value >= domain.min && value <= domain.max;

// The offers that agree with a verb, or with any if it is null, and with these values.
const fitting = (offers, { verb, args }) => offers.filter((offer) =>
  (verb === null || offer.verb === verb) && offer.parameters.length >= args.length
  && args.every((value, at) => inDomain(offer.parameters[at], value)));

const verbsOf = (offers) => [...new Set(offers.map(({ verb }) => verb))];

// What the parameter behind the given ones may be: values, or the ends of a span.
function domainOf(offers, at) {
  const domains = offers.map(({ parameters }) => parameters[at]).filter((domain) => domain !== undefined);
  if (domains.length && domains.every((domain) => !Array.isArray(domain) || domain.every(Number.isInteger))) {
    const ends = domains.flatMap((domain) => Array.isArray(domain) ? domain : [domain.min, domain.max]);
    return { min: Math.min(...ends), max: Math.max(...ends) };
  }
  return { values: [...new Set(domains.flat())] };
}

// What to ask next: a verb, a value of some kind, or nothing more. A verb need not be chosen as long
// as the next parameter is a territory for all that are left: which one it is shows on the map.
function nextStep(game, offers, choice) {
  const left = fitting(offers, choice);
  const parameters = (verb) => game.verbs.find(({ name }) => name === verb).parameters;
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
