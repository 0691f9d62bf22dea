// What happened in one step: what the map draws, and who did it in words.

/** @typedef {import("#report/types").Act} Act */
/** @typedef {import("#report/types").Head} Head */
/** @typedef {import("#report/types").Text} Text */

// More texts of one step are only in the story.
const MOST_TEXTS = 4;

/**
 * @typedef {object} Stroke an arrow on the map
 * @property {"fight" | "move"} kind
 * @property {number} from
 * @property {number} to
 * @property {number} seat -1 if nobody's action led to it
 * @property {number} count the units that walk in or move
 * @property {number} attackers
 * @property {number} defenders
 * @property {number} lost the attacker's losses
 * @property {number} killed the defender's losses
 * @property {boolean} captured
 * @property {[attack: number[], defend: number[]][]} rolls
 * @property {[tries: number, percent: number, successes: number][]} tries
 */

/**
 * Returns the arrows of a step in their order.
 * @param {Act[]} acts
 * @returns {Stroke[]}
 */
export function strokesOf(acts) {
  /** @type {Stroke[]} */
  const all = [];
  const none = { attackers: 0, defenders: 0, lost: 0, killed: 0, captured: false, rolls: [], tries: [] };
  for (const act of acts) {
    const [kind, from, to, seat] = act;
    if (kind === "fight") {
      const [, , , , attackers, defenders, lost, killed, result, count, rolls, tries] = act;
      all.push({ kind, from, to, seat, count, attackers, defenders, lost, killed, captured: result === 2, rolls, tries });
      continue;
    }
    // Units that follow a capture walk along its arrow, and units of several kinds along one.
    const known = all.find((stroke) => stroke.from === from && stroke.to === to && (stroke.captured || stroke.kind === kind));
    if (known) known.count += act[4];
    else all.push({ kind, from, to, seat, count: act[4], ...none });
  }
  return all;
}

/**
 * Returns the texts of a step in groups: each player's after its name.
 * @param {Text[]} texts
 * @returns {{ seat: number, text: string }[]}
 */
export function captionOf(texts) {
  /** @type {{ seat: number, text: string }[]} */
  const groups = [];
  const said = texts.filter(([, , heading]) => !heading);
  for (const [seat, text] of said.slice(0, MOST_TEXTS)) {
    const last = groups.at(-1);
    if (last?.seat === seat) last.text += `; ${text}`;
    else groups.push({ seat, text });
  }
  const more = said.length - MOST_TEXTS;
  if (more > 0) groups.push({ seat: -1, text: `and ${more} more` });
  return groups;
}
