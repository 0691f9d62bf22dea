// The decision: what may be chosen, by clicks and by keys.

import { fitting, nextStep, verbsOf } from "#arena/choice";
import { pause, say, showReply } from "#arena/talk";
import { landAt, state, table } from "#arena/table";
import { armiesAt, attackOf, chanceText, landText, parametersOf, plain, valueText } from "#arena/words";
import { byId, element } from "#report/dom";

/** The number of steps of a hint that are written out. */
const MOST_STEPS = 4;

/** @typedef {import("#arena/types").Value} Value */
/** @typedef {import("#arena/types").Step} Step */

/** The territories that can be chosen or are chosen have changed. Set by the page. */
let markMap = () => {};

/** @param {() => void} mark called when other territories can be chosen */
export function onChoice(mark) {
  markMap = mark;
}

const question = () => table.now?.question ?? null;

/** Returns what to choose next, or null if there is no question. */
export function step() {
  const open = question();
  return open ? nextStep(table.game.verbs, open.options, table.choice) : null;
}

/** Chooses what can be only one thing. */
function settle() {
  for (;;) {
    const next = step();
    if (!next || next.kind === "done" || next.kind === "verb") break;
    const only = next.values?.length === 1 ? next.values[0] : next.min === next.max ? next.min : undefined;
    if (only === undefined) break;
    table.auto.push(table.choice.args.length);
    table.choice.args.push(only);
  }
  const next = step();
  table.count = next?.kind === "count" ? next.max ?? null : null;
}

/** Begins with a question. */
export function restart() {
  table.choice = { verb: null, args: [] };
  table.auto = [];
  const verbs = verbsOf(question()?.options ?? []).filter((verb) => parametersOf(verb).length);
  if (verbs.length === 1) table.choice.verb = verbs[0];
  settle();
  showChoice();
  // The keyboard continues with the next choice.
  if (document.activeElement === document.body || byId("ask").contains(document.activeElement)) focusStep();
}

export function focusStep() {
  const choice = document.getElementById("number") ?? byId("step").querySelector(".choices button, input, .go");
  const first = choice ?? byId("verbs").querySelector("button") ?? byId("step").querySelector("button") ?? byId("phase");
  first.focus({ preventScroll: true });
  if (first.id === "number") first.select();
}

/** @param {Value} value */
export function choose(value) {
  if (table.busy) return;
  table.choice.args.push(value);
  settle();
  go();
}

/** Goes one step back, over what was the only thing possible as well. */
export function back() {
  const { choice, auto } = table;
  while (choice.args.length && auto.at(-1) === choice.args.length - 1) {
    auto.pop();
    choice.args.pop();
  }
  if (choice.args.length) {
    choice.args.pop();
    const next = step();
    table.count = next?.kind === "count" ? next.max ?? null : null;
    showChoice();
  } else {
    restart();
  }
  focusStep();
}

/** Sends what is whole; else shows what is left to choose. */
function go() {
  const next = step();
  if (next?.kind === "done") {
    send(String(next.verb), table.choice.args, false);
    return;
  }
  showChoice();
  focusStep();
}

/**
 * @param {string} verb
 * @param {Value[]} args
 * @param {boolean} toTheEnd
 */
function send(verb, args, toTheEnd) {
  wish({ do: [verb, ...args], ...(toTheEnd ? { to_the_end: true } : {}) });
}

/**
 * Sends an answer or a request, and shows the reply.
 * @param {Record<string, unknown>} what
 */
export async function wish(what) {
  showReply("");
  takeHint([]);
  const done = await say(what);
  if (done?.told) showHint(done);
  // What was refused is chosen anew; the question may be gone meanwhile.
  if (done === null && question()) restart();
}

/** @param {string[]} marks the territories of a hint */
function takeHint(marks) {
  table.hinted = marks;
  byId("take-hint").hidden = !marks.length && !byId("reply").textContent;
  markMap();
}

/**
 * Shows a hint: the action, and below it what the bot is after. Its territories are marked on the map.
 * @param {import("#arena/types").Reply} reply
 */
export function showHint(reply) {
  // A plan for a whole turn would push the choices out of sight.
  const steps = (reply.told ?? "").split(", ");
  const others = steps.length - MOST_STEPS;
  const advice = steps.slice(0, MOST_STEPS).join(", ") + (others > 0 ? ` and ${others} more` : "");
  showReply([advice, reply.aim].filter(Boolean).join("\n"));
  const asked = question();
  if (asked && reply.suggested) asked.suggested = reply.suggested;
  takeHint(reply.marks ?? []);
}

/** Plays what was suggested. */
export function playHint() {
  const suggested = question()?.suggested;
  if (suggested) wish({ say: suggested });
}

/**
 * Returns what one should know of a territory that can be chosen.
 * @param {Value} id
 */
export function landHint(id) {
  const attack = table.choice.args.length ? attackOf(table.choice.args[0], id) : undefined;
  const odds = attack
    ? `; ${attack.armies} against ${attack.defenders}${attack.chance === null ? "" : `, ${chanceText(attack.chance)} to take it`}`
    : "";
  return landText(landAt.get(id) ?? 0) + odds;
}

/** @param {Value} id */
const armiesOf = (id) => `${armiesAt(landAt.get(id) ?? 0) ?? "?"}`;

/** @param {Value} id */
function bestFrom(id) {
  const attacks = (question()?.attacks ?? []).filter(({ from, chance }) => from === id && chance !== null);
  const chances = attacks.map(({ chance }) => Number(chance));
  return chances.length ? `best attack ${chanceText(Math.max(...chances))}` : armiesOf(id);
}

/**
 * @param {string} kind
 * @param {Value} value
 */
function choiceNote(kind, value) {
  const { args } = table.choice;
  if (kind === "territory") {
    const attack = args.length ? attackOf(args[0], value) : undefined;
    if (attack) {
      return `${attack.armies} v ${attack.defenders}${attack.chance === null ? "" : `, ${chanceText(attack.chance)}`}`;
    }
    return args.length ? armiesOf(value) : bestFrom(value);
  }
  if (kind === "unit" && args.length) {
    const at = landAt.get(args[0]);
    const number = at === undefined ? undefined : state().units[value]?.[at];
    return number === undefined || number === null ? "" : `${number} there`;
  }
  return "";
}

/** @param {Step} step */
function listChoices({ kind, values = [], name = "" }) {
  const list = element("ul", "", { class: "choices", "aria-label": plain(name) });
  list.append(...values.map((value) => {
    const button = element("button", valueText(kind, value), { type: "button" });
    const note = choiceNote(kind, value);
    if (note) button.append(" ", element("small", note));
    button.dataset.value = value;
    button.onclick = () => choose(value);
    if (kind === "territory") {
      for (const event of ["focus", "mouseenter"]) button.addEventListener(event, () => point(value));
    }
    const row = document.createElement("li");
    row.append(button);
    return row;
  }));
  return list;
}

/** @param {Step} step */
function numberChoice({ name = "", min = 0, max = 0, verbs = [] }) {
  const box = element("div", "", { class: "number", role: "group", "aria-label": plain(name) });
  const number = element("input", "", { type: "number", min, max, value: table.count ?? max, id: "number",
    "aria-label": `${plain(name)}, ${min} to ${max}`, inputmode: "numeric" });
  const range = element("input", "", { type: "range", min, max, value: table.count ?? max,
    "aria-label": `${plain(name)}, as a slider`, tabindex: "-1" });
  const take = element("button", "", { type: "button", class: "go", id: "take" });
  const set = (/** @type {number} */ value) => {
    table.count = Math.max(min, Math.min(max, Math.round(value)));
    if (Number(number.value) !== table.count) number.value = table.count;
    range.value = table.count;
    take.textContent = `${plain(verbs[0])} ${table.count}`;
    showOdds();
  };
  const by = (/** @type {number} */ change) => set((table.count ?? max) + change);
  number.oninput = () => {
    if (number.value !== "" && Number.isInteger(Number(number.value))) set(Number(number.value));
  };
  number.onchange = () => set(Number(number.value));
  range.oninput = () => set(Number(range.value));
  const part = (/** @type {string} */ text, /** @type {string} */ label, /** @type {() => void} */ act) => {
    const button = element("button", text, { type: "button", ...(label ? { "aria-label": label } : {}) });
    button.onclick = act;
    return button;
  };
  take.onclick = () => choose(table.count ?? max);
  const steps = [part("−", "one less", () => by(-1)), part("+", "one more", () => by(1))];
  box.append(steps[0], number, steps[1], range,
    part("half", "", () => set(Math.max(min, Math.floor(max / 2)))), part("all", "", () => set(max)), take);
  if (isAttack()) {
    const end = element("button", "to the end", { type: "button", id: "end" });
    end.title = "Repeats the attack until the territory is captured or no armies are left to attack";
    end.onclick = () => send(verbs[0], [...table.choice.args, max], true);
    box.append(end);
  }
  box.onkeydown = (/** @type {KeyboardEvent} */ event) => {
    // Enter confirms the number wherever the focus is, except on a button that does something else.
    const confirms = event.key === "Enter" && (event.target === number || steps.includes(event.target));
    const change = /** @type {Record<string, number>} */ ({ "+": 1, "-": -1, "−": -1 })[event.key];
    if (!confirms && change === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (confirms) choose(table.count ?? max);
    else by(change);
  };
  set(table.count ?? max);
  return box;
}

const isAttack = () => {
  const [from, to] = table.choice.args;
  return to !== undefined && Boolean(attackOf(from, to)) && !question()?.secret;
};

let oddsAsked = 0;
async function showOdds() {
  const [from, to] = table.choice.args;
  const attack = to === undefined ? undefined : attackOf(from, to);
  byId("odds").hidden = !attack || attack.chance === null;
  if (!attack || attack.chance === null) return;
  const { armies, defenders, chance } = attack;
  byId("odds").textContent = `${armies} against ${defenders}: ${chanceText(chance)} to take it if you attack to the end`;
  const { count } = table;
  if (!table.game.odds || !question()?.secret || count === null) return;
  oddsAsked += 1;
  const asked = oddsAsked;
  await pause(120);
  if (asked !== oddsAsked) return;
  const odds = await say({ odds: [count, defenders] });
  if (asked === oddsAsked && odds) {
    byId("odds").textContent = `${count} against ${defenders}: ${chanceText(odds.capture ?? 0)} to take it`;
  }
}

/** @param {Step} next */
function showVerbs(next) {
  const options = question()?.options ?? [];
  const all = verbsOf(options);
  const alone = all.filter((verb) => !parametersOf(verb).length);
  const others = all.filter((verb) => !alone.includes(verb));
  const fits = (/** @type {string} */ verb) => fitting(options, { verb, args: table.choice.args }).length > 0;
  const buttons = others.length > 1 || next.kind === "verb" ? others.map((verb) => {
    const isChosen = table.choice.verb === verb;
    const button = element("button", plain(verb), { type: "button", "aria-pressed": String(isChosen) });
    button.onclick = () => {
      table.choice = { verb: isChosen ? null : verb, args: fits(verb) ? table.choice.args : [] };
      if (!table.choice.args.length) table.auto = [];
      settle();
      go();
    };
    return button;
  }) : [];
  const ends = alone.map((verb) => {
    const button = element("button", plain(verb), { type: "button", class: all.length === 1 ? "go" : "" });
    button.onclick = () => send(verb, [], false);
    return button;
  });
  byId("verbs").replaceChildren(...buttons, ...ends);
}

/** Shows what may be chosen next. */
export function showChoice() {
  const next = step();
  markMap();
  if (!next) {
    for (const id of ["verbs", "step"]) byId(id).replaceChildren();
    byId("sofar").textContent = "";
    byId("odds").hidden = true;
    return;
  }
  showVerbs(next);
  const { choice, auto } = table;
  const verb = choice.verb ?? (next.verbs?.length === 1 ? next.verbs[0] : null);
  byId("usage").textContent = verb ? [verb, ...parametersOf(verb).map(({ name }) => name.toUpperCase())].join(" ")
    : verbsOf(question()?.options ?? []).join(", ");
  const kinds = parametersOf(verb ?? next.verbs?.[0] ?? "");
  const soFar = choice.args.map((value, at) => valueText(kinds[at].kind, value));
  byId("sofar").textContent = soFar.length ? `${verb ? `${plain(verb)}: ` : ""}${soFar.join(" → ")}` : "";
  const parts = [];
  if (next.values) {
    const where = /** @type {Record<string, string>} */ ({ at: "where", from: "from where", to: "where to" });
    const name = next.name ?? "";
    const what = next.kind === "territory" ? `${where[name] ?? plain(name)}, here or on the map` : plain(name);
    parts.push(element("p", `Choose ${what}:`), listChoices(next));
  } else if (next.kind === "count") {
    parts.push(numberChoice(next));
  } else if (next.kind === "verb") {
    parts.push(element("p", "Choose one of the actions above."));
  } else if (next.kind === "done") {
    const take = element("button", plain(next.verb ?? ""), { type: "button", class: "go", id: "take" });
    take.onclick = () => send(String(next.verb), choice.args, false);
    parts.push(take);
    if (isAttack()) {
      const end = element("button", "to the end", { type: "button", id: "end" });
      end.onclick = () => send(String(next.verb), choice.args, true);
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

/**
 * Shows below the map what one should know of a territory; nothing without one.
 * @param {Value} [id]
 */
export function point(id) {
  byId("point").textContent = id === undefined ? "\u00a0" : landHint(id);
  document.querySelector("#map .land.pointed")?.classList.remove("pointed");
  if (id !== undefined) byId(`land-${landAt.get(id)}`)?.classList.add("pointed");
}

/**
 * Chooses a territory on the map. Another one than those that are offered may be chosen after a step back.
 * @param {Value} id
 */
export function pressLand(id) {
  const next = step();
  if (next?.kind === "territory" && next.values?.includes(id)) {
    choose(id);
    return;
  }
  const before = { choice: structuredClone(table.choice), auto: [...table.auto] };
  table.choice = { verb: before.choice.verb, args: [] };
  table.auto = [];
  const first = step();
  if (first?.kind === "territory" && first.values?.includes(id)) choose(id);
  else Object.assign(table, before);
}

/**
 * Moves the focus within a list of choices.
 * @param {KeyboardEvent} event
 */
export function moveInList(event) {
  const buttons = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".choices button")]);
  const at = buttons.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  if (at < 0) return false;
  const to = /** @type {Record<string, number>} */ ({ ArrowDown: at + 1, ArrowRight: at + 1, ArrowUp: at - 1,
    ArrowLeft: at - 1, Home: 0, End: buttons.length - 1 })[event.key];
  if (to !== undefined) {
    buttons[(to + buttons.length) % buttons.length].focus();
    return true;
  }
  if (!/^\p{L}$/u.test(event.key)) return false;
  const turned = [...buttons.slice(at + 1), ...buttons.slice(0, at + 1)];
  const found = turned.find((button) => button.textContent?.toLowerCase().startsWith(event.key.toLowerCase()));
  found?.focus();
  return Boolean(found);
}

