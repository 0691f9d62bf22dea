// What the engine is asked and what it replies: docs/playground.md.

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
}

export interface Catalog {
  version: string;
  rulesets: RulesetEntry[];
  maps: string[];
  bots: string[];
}
