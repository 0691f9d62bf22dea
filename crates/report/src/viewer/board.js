"use strict";

// What pages that show a game share. Everything on them but the map's outlines is set as text.
const page = document.body.dataset;
const byId = (id) => document.getElementById(id);

function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

// A player's colour before the name.
function dot(colour) {
  const made = document.createElement("i");
  made.style.background = colour;
  return made;
}

// What the ruleset declares for each player, and is not nothing for all of them.
function columns(declared) {
  const of = (name, values) => ({ name, values });
  const isShown = ({ title }) => title !== null;
  return [
    ...(declared?.counters ?? []).filter(isShown).map(({ title, players }) => of(title, players)),
    ...(declared?.piles ?? []).filter(isShown).map(({ title, players }) => of(title, players.map(({ count }) => count))),
    of("orders", declared?.orders ?? []),
  ].filter(({ values }) => values.some((value) => value !== 0));
}

// What lies on the table: counters and piles of nobody in particular.
function showTable(declared) {
  const counters = (declared?.counters ?? []).filter(({ title, table }) => title !== null && table !== 0);
  const piles = (declared?.piles ?? []).filter(({ title, table }) => title !== null && table.count);
  byId("table").textContent = [
    ...counters.map(({ title, table }) => `${title} ${table}`),
    ...piles.map(({ title, table }) => `${title} ${table.count}`
      + (table.titles && table.titles.length < 13 ? ` (${table.titles.join(", ")})` : "")),
  ].join(", ");
}

function showPlayers(shown) {
  const more = columns(shown.declared);
  const armies = (shown.declared?.units.length ?? 1) > 1 ? "units" : "armies";
  // People make no faults.
  const faults = shown.players.some(({ faults }) => faults !== undefined);
  const heads = ["player", "land", armies, ...(faults ? ["faults"] : []), ...more.map(({ name }) => name), ""];
  byId("heads").replaceChildren(...heads.map((name) => element("th", name, { scope: "col" })));
  showTable(shown.declared);
  byId("players").replaceChildren(...shown.players.map((player, seat) => {
    const row = document.createElement("tr");
    if (seat === shown.mover && !shown.end) row.className = "mover";
    if (player.status !== "playing") row.className = "out";
    const name = element("td", "");
    name.append(dot(player.colour), player.name);
    const state = player.place ? `place ${player.place}` : player.status === "playing" ? "" : player.status;
    row.append(name, ...[player.territories, player.armies, ...(faults ? [player.faults] : []), ...more.map(({ values }) => values[seat]), state].map((value) => element("td", value ?? "")));
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
    const colour = owner < 0 ? page.nobody : (shown.players[owner].fill ?? shown.players[owner].colour);
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
