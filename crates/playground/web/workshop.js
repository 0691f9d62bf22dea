// The workshop: rules, maps and bots in an editor beside the game that they are tried in.

import { Bench, KINDS, NEW, namesOf } from "#playground/bench";
import { Board, withAnswers } from "#playground/board";
import { Checks } from "#playground/checks";
import { Engine } from "#playground/engine";
import { GameFields, fill } from "#playground/fields";
import { load } from "#playground/load";
import { endingOf, isPerson, kindOf, playerOf, playerText, stem } from "#playground/names";
import { Numbers } from "#playground/numbers";
import { keepProject, projectOf, projects, removeProject } from "#playground/projects";
import { save } from "#playground/save";
import { randomSeed, tableOf } from "#playground/setup";
import { byId, element } from "#report/dom";

/** @typedef {import("#playground/types").OwnFile} OwnFile */
/** @typedef {import("#playground/types").Project} Project */
/** @typedef {import("#playground/checks").Checked} Checked */

const TITLES = { ruleset: "Rules", map: "Map", bot: "Bots" };
const MOST_PLAYERS = 32;
/** The first lines of a map without continents. */
const OF_CONTINENTS = `# Who owns a whole continent gets its bonus in each turn. For that, remove the three # below,
# and write \`continent: north\` or \`continent: south\` into each territory.
#continents:
#  - { id: north, name: The North, bonus: 2 }
#  - { id: south, name: The South, bonus: 3 }
`;
const SCREENS = { edit: "Edit", play: "Play", numbers: "Many games" };
const LANGUAGES = /** @type {Record<string, "rhai" | "yaml" | "xml">} */ ({ rhai: "rhai", svg: "xml" });
/** The maximum number of bytes of a file. */
const LARGEST = { ruleset: 1 << 20, map: 4 << 20, bot: 1 << 20 };

const tools = load("tools.wasm");
let engine = new Engine(tools, true);
/** @type {Bench} */
let bench;
/** @type {import("#playground/editor").Editor} */
let editor;
/** @type {import("#playground/types").ReferenceEntry[]} */
let reference = [];
/** `true` if the site has the guides. */
let guides = false;
/** The file in the editor. @type {OwnFile} */
let file;
const board = new Board();
const checks = new Checks(tools, { files: () => bench.project.files, ruleset: () => bench.project.table.ruleset, show: showCheck, broken: trouble });
const fields = new GameFields((what) => attempt(() => changeTable(what)));
const numbers = new Numbers(tools, { bench: () => bench, record: () => board.record(), ask: (request) => engine.ask(request) });

/** @param {any} error */
function trouble(error) {
  // What is stopped is asked again.
  if (error?.stopped) return;
  byId("trouble").hidden = !error;
  byId("trouble").textContent = error?.message ?? "";
}

/**
 * Does what a person asks for, or what follows from a change.
 * @param {() => unknown} act
 * @param {string} [what] errors of the same kind before are over now
 */
async function attempt(act, what = "person") {
  if (byId("trouble").dataset.of === what || what === "person") trouble(null);
  try {
    await act();
  } catch (error) {
    byId("trouble").dataset.of = what;
    trouble(error);
  }
}

/**
 * Returns a text as nodes, with what stands between backticks as code.
 * @param {string} text
 */
const withCode = (text) => text.split("`").map((part, at) => at % 2 ? element("code", part) : part);

// --- projects ---------------------------------------------------------------------------------------------

/** Keeps the project in this browser with the moment of its game, and names it in the address. Results and links are those of before. */
function keep() {
  byId("shared").textContent = "";
  numbers.outdate();
  Object.assign(bench.project, { moment: board.now(bench.link()), step: board.shows(bench.link()) ? board.step : null });
  keepProject(bench.project);
  history.replaceState(null, "", `#project=${bench.project.id}`);
}

/** @param {any} example @returns {Project} */
function begunProject({ title, about, files, table }) {
  const whole = { files, table: { ...tableOf("seats=fixed"), ...table } };
  return { id: "", title, about, ...structuredClone(whole), base: whole, changed: 0 };
}

/** @param {any[]} examples */
function showBegin(examples) {
  byId("begin").hidden = false;
  const groups = [...new Set(examples.map(({ group }) => group))];
  byId("examples").replaceChildren(...groups.flatMap((group) => [
    element("h3", group),
    ...examples.filter((example) => example.group === group).map(({ id, title, about }) => {
      const card = element("a", "", { href: `#example=${id}` });
      card.append(element("b", title), ...withCode(about));
      return card;
    }),
  ]));
  const kept = projects();
  byId("projects").hidden = !kept.length;
  byId("kept").replaceChildren(...kept.map(({ id, title, files, changed }) => {
    const row = element("li");
    const gone = element("button", "Delete", { type: "button", "aria-label": `Delete ${title}` });
    gone.onclick = () => {
      if (!confirm(`Delete “${title}” for good?`)) return;
      removeProject(id);
      showBegin(examples);
    };
    row.append(files.length ? element("a", title, { href: `#project=${encodeURIComponent(id)}` }) : title, ` (${files.map(({ name }) => name).join(", ")}; ${new Date(changed).toLocaleString()}) `, gone);
    return row;
  }));
}

/**
 * Returns the project that the address names, or null if it names none.
 * @param {any[]} examples
 */
async function wanted(examples) {
  const address = location.hash.slice(1);
  const keys = new URLSearchParams(address);
  if (keys.has("project")) {
    const project = projectOf(keys.get("project") ?? "");
    if (!project) throw new Error("This browser has no such project.");
    return { project, moment: project.moment, step: project.step };
  }
  if (keys.has("example")) {
    const example = examples.find(({ id }) => id === keys.get("example"));
    if (!example) throw new Error("There is no such example.");
    return { project: begunProject(example) };
  }
  if (!keys.has("ruleset")) return null;
  const step = Number(keys.get("step")) || null;
  const { link, files: all } = await engine.ask({ ask: "split", link: address.replace(/(^|&)step=\d+(?=&|$)/, "") });
  // Of files with the same name, games use the last.
  const files = [...new Map(all.map((/** @type {OwnFile} */ one) => [`${one.kind} ${one.name}`, one])).values()];
  const table = tableOf(link);
  const title = [...files.map((/** @type {OwnFile} */ { name }) => name), table.ruleset][0];
  const about = "This came by a link. If you change it, it is kept in this browser.";
  return { project: begunProject({ title, about, files, table }), moment: link, step, players: Number(keys.get("players")) };
}

// --- the editor -------------------------------------------------------------------------------------------

/** @param {OwnFile["kind"]} kind */
function showTabs(kind) {
  byId("tabs").replaceChildren(...KINDS.map((one) => {
    const chosen = one === kind;
    const tab = element("button", TITLES[one], { type: "button", role: "tab", id: `tab-${one}`, "aria-selected": String(chosen), "aria-controls": "panel", tabindex: chosen ? 0 : -1 });
    tab.onclick = () => attempt(() => openUsed(one));
    tab.onkeydown = (/** @type {KeyboardEvent} */ { key }) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[key];
      if (!by) return;
      const next = KINDS[(KINDS.indexOf(one) + by + KINDS.length) % KINDS.length];
      attempt(() => openUsed(next)).then(() => byId(`tab-${next}`).focus());
    };
    return tab;
  }));
  byId("panel").setAttribute("aria-labelledby", `tab-${kind}`);
}

/** Opens the file of a kind that the game uses, preferably one of the project. @param {OwnFile["kind"]} kind */
async function openUsed(kind) {
  const { table } = bench.project;
  const used = { ruleset: [table.ruleset], map: [table.map || bench.entryOf(table.ruleset)?.map || ""], bot: table.bots.map((player) => playerOf(player).bot) }[kind];
  const own = bench.ownNames(kind);
  const scripts = shownNames(kind);
  await openFile(kind, own.find((name) => used.includes(name)) ?? own[0] ?? used.find((name) => scripts.includes(name)) ?? scripts[0]);
}

/** The number of files that were opened. */
let opened = 0;
/** The bots that are scripts. @type {string[]} */
let scripts = [];

/** Returns the names of the files that have a text. @param {OwnFile["kind"]} kind */
function shownNames(kind) {
  const shipped = kind === "bot" ? scripts : namesOf(bench.shipped, kind);
  return [...bench.ownNames(kind), ...shipped];
}

/** @param {OwnFile["kind"]} kind @param {string} name */
async function openFile(kind, name) {
  opened += 1;
  const turn = opened;
  const next = bench.own(kind, name) ?? { kind, name, text: (await engine.ask({ ask: "text", kind, name })).text };
  // Another file was chosen meanwhile.
  if (turn !== opened) return;
  file = next;
  showTabs(kind);
  showFile();
  editor.reference = referenceFor(kind);
  editor.open(`${kind} ${name}`, file.text, LANGUAGES[endingOf(file)] ?? "yaml", `Text of the ${kind} ${name}`);
  showCheck(null);
  if (isOwn()) checks.begin(file, true);
}

const isOwn = () => bench.project.files.includes(file);

/** Throws an error if a text is too large for the engine. @param {OwnFile["kind"]} kind @param {number} size in bytes */
function refuseLarge(kind, size) {
  if (size > LARGEST[kind]) throw new Error(`A ${kind} has at most ${LARGEST[kind] >> 20} MiB. This text is not kept.`);
}

function showFile() {
  const { kind, name } = file;
  const own = bench.ownNames(kind);
  fill(byId("file"), shownNames(kind).map((one) => [one, own.includes(one) ? `${one} (yours)` : one]), name);
  byId("of-drawing").hidden = kind !== "map" || endingOf(file) === "yaml";
  byId("keys").hidden = kind === "map";
  byId("docs").hidden = true;
  showCompared();
  showUse();
  for (const id of ["rename", "delete"]) byId(id).disabled = !isOwn();
  byId("whose").textContent = isOwn() ? "" : `This is ${name} as everybody has it. Change it, and you work on a copy of your own, which the game uses.`;
}

/** Shows whether the game uses the file in the editor. */
function showUse() {
  byId("unused").hidden = !file || bench.uses(file.kind, file.name);
}

/** Handles a change of the text by a person. @param {string} text */
function edited(text) {
  attempt(() => {
    refuseLarge(file.kind, new Blob([text]).size);
    if (!isOwn()) {
      const { kind, name } = file;
      file = bench.add({ kind, name: `my-${name}`, text });
      editor.rename(`${kind} ${file.name}`);
      bench.replace(kind, name, file.name);
      // The game may use the map of its ruleset.
      if (kind === "map" && !bench.project.table.map && bench.entryOf(bench.project.table.ruleset)?.map === name) bench.project.table.map = file.name;
      if (kind === "ruleset") bench.entries.set(file.name, { .../** @type {any} */ (bench.entryOf(name)), name: file.name });
      showFile();
      showTable();
    }
    file.text = text;
    checks.begin(file);
    keep();
  });
}

const BEFORE_ERROR = "The game is as it was before this error.";
/** The files that the game on the board has. */
let played = "";

/** @param {Checked | null} checked */
function showCheck(checked) {
  const findings = checked?.findings ?? [];
  const here = findings.filter(({ place }) => place?.file === file.name && checked?.file.kind === file.kind);
  editor.show(here);
  byId("findings").replaceChildren(...findings.map((finding) => {
    const { level, code, text, help, place } = finding;
    const where = place ? `${place.file}:${place.line}:${place.column} ` : "";
    const button = element("button", `${level} ${where}${text}${help ? `\nhelp: ${help}` : ""}\n${code}`, { type: "button", class: level });
    button.onclick = () => { if (here.includes(finding)) editor.go(place); };
    const row = element("li");
    row.append(button);
    return row;
  }));
  byId("verdict").textContent = checked ? verdict(checked) : "";
  byId("of-trial").hidden = !checked?.isWhole || !Object.keys(checked.trial).length;
  byId("trial").replaceChildren(...Object.entries(checked?.trial ?? {}).map(([name, value]) => element("li", `${name.replaceAll("_", " ")}: ${value}`)));
  const now = JSON.stringify(bench.project.files);
  if (!checked) return;
  if (!checked.fine && board.window && bench.uses(checked.file.kind, checked.file.name)) byId("moment").textContent = BEFORE_ERROR;
  else if (byId("moment").textContent === BEFORE_ERROR) byId("moment").textContent = "";
  if (!checked.fine || now === played) return;
  played = now;
  attempt(playChange, "game");
}

/** @param {Checked} checked */
function verdict({ file, fine, findings, isWhole }) {
  const errors = findings.filter(({ level }) => level === "error").length;
  const count = (/** @type {number} */ number, /** @type {string} */ word) => number ? [`${number} ${word}${number === 1 ? "" : "s"}`] : [];
  const found = [...count(errors, "error"), ...count(findings.length - errors, "warning")].join(", ") || "no findings";
  const wait = fine && !isWhole ? "; test games are running …" : "";
  return `${file.name}: ${found}${wait}`;
}

/** Plays a change of files at once. */
async function playChange() {
  for (const one of bench.project.files) await engine.ask({ ask: "add", ...one });
  for (const name of bench.ownNames("ruleset")) await declare(name).catch(() => {});
  showTable();
  await playOn();
  if (cut) byId("moment").textContent += ` These rules allow at most ${fields.seats.length} players.`;
}

/** Asks what an own ruleset declares. @param {string} name */
async function declare(name) {
  const { entry } = await engine.ask({ ask: "about", ruleset: name });
  bench.entries.set(name, entry);
}

/** Starts an engine that knows the files of the project, and no others. */
async function renew() {
  engine.stop();
  engine = new Engine(tools, true);
  checks.renew();
  for (const one of bench.project.files) await engine.ask({ ask: "add", ...one });
}

// --- the game ---------------------------------------------------------------------------------------------

/** The players of before rules with fewer seats: they come back with the seats. @type {string[] | null} */
let cut = null;

/** Shows the game of the project in the fields. */
function showTable() {
  const { table } = bench.project;
  const { catalog } = bench;
  const players = cut ?? table.bots;
  fields.bots = players;
  fields.options = { ...table.options };
  fields.catalog = catalog;
  byId("ruleset").value = "";
  fill(byId("ruleset"), catalog.rulesets.map(({ name }) => [name, name]), table.ruleset);
  fields.showRuleset(true);
  // Changed rules may need other numbers of players.
  table.bots = fields.bots;
  cut = players.length > table.bots.length ? players : null;
  byId("board").value = table.map;
  byId("seed").value = table.seed;
  showCompared();
}

/** Chooses the bot in the editor, or another one of the project or at the table, to be compared with another one. */
function showCompared() {
  const edited = file?.kind === "bot" && isOwn() ? [file.name] : [];
  const bots = fields.choices.map((bot) => /** @type {[string, string]} */ ([bot, bot]));
  const [first, ...others] = [...new Set([...edited, byId("a").value, ...bench.ownNames("bot"), ...bench.botsOf()])].filter((bot) => fields.choices.includes(bot));
  fill(byId("a"), bots, first);
  const second = [byId("b").value, "greedy", ...others, "general"].find((bot) => bot && bot !== byId("a").value && fields.choices.includes(bot));
  fill(byId("b"), bots, second ?? "random");
}

/** Takes the game over from the fields. @param {"ruleset" | "other"} what a person has changed */
async function changeTable(what) {
  const { table } = bench.project;
  cut = null;
  // A map and bots of one's own stay when the rules change.
  if (what === "ruleset") {
    if (bench.own("map", table.map)) byId("board").value = table.map;
    fields.bots = fields.bots.map((bot, seat) => bench.own("bot", playerOf(table.bots[seat] ?? "").bot) ? table.bots[seat] : bot);
    fields.showSeats();
  }
  const seed = byId("seed").value.trim() || randomSeed();
  bench.project.table = { ruleset: byId("ruleset").value, map: byId("board").value, options: { ...fields.options }, bots: fields.bots, seed, seats: "fixed", game: "" };
  showCompared();
  showUse();
  keep();
  if (what === "ruleset" && file.kind === "bot" && isOwn()) checks.begin(file, true);
  await playNew();
}

async function playNew() {
  board.lost = "";
  try {
    await board.show(bench.link(), bench.project.files, null);
  } catch (error) {
    if (board.window && !(/** @type {any} */ (error).stopped)) byId("moment").textContent = BEFORE_ERROR;
    throw error;
  }
}

async function playOn() {
  byId("moment").textContent = await board.goOn(bench.link(), structuredClone(bench.project.files));
}

// --- what is shown and sent -------------------------------------------------------------------------------

/** Returns what a kind of script can use. @param {string} kind */
function referenceFor(kind) {
  const others = kind === "bot" ? ["rules that read", "rules that change", "hooks of rulesets"] : ["bots", "hooks of bots", "events for saw(event)"];
  return reference.filter(({ of }) => of.some((who) => !others.includes(who)));
}

/**
 * Explains a word: what has this name or, if nothing has, what mentions it.
 * @param {string} word
 * @param {import("#playground/types").ReferenceEntry[]} named
 */
function help(word, named) {
  const mentions = new RegExp(`\\b${word}\\b`);
  const found = named.length || !word ? named : referenceFor(file.kind).filter(({ call, meaning }) => mentions.test(`${call} ${meaning}`)).slice(0, 5);
  const part = (/** @type {import("#playground/types").ReferenceEntry} */ { call, meaning, of }) => {
    const text = element("p");
    text.append(element("code", call), `: ${meaning.replace(/\.$/, "")}.${of.length ? ` For ${of.join(", ")}.` : ""}`);
    return text;
  };
  const all = guides ? [element("a", "All functions, hooks and events", { href: "book/api.html", target: "_blank" })] : [];
  const none = word ? `Nothing is known about “${word}”.` : "Move the cursor to a word, and press F1.";
  byId("docs").replaceChildren(...(found.length ? found.map(part) : [element("p", none)]), ...all, element("p", "Escape: back to the editor", { class: "about" }));
  byId("docs").hidden = false;
  byId("docs").focus({ preventScroll: true });
  byId("docs").scrollIntoView({ block: "nearest" });
}

async function share() {
  const { files } = bench.project;
  const { text } = await engine.ask({ ask: "join", link: await board.link(bench.link()), files });
  const shows = board.shows(bench.link());
  const address = `${location.href.split("#")[0]}#${shows && board.step ? `step=${board.step}&` : ""}${text}`;
  try {
    await navigator.clipboard.writeText(address);
    byId("shared").textContent = `Link copied: ${address.length} characters. Whoever opens it has these files${shows ? ", and sees the game at this moment" : ""}.`;
  } catch {
    byId("shared").textContent = `Copy this link: ${address}`;
  }
}

/** @param {OwnFile} one */
const saveFile = (one) => save(one.text, "text/plain", `${one.name}.${endingOf(one)}`);

/** @param {FileList | undefined | null} list @returns {Promise<OwnFile[]>} */
async function read(list) {
  const all = [];
  for (const one of list ?? []) {
    if (one.size > LARGEST.map) throw new Error(`${one.name} has more than ${LARGEST.map >> 20} MiB.`);
    const text = await one.text();
    const kind = kindOf(one.name, text);
    if (kind === "record") throw new Error(`${one.name} is the record of a game: watch it on the page for recorded games.`);
    refuseLarge(kind, one.size);
    all.push({ kind, name: stem(one.name), text });
  }
  return all;
}

/** Adds files to the project, or begins one with them. @param {FileList | undefined | null} list */
async function take(list) {
  const files = await read(list);
  if (!files.length) return;
  if (!byId("bench").hidden) {
    const taken = /** @type {OwnFile[]} */ ([]);
    try {
      // A file with the name of another gets a new one.
      for (const one of files) taken.push(await add(one));
    } finally {
      if (taken.length) await renewed(taken[0]);
    }
    return;
  }
  const of = (/** @type {string} */ kind) => files.find((one) => one.kind === kind)?.name;
  const table = { ruleset: of("ruleset") ?? "hasbro", map: of("map") ?? "", bots: [of("bot") ?? "human"] };
  await open(begunProject({ title: files[0].name, about: "", files, table }));
  keep();
}

function listen() {
  const on = (/** @type {string} */ id, /** @type {() => unknown} */ act) => { byId(id).onclick = () => attempt(act); };
  byId("file").onchange = () => attempt(() => openFile(file.kind, byId("file").value));
  byId("seed").onchange = () => attempt(() => changeTable("other"));
  byId("title").oninput = () => attempt(() => {
    bench.project.title = byId("title").value;
    keep();
  });
  on("again", async () => {
    Object.assign(bench.project.table, { seed: randomSeed(), game: "" });
    keep();
    byId("seed").value = bench.project.table.seed;
    await playNew();
  });
  on("new", async () => {
    const { kind } = file;
    await renewed(await add({ kind, name: "mine", text: NEW[kind] }));
  });
  on("rename", async () => {
    const name = stem(prompt("New name: letters, digits, - and _", file.name) ?? "");
    if (!name || name === file.name) return;
    if (bench.takenNames(file.kind).includes(name)) throw new Error(`Another file or bot has the name ${name}.`);
    bench.replace(file.kind, file.name, name);
    const entry = file.kind === "ruleset" && bench.entries.get(file.name);
    if (entry) bench.entries.set(name, { ...entry, name });
    file.name = name;
    await renewed(file);
  });
  on("delete", async () => {
    if (!isOwn()) return;
    if (!confirm(`Delete the ${file.kind} ${file.name} for good?`)) return;
    const { files, table } = bench.project;
    files.splice(files.indexOf(file), 1);
    if (table.ruleset === file.name && file.kind === "ruleset") table.ruleset = "hasbro";
    if (table.map === file.name && file.kind === "map") table.map = "";
    if (file.kind === "bot") bench.replace("bot", file.name, bench.ownNames("bot")[0] ?? "random");
    await renewed({ ...file, name: "" });
  });
  on("to-yaml", async () => {
    const { text } = await engine.ask({ ask: "import-map", name: file.name });
    await renewed(await add({ kind: "map", name: file.name, text: text.includes("continents:") ? text : `${OF_CONTINENTS}${text}` }));
  });
  on("use", () => {
    use(file);
    return renewed(file);
  });
  on("save", () => saveFile(file));
  on("save-all", () => {
    if (!bench.project.files.length) throw new Error("There is no file of your own yet: change something first.");
    for (const one of bench.project.files) saveFile(one);
  });
  on("share", share);
  on("to-numbers", () => {
    showScreen("numbers");
    byId("numbers").scrollIntoView();
    byId("many").focus();
  });
  for (const input of document.querySelectorAll("input.files")) {
    const files = /** @type {HTMLInputElement} */ (input);
    files.onchange = () => attempt(() => take(files.files)).then(() => { files.value = ""; });
  }
  byId("docs").onkeydown = (/** @type {KeyboardEvent} */ { key }) => {
    if (key !== "Escape") return;
    byId("docs").hidden = true;
    editor.view.focus();
  };
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    attempt(() => take(event.dataTransfer?.files));
  });
  addEventListener("hashchange", () => location.reload());
  // The moves since the last change are kept, too.
  addEventListener("pagehide", () => {
    if (bench?.project.id && projectOf(bench.project.id)?.changed === bench.project.changed) keep();
  });
}

/** Adds a file that the engine accepts, and lets the game use it. @param {OwnFile} wanted */
async function add(wanted) {
  const { files } = bench.project;
  const added = bench.add(wanted);
  try {
    await engine.ask({ ask: "add", ...added });
  } catch (error) {
    files.splice(files.indexOf(added), 1);
    throw error;
  }
  use(added);
  return added;
}

/** Says that the game uses a file now. @param {OwnFile} file */
function used({ kind, name }) {
  if (!bench.uses(kind, name)) return "";
  if (kind !== "bot") return `This game has the ${kind} ${name}.`;
  return `In this game, ${name} sits at seat ${1 + bench.project.table.bots.findIndex((player) => playerOf(player).bot === name)}.`;
}

/** Lets the game use a file. @param {OwnFile} added */
function use(added) {
  const { table } = bench.project;
  if (added.kind === "ruleset") table.ruleset = added.name;
  if (added.kind === "map") table.map = added.name;
  if (added.kind !== "bot") return;
  // It takes the seat of another bot of the project, or that of the first bot.
  const own = bench.ownNames("bot");
  const seats = [table.bots.findIndex((bot) => own.includes(playerOf(bot).bot)), table.bots.findIndex((bot) => !isPerson(bot)), 0];
  const seat = seats.find((seat) => seat >= 0) ?? 0;
  table.bots[seat] = playerText({ ...playerOf(table.bots[seat]), bot: added.name });
}

/** Shows everything anew after files have come, gone or changed their names. @param {OwnFile} shown */
async function renewed({ kind, name }) {
  keep();
  played = JSON.stringify(bench.project.files);
  // What is typed meanwhile would change another file.
  byId("editor").inert = true;
  try {
    await renew();
    for (const one of bench.ownNames("ruleset")) await declare(one).catch(() => bench.entries.delete(one));
    showTable();
    await (name ? openFile(kind, name) : openUsed(kind));
  } finally {
    byId("editor").inert = false;
  }
  await playNew();
  byId("moment").textContent = used(file);
}

/** @param {keyof typeof SCREENS} chosen */
function showScreen(chosen) {
  byId("bench").dataset.screen = chosen;
  byId("screens").replaceChildren(...Object.entries(SCREENS).map(([screen, title]) => {
    const button = element("button", title, { type: "button", "aria-pressed": String(screen === chosen) });
    button.onclick = () => showScreen(/** @type {keyof typeof SCREENS} */ (screen));
    return button;
  }));
}

/**
 * @param {Project} project
 * @param {{ moment?: string, step?: number | null, players?: number }} [from] the moment of the game, as a link, and the number of
 *   players if the link says it
 */
async function open(project, { moment = "", step = null, players = 0 } = {}) {
  bench = new Bench(project, shipped);
  byId("title").value = project.title;
  byId("try").replaceChildren(...withCode(project.about ?? ""));
  document.title = `${project.title}: workshop`;
  showScreen("edit");
  // A file that is refused can still be seen, renamed and mended.
  const refused = /** @type {string[]} */ ([]);
  for (const one of project.files) await engine.ask({ ask: "add", ...one }).catch((error) => refused.push(`${one.kind} ${one.name}: ${error.message}`));
  for (const name of bench.ownNames("ruleset")) await declare(name).catch(() => {});
  const { bots } = project.table;
  const named = bots.length;
  const entry = bench.entryOf(project.table.ruleset);
  // A link may name fewer players than the game needs: the rules' own bots take the other seats.
  const own = entry?.bots.length ? entry.bots : ["random"];
  for (let next = 0; bots.length < Math.min(MOST_PLAYERS, Math.max(players, entry?.players[0] ?? 2)); next += 1) bots.push(own[next % own.length]);
  if (project.base && !project.id) project.base.table.bots = [...bots];
  if (bots.length !== named) moment = withAnswers(bench.link(), new URLSearchParams(moment).get("answers"));
  played = JSON.stringify(project.files);
  showTable();
  await openUsed(project.files[0]?.kind ?? (project.table.map ? "map" : "ruleset"));
  byId("begin").hidden = true;
  byId("bench").hidden = false;
  byId("others").hidden = false;
  if (refused.length) throw new Error(refused.join("\n"));
  if (!moment) return playNew();
  try {
    await board.show(moment, project.files, step);
  } catch (error) {
    if (!(/** @type {any} */ (error).stopped)) await playNew();
    throw error;
  }
}

/** @type {import("#playground/types").Catalog} */
let shipped;
// For tests, and for those who look into the page.
Object.assign(globalThis, { workshop: { get bench() { return bench; }, get editor() { return editor; } } });
await attempt(async () => {
  const [catalog, data, { Editor }] = await Promise.all([
    fetch("catalog.json").then((file) => file.json()), fetch("workshop.json").then((file) => file.json()), import("#playground/editor"),
  ]);
  shipped = catalog;
  ({ reference, scripts, guides } = data);
  editor = new Editor(byId("editor"), { changed: edited, help });
  byId("others").onclick = () => { location.href = "workshop.html"; };
  listen();
  try {
    const found = await wanted(data.examples);
    if (found) await open(found.project, found);
  } finally {
    if (byId("bench").hidden) showBegin(data.examples);
  }
});
