// How a page shows what it is told: words, colours, tables.

// --- words ----------------------------------------------------------------------------------------------
const plain = (word) => String(word).replaceAll("_", " ");
const landAt = new Map();
const titleOf = (section, name) => {
  const title = game.titles?.[section]?.[name];
  return title === undefined ? plain(name) : title;
};
const title = (id) => game.map.territories[landAt.get(id)]?.name ?? id;
const playerName = (seat) => game.players[seat] + (seat === game.you ? " (you)" : "");

function cardTitle(name) {
  const card = game.cards.find((card) => card.name === name);
  if (card?.title) return card.title;
  const at = card && card.territory !== null ? game.map.territories[card.territory]?.name : null;
  return at && card.kind ? `${at} (${card.kind})` : plain(name);
}

const units = (index) => Object.entries(now.state.units).map(([kind, all]) => [kind, all[index]]);

function armies(index) {
  const all = units(index).map(([, number]) => number);
  return all.some((number) => number === null) ? null : all.reduce((sum, number) => sum + number, 0);
}

const owner = (index) => now.state.owners[index];

function landText(index) {
  const holder = owner(index);
  const whose = holder === null ? "unseen" : holder < 0 ? "nobody's" : holder === game.you ? "yours" : `${game.players[holder]}'s`;
  const stack = Object.keys(now.state.units).length > 1
    ? units(index).filter(([, number]) => number).map(([kind, number]) => `${number} ${titleOf("units", kind)}`).join(", ") || "none"
    : `${armies(index) ?? "?"}`;
  const continent = game.map.territories[index].continent;
  const where = continent === null ? "" : `, ${game.map.continents[continent].name}`;
  return `${game.map.territories[index].name}: ${whose}, ${stack}${where}`;
}

function valueText(kind, value) {
  if (kind === "territory") return title(value);
  if (kind === "continent") return game.map.continents.find(({ id }) => id === value)?.name ?? value;
  if (kind === "player") return playerName(value);
  if (kind === "card") return cardTitle(value);
  if (kind === "unit") return titleOf("units", value);
  return plain(value);
}

function actionText([verb, ...values]) {
  const info = game.verbs.find(({ name }) => name === verb);
  const parts = values.map((value, at) => {
    const { kind } = info.parameters[at];
    const before = !at ? " " : kind === "territory" ? " → " : ", ";
    return before + valueText(kind, value);
  });
  return plain(verb) + parts.join("");
}

// --- colours --------------------------------------------------------------------------------------------
const ownColour = (seat) => game.colours[seat];

// --- what is shown --------------------------------------------------------------------------------------
function shown() {
  const { state } = now;
  const kinds = Object.keys(state.units);
  const held = game.players.map((_, seat) => state.owners.filter((holder) => holder === seat).length);
  const seen = (seat) => state.owners.reduce((sum, holder, index) => sum + (holder === seat ? armies(index) ?? 0 : 0), 0);
  const hides = state.owners.includes(null) || Object.values(state.units).some((all) => all.includes(null));
  const places = Object.fromEntries((now.end?.ranking ?? []).map(({ seat, place }) => [seat, place]));
  const counters = Object.entries(state.counters).map(([name, { table, players }]) =>
    ({ title: titleOf("counters", name), table: table ?? 0, players: players.map((value) => value ?? 0) }));
  const piles = Object.entries(state.piles).map(([name, { table, players }]) => ({
    title: titleOf("piles", name), players, table: { count: table.count, titles: table.cards?.map(cardTitle) },
  }));
  return {
    lands: state.owners.map((holder, index) => [holder ?? -1, armies(index) ?? "?"]),
    stacks: kinds.length < 2 ? [] : state.owners.map((_, index) => units(index).map(([, number]) => number ?? 0)),
    players: game.players.map((_, seat) => ({
      name: playerName(seat), colour: colourOf(seat), fill: fillOf(seat),
      status: state.statuses[seat], territories: hides && seat !== game.you ? `${held[seat]} seen` : held[seat],
      armies: seen(seat), place: places[seat] ?? null,
    })),
    declared: { units: kinds.map((kind) => titleOf("units", kind)), counters, piles, orders: [] },
    mover: now.waits?.seat ?? -1, end: now.end?.text ?? null,
  };
}

function showWhen() {
  const { state, question, waits, end } = now;
  const round = state?.round ? `Round ${state.round}` : "Set-up";
  const who = question ? "your turn" : waits === null ? "the others play"
    : waits.seat === null ? "others decide in secret" : `waiting for ${game.players[waits.seat]}`;
  byId("when").textContent = end ? "The game is over" : `${round}: ${who}`;
  document.title = `${question ? "● " : ""}${game.title}`;
}

function showEnd() {
  const { end } = now;
  byId("over").hidden = !end;
  if (!end) return;
  byId("result").textContent = end.text;
  byId("ranking").replaceChildren(...end.ranking.map(({ seat, place, score }) =>
    element("li", `${playerName(seat)}: score ${score}`, { value: place })));
  const keep = byId("keep");
  const button = element("button", "Save the replay as a page", { type: "button" });
  button.onclick = saveReplay;
  const record = game.record ? ` The record is ${game.record}: replay it with risk-cli replay ${game.record}.` : "";
  keep.replaceChildren(button, record);
  byId("revealed").hidden = !end.salt;
  if (end.salt) byId("revealed").replaceChildren("The dice came from the seed ", element("code", end.seed),
    ", with the salt ", element("code", end.salt), ".");
  if (!byId("over").dataset.seen) {
    byId("over").dataset.seen = "yes";
    byId("result").focus();
  }
}

async function saveReplay() {
  const answer = await fetch("/replay", { headers: head() });
  if (!answer.ok) {
    byId("keep").append(` ${(await answer.json()).error}`);
    return;
  }
  const link = element("a", "", { href: URL.createObjectURL(await answer.blob()), download: "game.html" });
  link.click();
}

function showMine() {
  const { state } = now;
  const lists = [];
  for (const [name, { players }] of Object.entries(state.piles)) {
    const cards = game.you === null ? null : players[game.you]?.cards;
    const heading = titleOf("piles", name);
    if (!cards?.length || heading === null) continue;
    const list = document.createElement("ul");
    list.append(...cards.map((name) => {
      const card = game.cards.find((card) => card.name === name);
      return element("li", card?.tell ? `${cardTitle(name)}: ${card.tell}` : cardTitle(name));
    }));
    if (players.some(({ cards }) => cards === null)) {
      lists.unshift(element("h2", `Your ${heading}`), list);
    } else {
      // What lies open needs no room of its own.
      const box = document.createElement("details");
      box.append(element("summary", `Your ${heading}, for all to see: ${cards.length}`), list);
      lists.push(box);
    }
  }
  byId("piles").replaceChildren(...lists);
  const orders = state.orders;
  const list = document.createElement("ol");
  list.append(...orders.map((order, at) => {
    const row = element("li", actionText(order));
    if (now.question) {
      const button = element("button", "Take back", { type: "button", "aria-label": `Take back: ${actionText(order)}` });
      button.onclick = () => wish({ retract: at });
      row.append(button);
    }
    return row;
  }));
  byId("orders").replaceChildren(...(orders.length ? [element("h2", "Your pending orders"), list] : []));
  byId("mine").hidden = !lists.length && !orders.length;
}

// What this player has to spend.
function purse() {
  if (game.you === null) return "";
  return (now.states ?? []).join(", ");
}
