// The page of a person at the table. It is told how things stand by the server, keeps nothing of
// it, and sends what is chosen; docs/play.md describes both.
const token = location.hash.slice(1);
let game;                               // what does not change
let now = null;                         // how things stand
let choice = { verb: null, args: [] };  // what is chosen so far
let auto = [];                          // which of it was the only one possible
let count = null;                       // the number that is chosen just now
let busy = false;
let answered = 0;                       // the question that was answered last

// --- what is said and heard ---------------------------------------------------------------------------
const head = () => (token ? { Authorization: `Bearer ${token}` } : {});

function trouble(text) {
  byId("trouble").hidden = !text;
  byId("trouble").textContent = text;
}

const told = (text, refused = false) => {
  byId("told").textContent = text;
  byId("told").classList.toggle("refused", refused);
};

async function say(wish) {
  const question = now?.question?.id;
  if (question === undefined || question === answered || busy) return undefined;
  // What only asks for chances keeps nobody from answering meanwhile.
  const decides = wish.odds === undefined;
  busy = decides;
  try {
    const answer = await fetch("/say", {
      method: "POST",
      headers: { ...head(), "Content-Type": "application/json" },
      body: JSON.stringify({ question, ...wish }),
    });
    const body = await answer.json();
    if (body.done) answered = question;
    if (!answer.ok) told(body.error, true);
    return answer.ok ? body : null;
  } catch {
    told("Can't reach the program.", true);
    return null;
  } finally {
    if (decides) busy = false;
  }
}

const pause = (time) => new Promise((done) => { setTimeout(done, time); });

// Asks again and again how things stand; each answer comes when there is something new.
async function follow() {
  let wait = 250;
  for (;;) {
    try {
      const after = now ? `?after=${now.version}` : "";
      const answer = await fetch(`/now${after}`, { headers: head() });
      if (answer.status === 200) {
        now = await answer.json();
        trouble("");
        show();
        wait = 250;
        continue;
      }
      if (answer.status === 204) continue;
      const { error } = await answer.json();
      trouble(error);
      if (answer.status === 401) return;
    } catch {
      trouble("Can't reach the program: it has ended, or the connection broke. The game is saved; this page reconnects by itself.");
    }
    await pause(wait);
    wait = Math.min(8000, wait * 2);
  }
}

// --- how things stand -----------------------------------------------------------------------------------
// Land that has another owner than when this player was asked last.
let ownersBefore = null;
let ownersAsked = null;
function showChanges() {
  const { owners } = now.state;
  if (now.question && now.question.id !== lastQuestion) {
    ownersBefore = ownersAsked;
    ownersAsked = owners;
  }
  owners.forEach((holder, index) => {
    const changed = ownersBefore !== null && holder !== null && ownersBefore[index] !== null && ownersBefore[index] !== holder;
    byId(`land-${index}`).classList.toggle("changed", changed);
  });
}

let lastQuestion = 0;
function show() {
  showWhen();
  if (!now.state) return;
  const all = shown();
  makePatterns();
  showPlayers(all);
  showSwatches();
  showLands(all);
  showChanges();
  game.map.territories.forEach((_, index) => {
    byId(`land-${index}`).querySelector("title").textContent = landText(index);
  });
  showLines(now.story ?? []);
  showMine();
  showEnd();
  const { question } = now;
  byId("ask").hidden = game.you === null || Boolean(now.end);
  byId("ask").classList.toggle("mine", Boolean(question));
  byId("notes").hidden = !now.notes?.length;
  byId("notes").textContent = (now.notes ?? []).join("; ");
  byId("purse").textContent = purse();
  byId("help").hidden = !question?.help;
  byId("help").textContent = question?.help ?? "";
  if (!question) {
    byId("phase").textContent = "Not your turn";
    byId("tools").hidden = byId("typed").hidden = true;
    choice = { verb: null, args: [] };
    showChoice();
    return;
  }
  byId("tools").hidden = byId("typed").hidden = false;
  byId("phase").textContent = `Your turn: ${plain(question.phase ?? "")}${question.secret ? " (in secret)" : ""}`;
  byId("auto").textContent = `Leave this phase to ${game.adviser || "a bot"}`;
  byId("auto").disabled = question.suggested === null;
  if (question.id !== lastQuestion) {
    lastQuestion = question.id;
    told("");
    restart();
  } else {
    showChoice();
  }
}

// --- choosing -------------------------------------------------------------------------------------------
const step = () => (now.question ? nextStep(game, now.question.options, choice) : null);

// Chooses what can be only one thing.
function settle() {
  for (;;) {
    const next = step();
    if (!next || next.kind === "done" || next.kind === "verb") break;
    const only = next.values?.length === 1 ? next.values[0] : next.min === next.max ? next.min : undefined;
    if (only === undefined) break;
    auto.push(choice.args.length);
    choice.args.push(only);
  }
  count = null;
  const next = step();
  if (next?.kind === "count") count = next.max;
}

// A new question: the land from which one attacked last is offered first.
function restart() {
  choice = { verb: null, args: [] };
  auto = [];
  const verbs = verbsOf(now.question.options);
  const busyVerbs = verbs.filter((verb) => game.verbs.find(({ name }) => name === verb).parameters.length);
  if (busyVerbs.length === 1) choice.verb = busyVerbs[0];
  settle();
  showChoice();
  // Whoever uses keys goes on where the choices are.
  if (document.activeElement === document.body || byId("ask").contains(document.activeElement)) focusStep();
}

function focusStep() {
  const first = byId("step").querySelector("button, input") ?? byId("verbs").querySelector("button") ?? byId("phase");
  first.focus({ preventScroll: true });
}

function choose(value) {
  if (busy) return;
  choice.args.push(value);
  settle();
  go();
}

// One step back, over what was the only thing possible as well.
function back() {
  while (choice.args.length && auto.at(-1) === choice.args.length - 1) {
    auto.pop();
    choice.args.pop();
  }
  if (choice.args.length) {
    choice.args.pop();
    const next = step();
    count = next?.kind === "count" ? next.max : null;
    showChoice();
  } else {
    restart();
  }
  focusStep();
}

// Sends what is whole; else shows what is left to choose.
function go() {
  const next = step();
  if (next?.kind === "done") send(next.verb, choice.args, false);
  else {
    showChoice();
    focusStep();
  }
}

function send(verb, args, toTheEnd) {
  wish({ do: [verb, ...args], ...(toTheEnd ? { to_the_end: true } : {}) });
}

// A hint: the action, and below it what the bot is after.
const hinted = (body) => [body.told, body.aim].filter(Boolean).join("\n");

async function wish(what) {
  told("");
  const done = await say(what);
  if (done?.told) told(hinted(done));
  // What was refused is chosen anew; the question may be gone meanwhile.
  if (done === null && now.question) restart();
}

const chanceText = (chance) => chance > 0.995 && chance < 1 ? "over 99 %"
  : chance < 0.005 && chance > 0 ? "under 1 %" : `${Math.round(chance * 100)} %`;

const attackOf = (from, to) => now.question?.attacks.find((it) => it.from === from && it.to === to);

// What one should know of a land that can be chosen.
function landHint(id) {
  const index = landAt.get(id);
  const attack = choice.args.length && attackOf(choice.args[0], id);
  const odds = attack
    ? `; ${attack.armies} against ${attack.defenders}` + (attack.chance === null ? "" : `, ${chanceText(attack.chance)} to take it`)
    : "";
  return landText(index) + odds;
}

function bestFrom(id) {
  const attacks = (now.question?.attacks ?? []).filter(({ from, chance }) => from === id && chance !== null);
  const chances = attacks.map(({ chance }) => chance);
  return chances.length ? `best attack ${chanceText(Math.max(...chances))}` : `${armies(landAt.get(id)) ?? "?"}`;
}

function choiceNote(kind, value) {
  if (kind === "territory") {
    const attack = choice.args.length && attackOf(choice.args[0], value);
    if (attack) return `${attack.armies} v ${attack.defenders}${attack.chance === null ? "" : `, ${chanceText(attack.chance)}`}`;
    return choice.args.length ? `${armies(landAt.get(value)) ?? "?"}` : bestFrom(value);
  }
  if (kind === "unit" && choice.args.length) {
    const at = landAt.get(choice.args[0]);
    const number = at === undefined ? undefined : now.state.units[value]?.[at];
    return number === undefined || number === null ? "" : `${number} there`;
  }
  return "";
}

function listChoices({ kind, values, name }) {
  const list = element("ul", "", { class: "choices", "aria-label": plain(name) });
  list.append(...values.map((value) => {
    const button = element("button", valueText(kind, value), { type: "button" });
    const note = choiceNote(kind, value);
    if (note) button.append(" ", element("small", note));
    button.dataset.value = value;
    button.onclick = () => choose(value);
    if (kind === "territory") {
      button.onfocus = button.onmouseenter = () => point(value);
    }
    const row = document.createElement("li");
    row.append(button);
    return row;
  }));
  return list;
}

function numberChoice({ name, min, max, verbs }) {
  const box = element("div", "", { class: "number", role: "group", "aria-label": plain(name) });
  const number = element("input", "", { type: "number", min, max, value: count, id: "number", "aria-label": plain(name), inputmode: "numeric" });
  const range = element("input", "", { type: "range", min, max, value: count, "aria-label": `${plain(name)}, as a slider`, tabindex: "-1" });
  const take = element("button", "", { type: "button", class: "go", id: "take" });
  const set = (value) => {
    count = Math.max(min, Math.min(max, Math.round(value)));
    if (Number(number.value) !== count) number.value = count;
    range.value = count;
    take.textContent = `${plain(verbs[0])} ${count}`;
    showOdds();
  };
  number.oninput = () => {
    if (number.value !== "" && Number.isInteger(Number(number.value))) set(Number(number.value));
  };
  number.onchange = () => set(Number(number.value));
  range.oninput = () => set(Number(range.value));
  const part = (text, value) => {
    const button = element("button", text, { type: "button" });
    button.onclick = () => set(value);
    return button;
  };
  take.onclick = () => choose(count);
  number.onkeydown = (event) => {
    if (event.key === "Enter") choose(count);
    else if (event.key === "+" || event.key === "-") {
      event.preventDefault();
      set(count + (event.key === "+" ? 1 : -1));
    }
  };
  box.append(part("−", 0), number, part("+", 0), range, part("half", Math.max(min, Math.floor(max / 2))), part("all", max), take);
  box.children[0].onclick = () => set(count - 1);
  box.children[2].onclick = () => set(count + 1);
  box.children[0].setAttribute("aria-label", "one less");
  box.children[2].setAttribute("aria-label", "one more");
  if (isAttack()) {
    const end = element("button", "to the end", { type: "button", id: "end" });
    end.title = "Repeats the attack until the territory is captured or no armies are left to attack";
    end.onclick = () => send(verbs[0], [...choice.args, max], true);
    box.append(end);
  }
  set(count);
  return box;
}

const isAttack = () => choice.args.length >= 2 && Boolean(attackOf(choice.args[0], choice.args[1]))
  && !now.question.secret;

let oddsAsked = 0;
async function showOdds() {
  const attack = choice.args.length >= 2 ? attackOf(choice.args[0], choice.args[1]) : null;
  byId("odds").hidden = !attack || attack.chance === null;
  if (!attack || attack.chance === null) return;
  byId("odds").textContent = `${attack.armies} against ${attack.defenders}: ${chanceText(attack.chance)} to take it if you attack to the end`;
  if (!game.odds || !now.question.secret || count === null) return;
  const asked = oddsAsked += 1;
  await pause(120);
  if (asked !== oddsAsked) return;
  const odds = await say({ odds: [count, attack.defenders] });
  if (asked === oddsAsked && odds) {
    byId("odds").textContent = `${count} against ${attack.defenders}: ${chanceText(odds.capture)} to take it`;
  }
}

const pressed = (verb) => String(choice.verb === verb);

function showVerbs(next) {
  const all = verbsOf(now.question.options);
  const plainOnes = all.filter((verb) => !game.verbs.find(({ name }) => name === verb).parameters.length);
  const others = all.filter((verb) => !plainOnes.includes(verb));
  const buttons = others.length > 1 || next?.kind === "verb" ? others.map((verb) => {
    const button = element("button", plain(verb), { type: "button", "aria-pressed": pressed(verb) });
    button.onclick = () => {
      choice = { verb: choice.verb === verb ? null : verb, args: fits(verb) ? choice.args : [] };
      if (!choice.args.length) auto = [];
      settle();
      go();
    };
    return button;
  }) : [];
  const ends = plainOnes.map((verb) => {
    const button = element("button", plain(verb), { type: "button", class: all.length === 1 ? "go" : "" });
    button.onclick = () => send(verb, [], false);
    return button;
  });
  byId("verbs").replaceChildren(...buttons, ...ends);
}

const fits = (verb) => fitting(now.question.options, { verb, args: choice.args }).length > 0;

function showChoice() {
  const next = step();
  const map = byId("map");
  map.classList.toggle("choosing", next?.kind === "territory");
  map.classList.toggle("grey", byId("palette").value === "grey");
  showOnMap(next);
  moveMap();
  if (!next) {
    for (const id of ["verbs", "step"]) byId(id).replaceChildren();
    byId("sofar").textContent = "";
    byId("odds").hidden = true;
    return;
  }
  showVerbs(next);
  const verb = choice.verb ?? (next.verbs?.length === 1 ? next.verbs[0] : null);
  const info = game.verbs.find(({ name }) => name === verb);
  byId("usage").textContent = info ? [verb, ...info.parameters.map(({ name }) => name.toUpperCase())].join(" ") : "attack alaska kamchatka, say";
  const soFar = choice.args.map((value, at) => {
    const parameter = (info ?? game.verbs.find(({ name }) => name === next.verbs[0])).parameters[at];
    return valueText(parameter.kind, value);
  });
  byId("sofar").textContent = soFar.length ? `${verb ? `${plain(verb)}: ` : ""}${soFar.join(" → ")}` : "";
  const parts = [];
  if (next.values) {
    const where = { at: "where", from: "from where", to: "where to" };
    const what = next.kind === "territory" ? `${where[next.name] ?? plain(next.name)}, here or on the map` : plain(next.name);
    parts.push(element("p", `Choose ${what}:`), listChoices(next));
  } else if (next.kind === "count") {
    parts.push(numberChoice(next));
  } else if (next.kind === "done") {
    const take = element("button", plain(next.verb), { type: "button", class: "go", id: "take" });
    take.onclick = () => send(next.verb, choice.args, false);
    parts.push(take);
    if (isAttack()) {
      const end = element("button", "to the end", { type: "button", id: "end" });
      end.onclick = () => send(next.verb, choice.args, true);
      parts.push(" ", end);
    }
  }
  if (choice.args.length > auto.length) {
    const button = element("button", "Back (Esc)", { type: "button" });
    button.onclick = back;
    parts.push(button);
  }
  byId("step").replaceChildren(...parts);
  showOdds();
}

// --- the map --------------------------------------------------------------------------------------------
const point = (id) => { byId("point").textContent = landHint(id); };

function showOnMap(next) {
  const can = new Set(next?.kind === "territory" ? next.values : []);
  game.map.territories.forEach(({ id }, index) => {
    const land = byId(`land-${index}`);
    const open = can.has(id);
    land.classList.toggle("can", open);
    land.classList.toggle("chosen", choice.args.includes(id));
    land.setAttribute("role", open ? "button" : "img");
    land.setAttribute("aria-label", open ? landHint(id) : landText(index));
    if (open) land.setAttribute("tabindex", "0");
    else land.removeAttribute("tabindex");
  });
}

// Where the map is wider than its place, what matters is moved into sight.
function moveMap() {
  const box = document.querySelector(".map");
  if (box.scrollWidth <= box.clientWidth) return;
  const lands = [...document.querySelectorAll("svg .chosen, svg .can")];
  const place = box.getBoundingClientRect();
  const middle = (land) => {
    const { x, width } = byId(`armies-${land.id.slice(5)}`).getBoundingClientRect();
    return x + width / 2;
  };
  const inSight = (land) => middle(land) > place.left + 8 && middle(land) < place.right - 8;
  const first = lands.find((land) => land.matches(".chosen")) ?? lands[0];
  if (first && !(lands.some((land) => land.matches(".can") && inSight(land)) && inSight(first))) {
    box.scrollLeft += middle(first) - (place.left + place.right) / 2;
  }
}

// Another land than those that are offered may be chosen after a step back: of one's own, say.
function pressLand(id) {
  const next = step();
  if (next?.kind === "territory" && next.values.includes(id)) {
    choose(id);
    return;
  }
  const before = { choice: structuredClone(choice), auto: [...auto] };
  choice = { verb: choice.verb, args: [] };
  auto = [];
  const first = step();
  if (first?.kind === "territory" && first.values.includes(id)) choose(id);
  else ({ choice, auto } = before);
}

function listenToMap() {
  game.map.territories.forEach(({ id }, index) => {
    landAt.set(id, index);
    const land = byId(`land-${index}`);
    land.addEventListener("click", () => now?.question && pressLand(id));
    land.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        if (now?.question) pressLand(id);
      }
    });
    for (const kind of ["mouseenter", "focus"]) land.addEventListener(kind, () => now?.state && point(id));
  });
}

// --- keys -----------------------------------------------------------------------------------------------
function moveInList(event) {
  const buttons = [...document.querySelectorAll(".choices button")];
  const at = buttons.indexOf(document.activeElement);
  if (at < 0) return false;
  const to = { ArrowDown: at + 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowLeft: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
  if (to !== undefined) {
    buttons[(to + buttons.length) % buttons.length].focus();
    return true;
  }
  if (/^\p{L}$/u.test(event.key)) {
    const turned = [...buttons.slice(at + 1), ...buttons.slice(0, at + 1)];
    const found = turned.find((button) => button.textContent.toLowerCase().startsWith(event.key.toLowerCase()));
    found?.focus();
    return Boolean(found);
  }
  return false;
}

function listenToKeys() {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Escape") {
      if (document.activeElement === byId("words")) focusStep();
      else if (now?.question) back();
      return;
    }
    if (/^(SELECT|INPUT)$/.test(event.target.tagName)) return;
    if (moveInList(event)) {
      event.preventDefault();
      return;
    }
    const keys = { u: () => wish({ undo: true }), h: () => wish({ hint: true }), "/": () => byId("words").focus() };
    if (!keys[event.key] || !now?.question) return;
    event.preventDefault();
    keys[event.key]();
  });
}

function listen() {
  byId("undo").onclick = () => wish({ undo: true });
  byId("hint").onclick = () => wish({ hint: true });
  byId("auto").onclick = () => wish({ auto: true });
  byId("typed").onsubmit = async (event) => {
    event.preventDefault();
    const words = byId("words").value.trim();
    if (!words) return;
    const wishes = { undo: { undo: true }, hint: { hint: true }, auto: { auto: true } };
    const done = await say(wishes[words] ?? { say: words });
    if (done) byId("words").value = "";
    if (done) told(hinted(done));
  };
  for (const id of ["palette", "patterns", "theme"]) {
    byId(id).onchange = () => {
      setTheme();
      keepLook(byId("theme").value);
      if (now?.state) show();
    };
  }
}

function setTheme() {
  document.documentElement.dataset.theme = byId("theme").value;
}

function remember() {
  const look = rememberedLook();
  putLook(look);
  byId("theme").value = look.theme ?? "";
  setTheme();
}

// Empty lines separate paragraphs; a line that begins with a dash is an item of a list.
function showRules() {
  if (!game.rules) return;
  const box = byId("rules");
  box.hidden = false;
  for (const block of game.rules.split(/\n\s*\n/)) {
    let last = null;
    for (const line of block.split("\n").map((line) => line.trim()).filter(Boolean)) {
      if (line.startsWith("- ")) {
        const list = box.lastElementChild.tagName === "UL" ? box.lastElementChild : document.createElement("ul");
        box.append(list);
        last = element("li", line.slice(2));
        list.append(last);
      } else if (last) {
        last.append(` ${line}`);
      } else {
        last = element("p", line);
        box.append(last);
      }
    }
  }
}

async function begin() {
  remember();
  addEventListener("hashchange", () => location.reload());
  for (;;) {
    try {
      const answer = await fetch("/game", { headers: head() });
      game = await answer.json();
      if (answer.ok) break;
      trouble(game.error);
      return;
    } catch {
      trouble("Can't reach the program.");
      await pause(2000);
    }
  }
  if (game.you !== null) document.querySelector("h1").append(` — ${game.players[game.you]}`);
  byId("dice").hidden = !game.commitment;
  if (game.commitment) byId("dice").append("Dice settled before the game: ", element("code", game.commitment));
  byId("map").setAttribute("aria-label", game.map.name);
  byId("map").setAttribute("role", "group");
  showRules();
  listenToMap();
  listenToKeys();
  listen();
  follow();
}

begin();
