// The shapes of the data that pages receive. docs/play.md and the crate `risk-report` describe them.

/** The owner of a territory by seat, or -1, and its units by kind; -1 units are hidden. */
export type Land = [owner: number, ...units: number[]];

/** Answers so far, round, turn, seat of the mover or -1, number of the phase or -1. */
export type When = [answers: number, round: number, turn: number, mover: number, phase: number];

/**
 * What a page draws of a step. Territories are numbers, players are seats or -1. The result of a fight is 0 (held),
 * 1 (emptied) or 2 (taken); the rolls are the last ones.
 */
export type Act =
  | ["fight", from: number, to: number, by: number, attackers: number, defenders: number, lost: number, killed: number,
    result: 0 | 1 | 2, moved: number, rolls: [attack: number[], defend: number[]][],
    tries: [tries: number, percent: number, successes: number][]]
  | ["move", from: number, to: number, by: number, count: number, unit: number];

/** A text of the story: about a player, or about the game (seat -1). The heading of a phase has a third value. */
export type Text = [seat: number, text: string, heading?: 1];

/** The changes of one step. */
export interface Frame {
  w?: When;
  /** The pairs of territories between which borders are closed now, if they changed. */
  b?: [number, number][];
  /** Changed territories: the number, and the new value. */
  l?: [at: number, ...land: Land][];
  /** Changed marks of territories. A value that is hidden from this viewer is null. */
  m?: [at: number, values: (number | null)[]][];
  n?: [place: number, value: number | null][];
  p?: [place: number, value: number | number[]][];
  s?: [seat: number, value: string][];
  /** Seats that are eliminated, and seats with a fault. */
  x?: number[];
  k?: number[];
  t?: Text[];
  a?: Act[];
}

export type Seen = "all" | "owner" | "nobody";

/** A mark, which has a value in each territory. With `sight`, whoever sees the units sees the value. */
export interface Mark {
  title: string;
  seen: Seen | "sight";
}

export interface Player {
  name: string;
  colour: string;
  /** The place and the score, when the game is over. */
  end: [place: number, score: number] | null;
}

/** What a ruleset's `board:` adds to the map. */
export interface Hints {
  /** The names of the kinds of units, in the order in which other lists have them. */
  units: string[];
  /** The badge and the title of each kind of units; empty without badges. */
  badges: [badge: string, title: string][];
  /** `gone` names the table's counter whose bit N is set once the marker of territory N is gone. */
  markers: { title: string; gone: string | null; lands: number[] }[];
  /** The names of counters: the spaces passed, and the pieces ahead. */
  tracks: { title: string; counter: string; spaces: string[]; ahead: string | null; players: boolean }[];
}

/** What holds for a whole game. */
export interface Head {
  players: Player[];
  lands: string[];
  /** What the map says about territories beside their places, by number. */
  notes: Record<number, string>;
  groups: { name: string; text: string; members: number[] }[];
  board: Hints;
  units: string[];
  marks: Mark[];
  phases: string[];
  counters: { name: string; title: string | null; seen: Seen }[];
  piles: { name: string; title: string | null; seen: Seen }[];
  cards: string[];
  /** Whether every player sees all owners and units. */
  open: boolean;
  end: string | null;
  digest?: string | null;
  /** What comes before the number of a decision, on the page of a match. */
  of?: string;
  /** Whether the game goes on elsewhere. */
  live?: boolean;
  /** The command that plays on from a decision, with `{decision}` in place of its number. */
  from?: string;
  chances?: Chances;
}

/** What an analysis says of the game. */
export interface Chances {
  games: number;
  /** The number of answers, and each player's chance to win in percent. */
  at: [answers: number, ...percent: number[]][];
  /** Decisions that cost the most, and dice that changed the most. */
  marks: { answers: number; seat: number; kind: "choice" | "dice"; by: number; text: string }[];
}

/** A game at one frame. */
export interface State {
  at: number;
  when: When;
  lands: Land[];
  numbers: (number | null)[];
  piles: (number | number[])[];
  sights: string[];
  /** The values of each territory's marks; empty without marks. */
  marks: (number | null)[][];
  /** The pairs of territories between which borders are closed. */
  closed: [number, number][];
}

export interface DeclaredPart<Value> {
  name: string;
  title: string | null;
  players: Value[];
  table: Value;
}

export interface PileShown {
  count: number;
  titles?: string[] | null;
}

/** What the table of players and the map show. A hidden value is null. */
export interface Shown {
  lands: [owner: number, armies: number | "?"][];
  stacks: (number[] | undefined)[];
  players: {
    name: string;
    colour: string;
    fill: string;
    status: string;
    faults?: number;
    territories: number | string | null;
    armies: number | string | null;
    place: number | null;
  }[];
  declared: {
    units: string[];
    counters: DeclaredPart<number | null>[];
    piles: DeclaredPart<PileShown>[];
    orders: (number | null)[];
  };
  mover: number;
  end: string | null;
}
