
// --- the game is told by the server ------------------------------------------------------------------
// All that is shown comes from what the server tells.
function showOpen(open) {
  if (open.text) {
    byId("open").textContent = open.text;
    return;
  }
  const here = [...open.joined, ...open.house];
  const who = here.length ? `: ${here.join(", ")}` : "";
  byId("open").textContent = open.closed
    ? "The arena is not open for players now."
    : `Match ${open.match} waits for players, ${here.length} of ${open.seats} have joined${who}`;
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

let epoch = 0;
let decision = null;   // where somebody stays who does not follow the game
let begun = false;

// More of the game: frames behind those that are here, or all of it anew.
function take({ epoch: of, head, from, frames, more }) {
  if (head) live = head.live;
  if (of !== epoch) {
    decision = following || !now ? decision : now.when[0];
    epoch = of;
    beginGame(head);
  } else if (head) {
    Object.assign(game, head);
  }
  frames.slice(game.frames.length - from).forEach(addFrame);
  if (more || !game.frames.length) return;
  showFrames();
  if (!begun) {
    begun = true;
    controls.hidden = false;
    listen();
    following = true;
    const wanted = /^#d=(\d{1,12})$/.exec(location.hash);
    if (wanted) [decision, following] = [Number(wanted[1]), false];
  }
  if (decision !== null) {
    const at = whens.findIndex(([answers]) => answers >= decision);
    decision = null;
    go(at < 0 ? game.frames.length - 1 : at);
  } else if (following || !now) {
    go(game.frames.length - 1);
  } else {
    show();
  }
}

function showTold(told) {
  showOpen(told.open);
  showMatches(told.matches);
  const { shown, timeline } = told;
  if (!shown) {
    byId("when").textContent = "No match has begun yet.";
    return;
  }
  // Another match has another map picture, and the first picture comes with the page.
  if (String(shown.match) !== page.match || (shown.lands.length && !byId("map"))) {
    location.reload();
    return;
  }
  if (timeline) take(timeline);
}

// There is nothing to go through before there is a match.
const controls = document.querySelector(".controls");
controls.hidden = document.querySelector(".time").hidden = true;
// Whoever listens to the page is not told of each moment while the game goes on.
byId("when").removeAttribute("role");
const source = new EventSource(page.events);
source.onmessage = (event) => showTold(JSON.parse(event.data));
