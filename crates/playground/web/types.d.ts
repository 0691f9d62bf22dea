// The messages of the engine, and the data of the pages: docs/playground.md.

export interface Request {
  ask: string;
  [key: string]: unknown;
}

export interface Answer {
  reply: string;
  [key: string]: any;
}

export interface Opened {
  title: string;
  map: string;
  people: number[];
  games: import("#arena/types").Game[];
  hides: boolean;
  differences: string[];
}

export interface OwnFile {
  kind: "ruleset" | "map" | "bot";
  name: string;
  text: string;
}

export interface RulesetEntry {
  name: string;
  about: string;
  players: [number, number];
  map: string;
  bots: string[];
  levels: Record<string, string[]>;
  options: OptionEntry[];
}

export interface OptionEntry {
  name: string;
  about: string;
  default: string;
  /** The possible values; empty for numbers. */
  values: string[];
  /** The least and the greatest number. */
  range: [number, number];
}

export interface Catalog {
  version: string;
  rulesets: RulesetEntry[];
  maps: string[];
  bots: string[];
  /** The rulesets for which bots were made; those of all other bots are any. */
  made?: Record<string, string[]>;
}

export interface Summary {
  pieces: number;
  over: boolean;
  text: string;
  document: any;
}

/** The game that a project plays. */
export interface Table {
  ruleset: string;
  /** The map; empty for the ruleset's own. */
  map: string;
  /** Values of options that are not left to the rules. */
  options: Record<string, string>;
  bots: string[];
  seed: string;
  /** The seating, and the number of the game in its match, as in a link; empty for the usual. */
  seats: string;
  game: string;
}

export interface Project {
  /** The number under which this browser keeps it; empty if it is not kept. */
  id: string;
  title: string;
  /** A suggestion to try. */
  about?: string;
  files: OwnFile[];
  table: Table;
  /** Its beginning, to compare changes with. */
  base: { files: OwnFile[]; table: Table } | null;
  /** The link of the moment of its game. */
  moment?: string;
  /** The step of its game, if it is watched. */
  step?: number | null;
  /** The time of its last change, in milliseconds since 1970. */
  changed: number;
}

/** A finding, as checks print it with `--format json`. */
export interface Finding {
  code: string;
  level: "error" | "warning";
  text: string;
  help: string | null;
  place?: { file: string; line: number; column: number; end_line: number; end_column: number };
}

/** A function, a hook or an event for scripts. */
export interface ReferenceEntry {
  name: string;
  call: string;
  meaning: string;
  of: string[];
}
