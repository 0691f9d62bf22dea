// What happened in one step: what the map draws, and a sentence where the story has none yet.

/** @typedef {import("#report/types").Act} Act */
/** @typedef {import("#report/types").Head} Head */

// More rolls of one fight are not drawn: the last ones decide.
const MOST_ROLLS = 3;

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
 * Returns the arrows of a step in their order. The rounds of one fight are one arrow.
 * @param {Act[]} acts
 * @returns {Stroke[]}
 */
export function strokesOf(acts) {
  /** @type {Stroke[]} */
  const all = [];
  let seat = -1;
  /** @type {Stroke["rolls"]} */
  let rolls = [];
  /** @type {Stroke["tries"]} */
  let tries = [];
  const open = (/** @type {Stroke["kind"]} */ kind, /** @type {number} */ from, /** @type {number} */ to) => {
    const known = all.find((stroke) => stroke.kind === kind && stroke.from === from && stroke.to === to);
    if (known) return known;
    /** @type {Stroke} */
    const made = { kind, from, to, seat, count: 0, attackers: 0, defenders: 0, lost: 0, killed: 0, captured: false,
      rolls: [], tries: [] };
    all.push(made);
    return made;
  };
  for (const act of acts) {
    switch (act[0]) {
      case "act":
        seat = act[1];
        break;
      case "dice":
        rolls.push([act[1], act[2]]);
        break;
      case "tries":
        tries.push([act[1], act[2], act[3]]);
        break;
      case "fight": {
        const [, from, to, attackers, defenders, lost, killed] = act;
        const stroke = open("fight", from, to);
        stroke.attackers ||= attackers;
        stroke.defenders ||= defenders;
        stroke.lost += lost;
        stroke.killed += killed;
        stroke.rolls = [...stroke.rolls, ...rolls].slice(-MOST_ROLLS);
        stroke.tries.push(...tries);
        [rolls, tries] = [[], []];
        break;
      }
      case "capture": {
        const [, from, to, by, moved] = act;
        const stroke = open("fight", from, to);
        stroke.captured = true;
        stroke.seat = by;
        stroke.count += moved;
        break;
      }
      default: {
        const [, from, to, count] = act;
        // Units that follow a capture walk along its arrow.
        const follows = all.find((stroke) => stroke.captured && stroke.from === from && stroke.to === to);
        (follows ?? open("move", from, to)).count += count;
      }
    }
  }
  return all;
}

const dice = (/** @type {number[]} */ values) => [...values].sort((a, b) => b - a).join(" ");

/**
 * Says what an arrow shows, as a sentence without its subject.
 * @param {Head} head
 * @param {Stroke} stroke
 */
export function sentenceOf(head, stroke) {
  const [from, to] = [head.lands[stroke.from], head.lands[stroke.to]];
  if (stroke.kind === "move") return `moves ${stroke.count} from ${from} to ${to}`;
  const rolled = stroke.rolls.map(([attack, defend]) =>
    defend.length ? `${dice(attack)} against ${dice(defend)}` : dice(attack));
  const parts = [];
  if (rolled.length) parts.push(`dice ${rolled.join(", ")}`);
  if (stroke.lost || stroke.killed) parts.push(`loses ${stroke.lost} for ${stroke.killed}`);
  if (stroke.captured) parts.push("captured");
  return [`attacks ${to} from ${from}`, ...parts].join(", ");
}

// Rows of the story's table of fights: what the map draws says the same in words.
const isRow = (/** @type {string} */ line) => / → |^ +\d+( of \d+)? v \d/.test(line);

/**
 * Returns the entries of a story: sentences and rows of fights. Long entries have several lines.
 * @param {string[]} lines
 */
export function entriesOf(lines) {
  /** @type {string[]} */
  const all = [];
  let isOpen = false;
  for (const line of lines) {
    const indent = line.length - line.trimStart().length;
    if (indent === 4) all.push(line);
    else if (indent > 4 && isOpen) all[all.length - 1] += ` ${line.trim()}`;
    // What continues the lines of another step is no entry.
    isOpen = indent === 4 || (isOpen && indent > 4);
  }
  return all.filter((line) => !/ armies +losses /.test(line));
}

/**
 * Returns the sentences among the lines of a story.
 * @param {string[]} lines
 */
export const sentencesOf = (lines) => entriesOf(lines).filter((line) => !isRow(line)).map((line) => line.trim());

/**
 * Returns the text of a step: what the map draws, or else the decision, and what the story adds.
 * @param {Head} head
 * @param {{ a?: Act[], x?: number[] }} frame
 * @param {string[]} lines the lines of the story that belong to the step
 */
export function captionOf(head, frame, lines) {
  const acts = (frame.a ?? []).filter((act) => act[0] === "act");
  const names = lines.filter((line) => line.startsWith("● ")).map((line) => line.slice(2));
  const name = acts.length ? head.players[/** @type {number} */ (acts[0][1])]?.name : names[0];
  // The story adds up units that are placed one by one, and says so in a later step.
  const said = sentencesOf(lines).filter((text) => !acts.some((act) => act[2]) || !/^[+−]\d/.test(text));
  const hasRows = lines.some(isRow);
  const strokes = said.length && !hasRows ? [] : strokesOf(frame.a ?? []);
  const verb = (/** @type {string} */ text) => text.split(" ")[0];
  const done = new Set(acts.map((act) => String(act[2] ?? "")).filter(Boolean));
  const drawn = strokes.length ? strokes.map((stroke) => sentenceOf(head, stroke))
    : [...done].filter((text) => !said.some((other) => verb(other) === verb(text)));
  const out = (frame.x ?? []).map((seat) => `${head.players[seat].name} is eliminated`);
  const text = [...drawn, ...said, ...out].join("; ");
  return { name: text ? name : undefined, text };
}
