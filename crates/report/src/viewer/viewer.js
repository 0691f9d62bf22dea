
// --- the game, as what each decision changed ---------------------------------------------------------
// Each KEYFRAME-th state is kept, so that a jump plays few changes.
const KEYFRAME = 200;
let game;          // the head, and its frames
let kept = [];     // states at 0, KEYFRAME, …
let now;           // the state that is shown
let latest;        // the state behind the last frame
let live = false;  // does the game go on elsewhere?
let following = false;   // is its last moment shown, whichever that is?
let whens = [];    // of each frame
let marks = { x: [], k: [], o: [] };   // frames with eliminations, faults, changes of land
let lines = [];    // [frame, line] of the whole story
let timer = null;

const copy = (state) => ({
  at: state.at, when: state.when, lands: state.lands.slice(), numbers: state.numbers.slice(),
  piles: state.piles.slice(), sights: state.sights.slice(),
});

// What a frame changes. Values are put in place of others, never changed themselves.
function apply(state, index) {
  const frame = game.frames[index];
  state.at = index;
  if (frame.w) state.when = frame.w;
  for (const [at, ...land] of frame.l ?? []) state.lands[at] = land;
  for (const [place, value] of frame.n ?? []) state.numbers[place] = value;
  for (const [place, value] of frame.p ?? []) state.piles[place] = value;
  for (const [seat, value] of frame.s ?? []) state.sights[seat] = value;
}

function stateAt(index) {
  const state = copy(kept[Math.floor(index / KEYFRAME)]);
  while (state.at < index) apply(state, state.at + 1);
  return state;
}

const seats = () => game.players.length;
// What nobody but its owner sees has -1 units while a game is watched.
const unseen = (land) => land[1] < 0;
const total = (land) => unseen(land) ? 0 : land.slice(1).reduce((sum, units) => sum + units, 0);

// Each player's land and armies.
function strength(state) {
  const land = Array(seats()).fill(0);
  const armies = Array(seats()).fill(0);
  for (const at of state.lands) {
    if (at[0] >= 0) {
      land[at[0]] += 1;
      armies[at[0]] += total(at);
    }
  }
  return [land, armies];
}

// --- what is shown -----------------------------------------------------------------------------------
const ownColour = (seat) => game.players[seat].colour;
const STATUS = ["playing", "neutral", "forfeited", "eliminated"];

// What the ruleset declares, as far as somebody may see it: everybody together, or one player.
function declared(state, viewer) {
  const held = seats() + 1;
  const may = (seen, holder) => viewer < 0 || seen === "all" || (seen === "owner" && holder === viewer);
  const counters = game.counters.map(({ title, seen }, index) => {
    const value = (holder) => may(seen, holder) ? state.numbers[3 * seats() + index * held + holder] : 0;
    return { title, players: game.players.map((_, seat) => value(seat)), table: value(seats()) };
  });
  const piles = game.piles.map(({ title, seen }, index) => {
    const value = (holder) => {
      const cards = state.piles[index * held + holder];
      const count = Array.isArray(cards) ? cards.length : cards;
      return { count, titles: Array.isArray(cards) && may(seen, holder) ? cards.map((card) => game.cards[card]) : null };
    };
    return { title, players: game.players.map((_, seat) => value(seat)), table: value(seats()) };
  });
  return { units: game.units, counters, piles, orders: game.players.map((_, seat) => state.numbers[3 * seat + 2]) };
}

function shownOf(state, viewer) {
  const [, round, turn, mover] = state.when;
  const sight = viewer >= 0 && !game.open ? state.sights[viewer] : null;
  const sees = (at, bit) => (!sight || (Number(sight[at]) & bit) > 0) && !(bit === 2 && unseen(state.lands[at]));
  const over = state.at === game.frames.length - 1;
  const blind = sight || state.lands.some(unseen);
  const [land, armies] = strength(state);
  return {
    lands: state.lands.map((at, index) =>
      [sees(index, 1) ? at[0] : -1, sees(index, 2) ? total(at) : "?"]),
    stacks: game.units.length < 2 ? []
      : state.lands.map((at, index) => sees(index, 2) ? at.slice(1) : []),
    players: game.players.map(({ name, end }, seat) => ({
      name, colour: colourOf(seat), fill: fillOf(seat), status: STATUS[state.numbers[3 * seat]], faults: state.numbers[3 * seat + 1],
      territories: blind ? null : land[seat], armies: blind ? null : armies[seat],
      place: over && end ? end[0] : null,
    })),
    declared: declared(state, viewer), round, turn, mover, end: over ? game.end : null,
  };
}

// The story so far, its lines of this moment in bold letters.
function showStory() {
  const box = byId("lines");
  if (Number(byId("viewer").value) >= 0) {
    box.style.whiteSpace = "normal";
    box.textContent = "The story shows what all players knew together: choose “all players together” to read it.";
    return;
  }
  box.style.whiteSpace = "";
  let last = lines.findIndex(([frame]) => frame > now.at);
  if (last < 0) last = lines.length;
  const some = lines.slice(Math.max(0, last - 400), last);
  box.replaceChildren(...some.map(([frame, line]) => {
    const made = element(frame === now.at ? "b" : "span", line + "\n");
    // The name of whoever acts, with the player's colour before it.
    const seat = line.startsWith("● ") ? game.players.findIndex(({ name }) => name === line.slice(2)) : -1;
    if (seat >= 0) {
      made.textContent = line.slice(2) + "\n";
      made.prepend(dot(colourOf(seat)));
    }
    return made;
  }));
  box.scrollTop = box.scrollHeight;
}

function show() {
  const viewer = Number(byId("viewer").value);
  const shown = shownOf(now, viewer);
  const [answers, round, turn, mover, phase] = now.when;
  const who = game.players[mover];
  const place = turn ? `round ${round}, turn ${turn}${who ? `, ${who.name}` : ""}` : "set-up";
  const told = phase >= 0 ? `, ${game.phases[phase]}` : "";
  byId("when").textContent = `${game.of ?? "Decision "}${answers}: ` + (shown.end ?? place + told);
  showPlayers(shown);
  showSwatches();
  showLands(shown);
  // What this moment changed, however one came here; the first is all new.
  const changed = new Set(now.at ? (game.frames[now.at].l ?? []).map(([at]) => at) : []);
  shown.lands.forEach(([, armies], at) =>
    byId(`land-${at}`).classList.toggle("changed", changed.has(at) && armies !== "?"));
  showStory();
  byId("seek").value = now.at;
  byId("seek").setAttribute("aria-valuetext", `decision ${answers}, round ${round}`);
  const x = 1000 * now.at / Math.max(1, game.frames.length - 1);
  const cursor = byId("cursor");
  cursor.setAttribute("x1", x);
  cursor.setAttribute("x2", x);
}

function go(index) {
  const to = Math.min(Math.max(0, index), game.frames.length - 1);
  following = live && to === game.frames.length - 1;
  if (now && to === now.at + 1) apply(now, to);
  else now = stateAt(to);
  show();
}

// The next frame where this part of `when` is another one: a turn, a round.
function stepBy(part, by) {
  if (part === 0) return go(now.at + by);
  let at = now.at;
  const value = (index) => whens[index][part];
  if (by > 0) {
    while (at < whens.length - 1 && value(at) === value(now.at)) at += 1;
  } else {
    while (at > 0 && value(at - 1) === value(now.at)) at -= 1;
    if (at === now.at && at > 0) {
      at -= 1;
      const before = value(at);
      while (at > 0 && value(at - 1) === before) at -= 1;
    }
  }
  return go(at);
}

// --- the chart ---------------------------------------------------------------------------------------
let samples = [];   // [frame, [land, armies]]
let every = 1;      // a sample is taken every so many frames
function drawChart() {
  const what = Number(byId("what").value);
  const end = Math.max(1, game.frames.length - 1);
  const shares = samples.map(([frame, both]) => {
    const sum = both[what].reduce((a, b) => a + b, 0) || 1;
    let low = 0;
    return [1000 * frame / end, both[what].map((value) => [90 * low / sum, 90 * (low += value) / sum])];
  });
  const areas = game.players.map((_, seat) => {
    const upper = shares.map(([x, rows]) => `${x.toFixed(1)},${rows[seat][0].toFixed(1)}`);
    const lower = shares.map(([x, rows]) => `${x.toFixed(1)},${rows[seat][1].toFixed(1)}`).reverse();
    return shape("polygon", { points: [...upper, ...lower].join(" "), fill: fillOf(seat) });
  });
  byId("chart").replaceChildren(...areas, shape("line", { id: "cursor", x1: 0, x2: 0, y1: 0, y2: 90 }));
}

// --- what one does -----------------------------------------------------------------------------------
function pause() {
  clearInterval(timer);
  timer = null;
  byId("play").textContent = "▶ Play";
  byId("play").setAttribute("aria-label", "Play");
}

const isLast = () => now.at === game.frames.length - 1;

function play() {
  if (timer) return pause();
  if (isLast()) go(0);
  timer = setInterval(() => {
    stepBy(Number(byId("step").value), 1);
    if (isLast()) pause();
  }, 1000 / Number(byId("speed").value));
  byId("play").textContent = "⏸ Pause";
  byId("play").setAttribute("aria-label", "Pause");
}

function jump(kind) {
  const to = marks[kind].find((frame) => frame > now.at) ?? marks[kind][0];
  if (to !== undefined) go(to);
}

const step = () => Number(byId("step").value);
const link = () => `#d=${now.when[0]}`;

// `#d=417` is decision 417.
function follow() {
  const found = /^#d=(\d{1,12})$/.exec(location.hash);
  if (!found) return false;
  const wanted = Number(found[1]);
  let at = whens.findIndex(([answers]) => answers >= wanted);
  if (at < 0) at = whens.length - 1;
  go(at);
  return true;
}

function listen() {
  byId("first").onclick = () => go(0);
  byId("last").onclick = () => go(game.frames.length - 1);
  byId("back").onclick = () => stepBy(step(), -1);
  byId("on").onclick = () => stepBy(step(), 1);
  byId("play").onclick = play;
  byId("seek").oninput = (event) => go(Number(event.target.value));
  byId("speed").onchange = () => { if (timer) { pause(); play(); } };
  byId("what").onchange = () => { drawChart(); show(); };
  byId("viewer").onchange = show;
  for (const id of ["palette", "patterns"]) {
    byId(id).onchange = () => {
      keepLook(rememberedLook().theme ?? "");
      makePatterns();
      drawChart();
      show();
    };
  }
  byId("jump").onchange = (event) => {
    if (event.target.value) jump(event.target.value);
    event.target.value = "";
  };
  byId("link").onclick = async () => {
    location.hash = link();
    try {
      await navigator.clipboard.writeText(location.href);
      byId("link").textContent = "Copied";
    } catch {
      byId("link").textContent = "Copy it from the address bar";
    }
    setTimeout(() => { byId("link").textContent = "Copy link"; }, 1500);
  };
  addEventListener("hashchange", follow);
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || /^(SELECT|INPUT)$/.test(event.target.tagName)) return;
    if (event.key === " " && event.target.tagName === "BUTTON") return;
    // What is wider than its place is moved by these keys.
    const box = event.target.closest?.(".map, .wide");
    if (box && box.scrollWidth > box.clientWidth && event.key.startsWith("Arrow")) return;
    const keys = {
      " ": play, ArrowRight: () => stepBy(event.shiftKey ? 2 : step(), 1),
      ArrowLeft: () => stepBy(event.shiftKey ? 2 : step(), -1),
      Home: () => go(0), End: () => go(game.frames.length - 1), e: () => jump("x"), f: () => jump("k"),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
}

// --- the game comes ----------------------------------------------------------------------------------
// What holds for the whole game; all frames are still to come.
function beginGame(head) {
  pause();
  game = { ...head, frames: [] };
  [kept, whens, lines, samples, every, now] = [[], [], [], [], 1, undefined];
  marks = { x: [], k: [], o: [] };
  latest = { at: -1, when: [0, 0, 0, -1, -1], lands: [], numbers: [], piles: [], sights: [] };
  byId("viewer").replaceChildren(
    element("option", "all players together", { value: -1 }),
    ...game.players.map(({ name }, seat) => element("option", name, { value: seat })));
  const hides = !game.open || [...game.counters, ...game.piles].some(({ seen }) => seen !== "all");
  byId("eyes").hidden = !hides || live;
  putLook(rememberedLook());
  makePatterns();
}

// One frame more: states to jump to, marks, the story, the chart.
function addFrame(frame) {
  const index = game.frames.push(frame) - 1;
  const owners = (frame.l ?? []).some(([at, owner]) => index && latest.lands[at][0] !== owner);
  apply(latest, index);
  if (index % KEYFRAME === 0) kept.push(copy(latest));
  whens.push(latest.when);
  if (frame.x) marks.x.push(index);
  if (frame.k) marks.k.push(index);
  if (owners) marks.o.push(index);
  for (const line of frame.t ?? []) lines.push([index, line]);
  if (index % every === 0) samples.push([index, strength(latest)]);
  if (samples.length > 800) {
    samples = samples.filter((_, at) => at % 2 === 0);
    every *= 2;
  }
}

// All frames that came are there.
function showFrames() {
  const last = game.frames.length - 1;
  byId("seek").max = last;
  if (samples.at(-1)?.[0] !== last) samples.push([last, strength(latest)]);
  byId("chart").parentElement.hidden = latest.lands.some(unseen) && live;
  drawChart();
}
