// A bot over HTTP for Node. It needs no packages.
//
//     risk-cli map import hacker-risk -o board.graphml
//     node bot.mjs 4445 board.graphml
//     risk-cli play --bot http://127.0.0.1:4445 --bot odds --bot holder
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const near = {};
for (const [, from, to] of readFileSync(process.argv[3], "utf8").matchAll(/<edge source="(.*?)" target="(.*?)"/g)) {
  const [here, there] = [from, to].map((id) => id.replaceAll("-", " "));
  (near[here] ??= []).push(there);
  (near[there] ??= []).push(here);
}

function decide(lands, you) {
  const asked = you.available_actions;
  const foes = (name) => near[name].filter((to) => lands[to].owner !== you.name);
  const best = (list, worth) => list.toSorted((a, b) => worth(b) - worth(a) || (a < b ? -1 : 1))[0];
  if (asked.includes("choose_country")) {
    const free = Object.keys(lands).filter((name) => lands[name].owner === "none");
    return ["choose_country", best(free, (name) => near[name].filter((to) => lands[to].owner === you.name).length)];
  }
  if (asked.includes("deploy_troops")) {
    const threat = (name) => foes(name).reduce((sum, to) => sum + lands[to].troops, 0);
    return ["deploy_troops", { [best(you.countries, threat)]: you.troops_to_deploy }];
  }
  if (asked.includes("spend_cards")) {
    const of = (kind) => you.cards.filter((card) => card.value === kind).map((card) => card.country_name);
    const [wild, ...kinds] = ["wild", "soldier", "horse", "cannon"].map(of);
    const alike = kinds.find((names) => names.length > 2);
    const mixed = kinds.flatMap((names) => names.slice(0, 1));
    const set = alike ?? (mixed.length === 3 ? mixed : [...wild, ...kinds.flat()]);
    return ["spend_cards", set.slice(0, 3)];
  }
  const attacks = you.countries.flatMap((from) => foes(from).map((to) => [from, to]));
  const lead = ([from, to]) => lands[from].troops - lands[to].troops;
  const choice = best(attacks, lead);
  if (asked.includes("attack") && choice && lead(choice) > 1) {
    const [from, to] = choice;
    const dice = Math.min(3, lands[from].troops - 1);
    const names = { attacking_country: from, defending_country: to };
    return ["attack", { ...names, attacking_troops: dice, moving_troops: lands[from].troops - 1 - dice }];
  }
  return [asked.includes("end_attack_phase") ? "end_attack_phase" : "end_turn", {}];
}

createServer(async (request, response) => {
  let body = "";
  for await (const part of request) body += part;
  if (request.url !== "/turn") return response.end("ready");
  const text = body.startsWith("risk=") ? new URLSearchParams(body).get("risk") : body;
  const state = JSON.parse(text);
  const { game, you } = state.risk ?? state;
  const [action, data] = decide(game.countries, you);
  response.end(JSON.stringify({ action, data }));
}).listen(Number(process.argv[2]), "127.0.0.1");
