// The page of a person or an onlooker at the table. A backend says how things stand; the page keeps nothing
// of it, and sends what is chosen. docs/play.md describes both.

import { back, focusStep, landHint, moveInList, onChoice, playHint, point, pressLand, restart, showChoice, showHint, step,
  wish } from "#arena/panel";
import { follow, join, say, saveReplay, showReply, talkTo } from "#arena/talk";
import { shown } from "#arena/shown";
import { Playback } from "#arena/playback";
import { landAt, seen, state, stateOf, table } from "#arena/table";
import { actionText, cardTitle, endText, landText, parametersOf, plain, playerName, titleOf } from "#arena/words";
import { captionOf, strokesOf } from "#report/acts";
import { captionParts, storyParts } from "#report/story";
import { colourOf, listenToLook, rememberLook, setColours, showSwatches } from "#report/colours";
import { showHints } from "#report/hints";
import { byId, element, showStory } from "#report/dom";
import { BoardMap } from "#report/map";
import { showPlayers } from "#report/players";

/** The colour of territories without an owner. */
const NOBODY = String(document.body.dataset.nobody);
let lastQuestion = 0;
let answered = 0;
/** The state of the step that is shown. */
let before = /** @type {import("#report/types").State | undefined} */ (undefined);
const playback = new Playback(showStep);
/** The owners when this player was asked last, and before that. */
let ownersAsked = /** @type {(number | null)[] | null} */ (null);
let ownersBefore = /** @type {(number | null)[] | null} */ (null);
/** @type {BoardMap} */
let map;

// --- how things stand -------------------------------------------------------------------------------------
function showWhen() {
  const { game, now } = table;
  if (!now) return;
  const { question, waits, end } = now;
  const number = seen.timeline?.latest.when[1];
  const round = number ? `Round ${number}` : "Set-up";
  const seat = question ? game.you : waits?.seat ?? null;
  const who = question ? "your turn" : waits === null ? "the others play"
    : waits.seat === null ? "others decide in secret" : `waiting for ${game.players[waits.seat]}`;
  const box = byId("when");
  box.textContent = end ? "The game is over" : `${round}: ${who}`;
  box.classList.toggle("yours", Boolean(question));
  box.style.borderColor = seat === null || end ? "transparent" : colourOf(seat);
  document.title = `${question ? "● " : ""}${game.title}`;
}

function showEnd() {
  const end = table.now?.end;
  byId("over").hidden = !end;
  if (!end) return;
  byId("banner").hidden = false;
  byId("banner").textContent = endText();
  byId("result").textContent = endText();
  byId("ranking").replaceChildren(...end.ranking.map(({ seat, place, score }) =>
    element("li", `${playerName(seat)}: score ${score}`, { value: place })));
  const { record } = table.game;
  const button = element("button", "Save the replay as a page", { type: "button" });
  button.onclick = saveReplay;
  byId("keep").replaceChildren(button,
    record ? ` The record is ${record}: replay it with risk-cli replay ${record}.` : "");
  byId("revealed").hidden = !end.salt;
  if (end.salt) {
    byId("revealed").replaceChildren("The dice came from the seed ", element("code", end.seed), ", with the salt ",
      element("code", end.salt), ".");
  }
  if (!byId("over").dataset.seen) {
    byId("over").dataset.seen = "yes";
    byId("result").focus();
  }
}

function showMine() {
  const { game, now } = table;
  const { piles, orders } = state();
  /** @type {Element[]} */
  const lists = [];
  for (const [name, { players }] of Object.entries(piles)) {
    const cards = game.you === null ? null : players[game.you]?.cards;
    const heading = titleOf("piles", name);
    if (!cards?.length || heading === null) continue;
    const list = document.createElement("ul");
    list.append(...cards.map((name) => {
      const card = game.cards.find((it) => it.name === name);
      return element("li", card?.tell ? `${cardTitle(name)}: ${card.tell}` : cardTitle(name));
    }));
    if (players.some(({ cards: of }) => of === null)) {
      lists.unshift(element("h2", `Your ${heading}`), list);
    } else {
      // What lies open needs no room of its own.
      const box = document.createElement("details");
      box.append(element("summary", `Your ${heading}, for all to see: ${cards.length}`), list);
      lists.push(box);
    }
  }
  byId("piles").replaceChildren(...lists);
  const list = document.createElement("ol");
  list.append(...orders.map((order, at) => {
    const row = element("li", actionText(order));
    if (now?.question) {
      const button = element("button", "Take back", { type: "button", "aria-label": `Take back: ${actionText(order)}` });
      button.onclick = () => wish({ retract: at });
      row.append(button);
    }
    return row;
  }));
  byId("orders").replaceChildren(...(orders.length ? [element("h2", "Your pending orders"), list] : []));
  byId("mine").hidden = !lists.length && !orders.length;
}

/** Draws pending orders on the map: arrows between two territories, and numbers at one. */
function showOrders() {
  /** @type {import("#report/acts").Stroke[]} */
  const strokes = [];
  /** @type {{ at: number, text: string }[]} */
  const notes = [];
  for (const [verb, ...values] of state().orders) {
    const kinds = parametersOf(verb).map(({ kind }) => kind);
    const lands = values.filter((_, at) => kinds[at] === "territory").map((id) => landAt.get(id) ?? 0);
    const count = Number(values.find((_, at) => kinds[at] === "count") ?? 0);
    if (lands.length >= 2) {
      const [from, to] = lands;
      strokes.push({ kind: "move", from, to, seat: table.game.you ?? -1, count, attackers: 0, defenders: 0, lost: 0,
        killed: 0, captured: false, rolls: [], tries: [] });
      if (count) notes.push({ at: to, text: `${plain(verb)} ${count}` });
    } else if (lands.length === 1) {
      notes.push({ at: lands[0], text: count ? `+${count}` : plain(verb) });
    }
  }
  map.showActs(strokes, colourOf, false, notes);
}

function showChanges() {
  const { owners } = state();
  if (table.now?.question && table.now.question.id !== lastQuestion) {
    ownersBefore = ownersAsked;
    ownersAsked = owners;
  }
  return (/** @type {number} */ index) => ownersBefore !== null && owners[index] !== null
    && ownersBefore[index] !== null && ownersBefore[index] !== owners[index];
}

/**
 * Shows a step of the game: what others did, or how things stand.
 * @param {number} at
 * @param {boolean} walks whether the step follows the one that was shown
 */
function showStep(at, walks) {
  const timeline = /** @type {import("#report/timeline").Timeline} */ (seen.timeline);
  const frame = timeline.frames[at];
  if (!frame) return;
  before = timeline.stateAt(at, before);
  const isLast = at === timeline.last;
  const all = shown(isLast ? state() : stateOf(before));
  showPlayers(all);
  showHints(table.game.head.board, all, table.game.head.marks);
  map.showMarks(stateOf(before).marks);
  map.showClosed(before.closed);
  map.show(all, NOBODY, isLast ? showChanges() : () => false);
  byId("skip").hidden = isLast;
  showStory(storyParts(timeline, at), true);
  const parts = captionParts(timeline.head, captionOf(frame.t ?? []));
  // A step that only begins something leaves the text of the last one.
  if (parts.length) byId("caption").replaceChildren(...parts);
  const strokes = strokesOf(frame.a ?? []);
  if (isLast && !strokes.length) showOrders();
  else map.showActs(strokes, colourOf, walks);
}

/** @param {boolean} begins whether the game begins anew, as after a step back */
function show(begins) {
  showWhen();
  const { game, now } = table;
  const { timeline } = seen;
  if (!now || !timeline || timeline.last < 0) return;
  showSwatches();
  if (begins) before = undefined;
  // Whoever answers has seen enough of what came before.
  if (answered !== table.answered && playback.isBusy) playback.skip();
  answered = table.answered;
  playback.goOn(timeline.last, (at) => Boolean(timeline.frames[at].t ?? timeline.frames[at].a), begins);
  game.map.territories.forEach((_, index) => {
    byId(`land-${index}`).querySelector("title").textContent = landText(index);
  });
  showMine();
  showEnd();
  const { question } = now;
  byId("ask").hidden = game.you === null || Boolean(now.end);
  byId("ask").classList.toggle("mine", Boolean(question));
  byId("notes").hidden = !now.notes?.length;
  byId("notes").textContent = (now.notes ?? []).join("; ");
  byId("purse").textContent = game.you === null ? "" : (now.states ?? []).join(", ");
  byId("help").hidden = !question?.help;
  byId("help").textContent = question?.help ?? "";
  byId("tools").hidden = byId("typed").hidden = !question;
  if (!question) {
    byId("phase").textContent = "Not your turn";
    table.choice = { verb: null, args: [] };
    showChoice();
    return;
  }
  byId("phase").textContent = `Your turn: ${plain(question.phase ?? "")}${question.secret ? " (in secret)" : ""}`;
  byId("auto").textContent = `Leave this phase to ${game.adviser || "a bot"}`;
  byId("auto").disabled = question.suggested === null && !question.searches;
  if (question.id === lastQuestion) {
    showChoice();
    return;
  }
  lastQuestion = question.id;
  delete byId("resign").dataset.sure;
  showReply("");
  table.hinted = [];
  byId("take-hint").hidden = true;
  point();
  restart();
}

// --- the map ----------------------------------------------------------------------------------------------
function markMap() {
  const next = step();
  const can = new Set(next?.kind === "territory" ? next.values : []);
  const svg = byId("map");
  svg.classList.toggle("choosing", next?.kind === "territory");
  table.game.map.territories.forEach(({ id }, index) => {
    const land = byId(`land-${index}`);
    const isOpen = can.has(id);
    land.classList.toggle("can", isOpen);
    land.classList.toggle("chosen", table.choice.args.includes(id));
    land.classList.toggle("hinted", table.hinted.includes(id));
    land.setAttribute("role", isOpen ? "button" : "img");
    land.setAttribute("aria-label", seen.timeline ? isOpen ? landHint(id) : landText(index) : id);
    if (isOpen) land.setAttribute("tabindex", "0");
    else land.removeAttribute("tabindex");
  });
}

function listenToMap() {
  table.game.map.territories.forEach(({ id }, index) => {
    landAt.set(id, index);
    const land = byId(`land-${index}`);
    land.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      if (table.now?.question) pressLand(id);
    });
    for (const kind of ["mouseenter", "focus"]) land.addEventListener(kind, () => seen.timeline && point(id));
  });
  byId("map").addEventListener("mouseleave", () => point());
}

// --- keys and buttons ---------------------------------------------------------------------------------------
function listenToKeys() {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Escape") {
      const isChoosing = document.activeElement?.closest("#step, #verbs, svg");
      if (table.now?.question) {
        if (isChoosing) back();
        else focusStep();
      }
      return;
    }
    const target = /** @type {HTMLElement} */ (event.target);
    const isNumber = target.matches("#number, #step input[type=range]");
    if (target.matches("select, input") && !isNumber) return;
    // A letter that is no key would empty a number.
    if (isNumber && /^\D$/u.test(event.key)) event.preventDefault();
    if (event.key === "?") {
      byId("settings").open = true;
      byId("settings").scrollIntoView({ block: "nearest" });
      return;
    }
    if (!table.now?.question) {
      if (event.key === "s") playback.skip();
      else if (moveInList(event)) event.preventDefault();
      return;
    }
    // A digit begins a number, wherever the focus is.
    const number = document.getElementById("number");
    if (/^\d$/.test(event.key) && number && target !== number) {
      focusStep();
      return;
    }
    /** @type {Record<string, () => void>} */
    const keys = {
      u: () => wish({ undo: true }), h: () => wish({ hint: true }), "/": () => byId("words").focus(),
      t: () => { if (!byId("take-hint").hidden) playHint(); }, s: () => playback.skip(),
    };
    // These letters do what the help says, also in a list in which other letters find names.
    const act = keys[event.key] ?? (moveInList(event) ? () => {} : undefined);
    if (!act) return;
    event.preventDefault();
    act();
  });
}

/** Shows what has the focus after a key. A click or tap does not move the page. */
function followFocus() {
  addEventListener("keyup", () => {
    if (document.activeElement?.closest("#ask")) document.activeElement.scrollIntoView({ block: "nearest" });
  });
}

/** Gives up, once the person has read what that means. */
function resign() {
  if (byId("resign").dataset.sure) {
    wish({ resign: true });
    return;
  }
  byId("resign").dataset.sure = "yes";
  showReply("The game goes on without you, you are ranked last, and you can't undo it. Press Resign again to give up.");
}

function listen() {
  byId("undo").onclick = () => wish({ undo: true });
  byId("hint").onclick = () => wish({ hint: true });
  byId("auto").onclick = () => wish({ auto: true });
  byId("take-hint").onclick = playHint;
  byId("resign").onclick = resign;
  byId("typed").onsubmit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const words = byId("words").value.trim();
    if (!words) return;
    if (words.toLowerCase() === "resign") {
      byId("words").value = "";
      resign();
      return;
    }
    const wishes = /** @type {Record<string, object>} */ ({ undo: { undo: true }, hint: { hint: true }, auto: { auto: true } });
    const done = await say(/** @type {any} */ (wishes[words] ?? { say: words }));
    if (!done) return;
    byId("words").value = "";
    showHint(done);
  };
  listenToLook(() => { if (table.now) show(false); });
  byId("skip").onclick = () => playback.skip();
}

/** Shows how to win, which the rules begin with. */
function showGoal() {
  const found = /^\s*Goal: (.*?)(\n\s*\n|$)/s.exec(table.game.rules ?? "");
  byId("goal").hidden = !found;
  if (found) byId("goal").append(element("b", "How to win: "), found[1].replace(/\s+/g, " "));
}

/** Shows the rules. Empty lines separate paragraphs; a line that begins with a dash is an item of a list. */
function showRules() {
  const { rules } = table.game;
  if (!rules) return;
  const box = byId("rules");
  box.hidden = false;
  for (const block of rules.split(/\n\s*\n/)) {
    let last = /** @type {Element | null} */ (null);
    for (const line of block.split("\n").map((text) => text.trim()).filter(Boolean)) {
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

/** Shows who looks at the table, and what does not change for them. */
function showGame() {
  const { game } = table;
  byId("who").textContent = game.you === null ? "" : `: ${game.players[game.you]}`;
  byId("dice").hidden = !game.commitment;
  if (game.commitment) byId("dice").replaceChildren("Dice settled before the game: ", element("code", game.commitment));
  byId("map").setAttribute("aria-label", game.map.name);
  byId("map").setAttribute("role", "group");
  setColours(game.head.players.map(({ colour }) => colour));
}

/**
 * Lets another person look at the table. Nothing that only the person before may see stays on the page.
 * @param {import("#arena/types").Game} game as that person sees it
 */
export function seat(game) {
  playback.skip();
  Object.assign(table, { game, now: null, choice: { verb: null, args: [] }, auto: [], count: null, answered: 0, hinted: [] });
  Object.assign(seen, { epoch: 0, timeline: null });
  [lastQuestion, answered, before, ownersAsked, ownersBefore] = [0, 0, undefined, null, null];
  Object.assign(playback, { at: -1, last: -1 });
  showReply("");
  showGame();
}

/**
 * Begins to show a game.
 * @param {import("#arena/types").Backend} backend what runs it
 */
export async function begin(backend) {
  talkTo(backend);
  if (!await join()) return;
  const { game } = table;
  const { territories } = game.map;
  rememberLook();
  showGame();
  showGoal();
  showRules();
  listenToMap();
  map = new BoardMap({
    names: territories.map(({ name }) => name), units: game.head.board.units,
    hints: game.head.board,
    plaques: game.head.groups,
  }, (index) => {
    point(territories[index].id);
    if (table.now?.question) pressLand(territories[index].id);
  });
  onChoice(markMap);
  listenToKeys();
  followFocus();
  listen();
  Object.assign(globalThis, { risk: table });
  follow(show);
}
