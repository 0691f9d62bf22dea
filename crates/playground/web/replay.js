// The page of a recorded game, or of a game between bots.

import { ask } from "#playground/shared";
import { kindOf, stem } from "#playground/names";
import { addOwnFiles, keep } from "#playground/own";
import { insertMap, showDifferences } from "#playground/page";
import { save } from "#playground/save";
import { byId, element } from "#report/dom";
import { Viewer } from "#report/viewer";

const RECORD = "risk-record";
/** A record has at most this many bytes. */
const LARGEST = 64 << 20;

/** @param {string} text */
function trouble(text) {
  byId("trouble").hidden = !text;
  byId("trouble").textContent = text;
}

/** Asks for a record. */
function empty() {
  byId("empty").hidden = false;
  byId("verdict").textContent = "";
}

/** @param {string} record */
async function show(record) {
  const game = await ask({ ask: "replay", record });
  document.querySelector(".map #map")?.remove();
  insertMap(game.map);
  byId("title").textContent = game.title;
  document.title = game.title;
  byId("verdict").textContent = game.differs === null ? `Verified: digest ${game.digest}` : `Not verified: ${game.differs}`;
  byId("verdict").classList.toggle("bad", game.differs !== null);
  byId("side").closest("main").hidden = false;
  byId("empty").hidden = true;
  byId("save-record").hidden = byId("save-page").hidden = false;
  const viewer = new Viewer(game.head);
  for (const frame of game.frames) viewer.timeline.add(frame);
  viewer.showFrames();
  viewer.listen();
  // Its link would replace the game in the address of this page.
  byId("link").hidden = true;
  viewer.go(viewer.timeline.first);
  byId("save-record").onclick = () => save(record, "application/jsonl", "game.jsonl");
  byId("save-page").onclick = async () => save((await ask({ ask: "page", record })).text, "text/html", "game.html");
  Object.assign(globalThis, { risk: viewer });
}

/** Returns the record that the page's address or the page before names, or null. */
async function wanted() {
  const url = new URLSearchParams(location.search).get("replay");
  if (url !== null) {
    const from = new URL(url, location.href);
    if (from.origin !== location.origin) throw new Error("A page opens only records of its own address. Save the record, and drop the file here.");
    const file = await fetch(from);
    if (!file.ok) throw new Error(`Can't load ${from.pathname}: ${file.status} ${file.statusText}`);
    return file.text();
  }
  if (location.hash.length > 1) {
    const opened = await ask({ ask: "open", link: location.hash.slice(1) });
    if (opened.people.length) location.replace(`play.html${location.search}${location.hash}`);
    showDifferences(opened.differences);
    byId("copy-link").hidden = false;
    byId("copy-link").onclick = async () => {
      const { text } = await ask({ ask: "link", files: true });
      history.replaceState(null, "", `${location.href.split("#")[0]}#${text}`);
      await navigator.clipboard?.writeText(location.href).catch(() => {});
    };
    return (await ask({ ask: "record" })).text;
  }
  const kept = sessionStorage.getItem(RECORD);
  sessionStorage.removeItem(RECORD);
  return kept;
}

/** @param {FileList | undefined | null} files */
async function take(files) {
  trouble("");
  try {
    for (const file of files ?? []) {
      if (file.size > LARGEST) throw new Error(`${file.name} is too large for a record.`);
      const text = await file.text();
      const kind = kindOf(file.name, text);
      if (kind !== "record") {
        await keep({ kind, name: stem(file.name), text });
        byId("kept").append(element("li", `${kind} ${stem(file.name)}`));
        continue;
      }
      await show(text);
    }
  } catch (error) {
    trouble(/** @type {Error} */ (error).message);
  }
}

addEventListener("hashchange", () => location.reload());
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  take(event.dataTransfer?.files);
});
byId("file").onchange = () => take(byId("file").files);
try {
  await addOwnFiles();
  const record = await wanted();
  if (record === null) empty();
  else await show(record);
} catch (error) {
  trouble(/** @type {Error} */ (error).message);
  empty();
}
