// The messages of a table, as docs/play.md describes them, and the backend that sends them.

export type Value = string | number;
export type Domain = Value[] | { min: number; max: number };

export interface Offer {
  verb: string;
  parameters: Domain[];
}

export interface Verb {
  name: string;
  parameters: { name: string; kind: string }[];
}

/** What is chosen so far. */
export interface Choice {
  verb: string | null;
  args: Value[];
}

/** What to choose next. */
export interface Step {
  kind: string;
  name?: string;
  verb?: string;
  verbs?: string[];
  values?: Value[];
  min?: number;
  max?: number;
}

export type Action = [verb: string, ...values: Value[]];

/** What does not change in a game. */
export interface Game {
  you: number | null;
  title: string;
  players: string[];
  people: number[];
  adviser?: string;
  record?: string;
  takeback: boolean;
  commitment: string | null;
  odds: boolean;
  rules?: string;
  cards: { name: string; title?: string; tell?: string; kind: string | null; territory: number | null }[];
  verbs: Verb[];
  /** What all pages of a game need. */
  head: import("#report/types").Head;
  map: {
    name: string;
    territories: { id: string; name: string }[];
    continents: { id: string; name: string }[];
    groups: { id: string; name: string }[];
  };
}

export interface Attack {
  from: string;
  to: string;
  armies: number;
  defenders: number;
  chance: number | null;
}

export interface Question {
  id: number;
  phase: string | null;
  help: string | null;
  secret: boolean;
  options: Offer[];
  /** The suggestion, if it is already known. */
  suggested: string | null;
  /** True if a bot must search before there is a suggestion. */
  searches: boolean;
  attacks: Attack[];
}

export interface Pile {
  count: number;
  cards: string[] | null;
}

/** What the viewer has not seen yet: the frames from number `from` on, and whether there are more. */
export interface News {
  epoch: number;
  from: number;
  more: boolean;
  frames: import("#report/types").Frame[];
}

/** How things stand for one viewer. */
export interface Now {
  version: number;
  /** The waiting orders of this player. */
  orders: Action[] | null;
  question: Question | null;
  waits: { seat: number | null } | null;
  end: null | {
    text: string;
    winners: number[];
    ranking: { seat: number; place: number; score: number }[];
    seed?: string;
    salt?: string;
  };
  notes?: string[];
  states?: string[];
}

/** The reply to an answer or a request. */
export interface Reply {
  done?: boolean;
  told?: string;
  aim?: string;
  suggested?: string | null;
  marks?: string[];
  capture?: number;
  error?: string;
}

/** What runs the game of a page: a server, or this browser. */
export interface Backend {
  /** Returns what does not change. */
  game(): Promise<Game>;
  /** Waits for news behind what is known. Returns null if there was none for some time. */
  news(known: { version: number | null; epoch: number | null; from: number }): Promise<(Now & { timeline: News | null }) | null>;
  /** Sends an answer, or a request about a question. */
  say(request: Record<string, unknown>): Promise<Reply>;
  /** Returns the page of the whole game. */
  replay(): Promise<Blob>;
}

/** An error of a backend: whether the game has answered, and whether asking again is of no use. */
export interface Refusal extends Error {
  refused?: boolean;
  final?: boolean;
}
