"use strict";

// Everything on the page but the map's outlines comes from what the server tells; all of it is set as text.
const page = document.body.dataset;
const byId = (id) => document.getElementById(id);

function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function showOpen(open) {
  if (open.text) {
    byId("open").textContent = open.text;
    return;
  }
  const here = [...open.joined, ...open.house];
  const who = here.length ? `: ${here.join(", ")}` : "";
  byId("open").textContent = open.closed
    ? "Nobody can join just now."
    : `Match ${open.match} waits for players, ${here.length} of ${open.seats} are there${who}`;
}

function showMatches(matches) {
  byId("matches").replaceChildren(...matches.map(({ match, players, end }) => {
    const row = element("li", "");
    row.append(
      element("a", `Match ${match}`, { href: `/match/${match}` }),
      ` ${players.join(", ")}: ${end ?? "under way"}`);
    return row;
  }));
}

// What the ruleset declares for each player, and is not nothing for all of them.
function columns(declared) {
  const of = (name, values) => ({ name, values });
  return [
    ...(declared?.counters ?? []).map(({ name, players }) => of(name.replaceAll("_", " "), players)),
    ...(declared?.piles ?? []).map(({ name, players }) => of(name, players.map(({ count }) => count))),
    of("orders", declared?.orders ?? []),
  ].filter(({ values }) => values.some((value) => value !== 0));
}

// What lies on the table: counters and piles of nobody in particular.
function showTable(declared) {
  const counters = (declared?.counters ?? []).filter(({ table }) => table !== 0);
  const piles = (declared?.piles ?? []).filter(({ table }) => table.count);
  byId("table").textContent = [
    ...counters.map(({ name, table }) => `${name.replaceAll("_", " ")} ${table}`),
    ...piles.map(({ name, table }) => `${name} ${table.count}`
      + (table.cards && table.cards.length < 13 ? ` (${table.cards.join(", ")})` : "")),
  ].join(", ");
}

function showPlayers(shown) {
  const more = columns(shown.declared);
  const armies = (shown.declared?.units.length ?? 1) > 1 ? "units" : "armies";
  const heads = ["player", "land", armies, "faults", ...more.map(({ name }) => name), ""];
  byId("heads").replaceChildren(...heads.map((name) => element("th", name, { scope: "col" })));
  showTable(shown.declared);
  byId("players").replaceChildren(...shown.players.map((player, seat) => {
    const row = document.createElement("tr");
    if (seat === shown.mover && !shown.end) row.className = "mover";
    if (player.status !== "playing") row.className = "out";
    const name = element("td", "");
    const colour = document.createElement("i");
    colour.style.background = player.colour;
    name.append(colour, player.name);
    const state = player.place ? `place ${player.place}` : player.status === "playing" ? "" : player.status;
    row.append(name, ...[player.territories, player.armies, player.faults, ...more.map(({ values }) => values[seat]), state].map((value) => element("td", value ?? "")));
    return row;
  }));
}

// A title within a picture: what is shown of it when one points at it.
function titled(text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", "title");
  made.textContent = text;
  return made;
}

function showLands(shown) {
  shown.lands.forEach(([owner, armies], index) => {
    const land = byId(`land-${index}`);
    const text = byId(`armies-${index}`);
    const colour = owner < 0 ? page.nobody : shown.players[owner].colour;
    land.classList.toggle("changed", land.getAttribute("fill") !== colour);
    land.setAttribute("fill", colour);
    text.textContent = armies;
    const stack = (shown.stacks[index] ?? []).map((count, unit) => [count, shown.declared.units[unit]]);
    const there = stack.filter(([count]) => count).map(([count, unit]) => `${count} ${unit}`);
    if (there.length) text.append(titled(there.join(", ")));
    text.previousElementSibling.setAttribute("r", 6 + 4.2 * String(armies).length);
  });
}

function showLines(lines) {
  const box = byId("lines");
  const follows = box.scrollTop + box.clientHeight >= box.scrollHeight - 8;
  box.textContent = lines.join("\n");
  if (follows) box.scrollTop = box.scrollHeight;
}

function show(told) {
  showOpen(told.open);
  showMatches(told.matches);
  const shown = told.shown;
  if (!shown) return;
  // Another match has another map picture, and the first picture comes with the page.
  if (String(shown.match) !== page.match || (shown.lands.length && !byId("map"))) {
    location.reload();
    return;
  }
  const mover = shown.players[shown.mover];
  const when = !shown.players.length ? "begins"
    : shown.turn ? `round ${shown.round}, turn ${shown.turn}` : "the board is set up";
  byId("when").textContent = `Match ${shown.match}: ` + (shown.end ?? (mover ? `${when}, ${mover.name} moves` : when));
  showPlayers(shown);
  showLands(shown);
  showLines(shown.lines);
}

const source = new EventSource(page.events);
source.onmessage = (event) => show(JSON.parse(event.data));
