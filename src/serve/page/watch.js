// All that is shown comes from what the server tells.
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
