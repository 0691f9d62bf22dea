// A game that is stepped through: the map, the time line and the story of each step.

import { captionOf, strokesOf } from "#report/acts";
import { drawChart, marksOf, moveCursor } from "#report/chart";
import { markTexts, showHints } from "#report/hints";
import { colourOf, fillOf, listenToLook, rememberLook, setColours, showSwatches } from "#report/colours";
import { byId, element, showStory } from "#report/dom";
import { BoardMap } from "#report/map";
import { showPlayers } from "#report/players";
import { captionParts, storyParts } from "#report/story";
import { Timeline, isUnseen, strength, total } from "#report/timeline";

/** @typedef {import("#report/types").Head} Head */
/** @typedef {import("#report/types").State} State */
/** @typedef {import("#report/types").Shown} Shown */

const STATUS = ["playing", "neutral", "forfeited", "eliminated"];
const MOST_HISTORY = 30;
/** The colour of territories without an owner. */
const NOBODY = String(document.body.dataset.nobody);

export class Viewer {
  /** @param {Head} head */
  constructor(head) {
    this.timeline = new Timeline(head);
    /** @type {State | undefined} */
    this.now = undefined;
    /** Whether the last moment is shown, whichever that is. */
    this.following = false;
    this.timer = 0;
    this.land = -1;
    rememberLook();
    this.begin(head);
    this.map = new BoardMap({
      names: head.lands, units: head.units, hints: head.board,
      plaques: head.groups,
    }, (land) => this.showLand(land));
  }

  /**
   * Begins with a game of which all frames are still to come.
   * @param {Head} head
   */
  begin(head) {
    this.pause();
    this.timeline = new Timeline(head);
    this.now = undefined;
    byId("viewer").replaceChildren(
      element("option", "all players together", { value: -1 }),
      ...head.players.map(({ name }, seat) => element("option", name, { value: seat })));
    const hides = !head.open || [...head.counters, ...head.piles].some(({ seen }) => seen !== "all");
    byId("eyes").hidden = !hides || head.live;
    byId("of-chances").hidden = !head.chances;
    if (head.chances) byId("what").value = "chances";
    setColours(head.players.map(({ colour }) => colour));
  }

  get viewer() {
    return Number(byId("viewer").value);
  }

  /** Whether all that the chart shows is known to those whose view the page shows. */
  get hasChart() {
    const { head, latest } = this.timeline;
    if (this.viewer >= 0) return head.open && byId("what").value !== "chances";
    return !(head.live && latest.lands.some(isUnseen));
  }

  // --- what is shown -------------------------------------------------------------------------------------
  /**
   * Returns what the ruleset declares, as far as everybody together or one player may see it.
   * @param {State} state
   * @param {number} viewer a seat, or -1
   * @returns {Shown["declared"]}
   */
  declared(state, viewer) {
    const { head } = this.timeline;
    const seats = head.players.length;
    const all = head.players.map((_, seat) => seat);
    const may = (/** @type {string} */ seen, /** @type {number} */ holder) =>
      viewer < 0 || seen === "all" || (seen === "owner" && holder === viewer);
    const counters = head.counters.map(({ name, title, seen }, index) => {
      const value = (/** @type {number} */ holder) =>
        may(seen, holder) ? state.numbers[3 * seats + index * (seats + 1) + holder] : null;
      return { name, title, players: all.map(value), table: value(seats) };
    });
    const piles = head.piles.map(({ name, title, seen }, index) => {
      const value = (/** @type {number} */ holder) => {
        const cards = state.piles[index * (seats + 1) + holder];
        if (!Array.isArray(cards)) return { count: cards, titles: null };
        return { count: cards.length, titles: may(seen, holder) ? cards.map((card) => head.cards[card]) : null };
      };
      return { name, title, players: all.map(value), table: value(seats) };
    });
    // Only the player knows what it has ordered.
    const orders = all.map((seat) => viewer < 0 || seat === viewer ? state.numbers[3 * seat + 2] : null);
    return { units: head.units, counters, piles, orders };
  }

  /**
   * Returns the texts of the marks that the viewer sees.
   * @param {State} state
   */
  marksOf(state) {
    const { viewer, timeline: { head } } = this;
    const sight = viewer >= 0 && !head.open ? state.sights[viewer] : null;
    return markTexts(state, head.marks, (at, seen) => viewer < 0 || seen === "all"
      || (seen === "owner" ? state.lands[at][0] === viewer : seen === "sight" && (!sight || (Number(sight[at]) & 2) > 0)));
  }

  /**
   * Returns a state as a viewer sees it.
   * @param {State} state
   * @param {number} viewer a seat, or -1 for all players together
   * @returns {Shown}
   */
  shownOf(state, viewer) {
    const { head, last } = this.timeline;
    const sight = viewer >= 0 && !head.open ? state.sights[viewer] : null;
    const sees = (/** @type {number} */ at, /** @type {number} */ bit) =>
      (!sight || (Number(sight[at]) & bit) > 0) && !(bit === 2 && isUnseen(state.lands[at]));
    const isOver = state.at === last && head.end !== null;
    const isBlind = sight !== null || state.lands.some(isUnseen);
    const [land, armies] = strength(state, head.players.length);
    return {
      lands: state.lands.map((at, index) => [sees(index, 1) ? at[0] : -1, sees(index, 2) ? total(at) : "?"]),
      stacks: head.units.length < 2 ? []
        : state.lands.map((at, index) => sees(index, 2) ? at.slice(1) : []),
      players: head.players.map(({ name, end }, seat) => ({
        name, colour: colourOf(seat), fill: fillOf(seat), status: STATUS[Number(state.numbers[3 * seat])],
        faults: Number(state.numbers[3 * seat + 1]),
        territories: isBlind ? null : land[seat], armies: isBlind ? null : armies[seat],
        place: isOver && end ? end[0] : null,
      })),
      declared: this.declared(state, viewer), mover: state.when[3], end: isOver ? head.end : null,
    };
  }

  show(walks = false) {
    const { now, timeline, viewer } = this;
    if (!now) return;
    const { head } = timeline;
    const shown = this.shownOf(now, viewer);
    const frame = timeline.frames[now.at];
    showPlayers(shown);
    showSwatches();
    // The first state is all new.
    const changed = new Set(now.at ? (frame.l ?? []).map(([at]) => at) : []);
    showHints(head.board, shown, head.marks);
    this.map.showMarks(this.marksOf(now));
    this.map.showClosed(now.closed);
    this.map.show(shown, NOBODY, (at) => changed.has(at) && shown.lands[at][1] !== "?");
    const isSeen = viewer < 0 || head.open;
    this.map.showActs(isSeen ? strokesOf(frame.a ?? []) : [], colourOf, walks);
    this.showWhen(shown);
    this.showCaption(isSeen);
    this.showBanner(shown);
    this.showStory();
    if (this.land >= 0) this.showLand(this.land);
    byId("seek").value = now.at;
    byId("seek").setAttribute("aria-valuetext", byId("when").textContent);
    byId("chart").parentElement.hidden = !this.hasChart;
    moveCursor(timeline, byId("what").value, now, this.hasChart ? colourOf : null);
    if (head.from) byId("from").textContent = head.from.replace(/\{decision\}(?='?$)/, String(now.when[0] + 1));
  }

  /** @param {Shown} shown */
  showWhen(shown) {
    const { head, last } = this.timeline;
    const { at, when: [answers, round, turn, mover, phase] } = /** @type {State} */ (this.now);
    const who = head.players[mover]?.name;
    // Where all players have their turns at once, a turn has no number that says anything.
    const parts = turn ? [`round ${round}`, ...(who ? [`turn ${turn}`, who] : [])] : ["set-up"];
    if (phase >= 0) parts.push(head.phases[phase]);
    const place = parts.join(", ");
    const count = `${head.of ?? "Decision "}${answers}, step ${at} of ${last}`;
    byId("when").replaceChildren(shown.end ?? place[0].toUpperCase() + place.slice(1), " ", element("small", count));
  }

  /** @param {boolean} isSeen */
  showCaption(isSeen) {
    const { now, timeline } = this;
    const frame = timeline.frames[/** @type {State} */ (now).at];
    const groups = isSeen ? captionOf(frame.t ?? []) : [];
    const { at, when: [, round, turn, mover] } = /** @type {State} */ (now);
    const before = timeline.whens[at - 1];
    if (!groups.length && before && turn !== before[2]) {
      groups.push({ seat: mover, text: mover < 0 ? `round ${round} begins`
        : round === before[1] ? `turn ${turn} begins` : `round ${round} and turn ${turn} begin` });
    }
    for (const mark of marksOf(timeline)) {
      if (mark.frame === at && mark.sign !== "✕" && isSeen) groups.push({ seat: -1, text: `${mark.sign} ${mark.text}` });
    }
    const parts = captionParts(timeline.head, groups);
    byId("caption").replaceChildren(...(parts.length ? parts : ["\u00a0"]));
  }

  /** @param {Shown} shown */
  showBanner(shown) {
    const { head, frames } = this.timeline;
    const out = (frames[/** @type {State} */ (this.now).at].x ?? []).map((seat) => head.players[seat].name);
    const text = shown.end ?? (out.length ? `${out.join(" and ")} ${out.length > 1 ? "are" : "is"} eliminated` : "");
    byId("banner").hidden = !text;
    byId("banner").textContent = text;
  }

  /** Shows the story so far, the texts of this step in bold letters. A text leads to its step. */
  showStory() {
    const { now, timeline } = this;
    if (this.viewer >= 0) {
      showStory(["The story shows what all players knew together: choose “all players together” to read it."], false);
      return;
    }
    showStory(storyParts(timeline, /** @type {State} */ (now).at), false);
  }

  /**
   * Shows a territory and what happens there in the whole game.
   * @param {number} land
   */
  showLand(land) {
    const { now, timeline } = this;
    if (!now) return;
    this.land = land;
    const { head, whens } = timeline;
    const shown = this.shownOf(now, this.viewer);
    const [owner, armies] = shown.lands[land];
    const ownerName = (/** @type {number} */ seat) => head.players[seat]?.name ?? "nobody";
    const stack = (shown.stacks[land] ?? []).map((count, unit) => [count, head.units[unit]]);
    const there = stack.filter(([count]) => count).map(([count, unit]) => `${count} ${unit}`).join(", ");
    byId("place").hidden = false;
    document.querySelector("#map .land.shown")?.classList.remove("shown");
    byId(`land-${land}`).classList.add("shown");
    const marks = this.marksOf(now).find(({ at }) => at === land);
    const note = [marks?.text, head.notes[land]].flatMap((text) => text ? [`, ${text}`] : []).join("");
    byId("place-name").textContent = `${head.lands[land]}: ${ownerName(owner)}, ${there || armies}${note}`;
    const history = this.viewer < 0 ? timeline.history(land, timeline.last, MOST_HISTORY) : [];
    byId("place-history").replaceChildren(...history.map(({ frame, owner: now, before, units }) => {
      const text = now === before ? `${units} there` : now < 0 ? "left without an owner" : `to ${ownerName(now)} with ${units}`;
      const row = document.createElement("li");
      row.append(element("a", `Round ${whens[frame][1]}: ${text}`, { href: `#s=${frame}` }));
      return row;
    }));
  }

  // --- moving through the game ---------------------------------------------------------------------------
  /** @param {number} index */
  go(index) {
    const { timeline } = this;
    const to = Math.min(Math.max(0, index), timeline.last);
    this.following = Boolean(timeline.head.live) && to === timeline.last;
    const walks = this.now?.at === to - 1;
    this.now = timeline.stateAt(to, this.now);
    this.show(walks);
  }

  /**
   * Goes to the step or the decision that the page's address names.
   * @returns {boolean} false if it names none
   */
  follow() {
    const found = /^#(d|s)=(\d{1,12})$/.exec(location.hash);
    if (!found) return false;
    this.go(found[1] === "s" ? Number(found[2]) : this.timeline.frameOf(Number(found[2])));
    return true;
  }

  get link() {
    const { at, when } = /** @type {State} */ (this.now);
    return this.timeline.head.live ? `#d=${when[0]}` : `#s=${at}`;
  }

  /** @param {1 | -1} by */
  step(by, part = Number(byId("step").value)) {
    if (this.now) this.go(this.timeline.step(this.now.at, /** @type {0 | 1 | 2} */ (part), by));
  }

  /** @param {string} kind */
  jump(kind) {
    const to = this.timeline.next(/** @type {keyof Timeline["marks"]} */ (kind), this.now?.at ?? 0);
    if (to !== undefined) this.go(to);
  }

  pause() {
    clearInterval(this.timer);
    this.timer = 0;
    byId("play").textContent = "▶ Play";
  }

  get isLast() {
    return this.now?.at === this.timeline.last;
  }

  play() {
    if (this.timer) {
      this.pause();
      return;
    }
    if (this.isLast) this.go(this.timeline.first);
    this.timer = window.setInterval(() => {
      this.step(1);
      if (this.isLast) this.pause();
    }, 1000 / Number(byId("speed").value));
    byId("play").textContent = "❚❚ Pause";
  }

  /** Adds the frames that came to the time line and the chart. */
  showFrames() {
    const { timeline } = this;
    byId("seek").max = timeline.last;
    timeline.close();
    drawChart(timeline, byId("what").value, fillOf, (frame) => this.go(frame));
  }

  listen() {
    const on = (/** @type {string} */ id, /** @type {() => void} */ act) => { byId(id).onclick = act; };
    on("first", () => this.go(0));
    on("last", () => this.go(this.timeline.last));
    on("back", () => this.step(-1));
    on("on", () => this.step(1));
    on("play", () => this.play());
    byId("seek").oninput = () => this.go(Number(byId("seek").value));
    byId("chart").onclick = (/** @type {MouseEvent} */ event) => {
      const { left, width } = byId("chart").getBoundingClientRect();
      this.go(Math.round((event.clientX - left) / width * this.timeline.last));
    };
    byId("speed").onchange = () => {
      if (!this.timer) return;
      this.pause();
      this.play();
    };
    byId("what").onchange = () => { this.showFrames(); this.show(); };
    byId("viewer").onchange = () => this.show();
    listenToLook(() => { this.showFrames(); this.show(); });
    byId("jump").onchange = () => {
      if (byId("jump").value) this.jump(byId("jump").value);
      byId("jump").value = "";
    };
    byId("lines").onclick = (/** @type {MouseEvent} */ event) => {
      const line = /** @type {HTMLElement} */ (event.target).closest("[data-frame]");
      // A click that selects text is not a jump.
      if (!line || String(getSelection())) return;
      this.go(Number(/** @type {HTMLElement} */ (line).dataset.frame));
      // On a narrow page, the map is far above the story.
      if (byId("board").getBoundingClientRect().bottom < innerHeight / 2) byId("board").scrollIntoView();
    };
    on("place-close", () => {
      this.land = -1;
      byId("place").hidden = true;
      document.querySelector("#map .land.shown")?.classList.remove("shown");
    });
    on("link", async () => {
      location.hash = this.link;
      try {
        await navigator.clipboard.writeText(location.href);
        byId("link").textContent = "Copied";
      } catch {
        byId("link").textContent = "Copy it from the address bar";
      }
      setTimeout(() => { byId("link").textContent = "Copy link"; }, 1500);
    });
    addEventListener("hashchange", () => this.follow());
    addEventListener("keydown", (event) => this.key(event));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.altKey || event.metaKey || /^(SELECT|INPUT)$/.test(target.tagName)) return;
    if (event.key === " " && /^(BUTTON|SUMMARY|A)$/.test(target.tagName)) return;
    // Boxes with more than they show are moved by these keys.
    const box = target.closest?.(".wide, #lines");
    if (box && event.key.startsWith("Arrow") && box.scrollWidth + box.scrollHeight > box.clientWidth + box.clientHeight) return;
    /** @type {Record<string, () => void>} */
    const keys = {
      " ": () => this.play(), Home: () => this.go(0), End: () => this.go(this.timeline.last),
      ArrowRight: () => this.step(1, event.shiftKey ? 2 : undefined),
      ArrowLeft: () => this.step(-1, event.shiftKey ? 2 : undefined),
      e: () => this.jump("eliminations"), f: () => this.jump("faults"), c: () => this.jump("captures"),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  }
}
