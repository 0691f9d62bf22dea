// The page of a finished game. The game is in the page.

import { byId } from "#report/dom";
import { Viewer } from "#report/viewer";

/** @param {string} text base64 of a packed JSON document */
async function unpack(text) {
  const bytes = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  const packed = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(packed).text());
}

try {
  const { frames, ...head } = await unpack(byId("data").textContent);
  const viewer = new Viewer(head);
  for (const frame of frames) viewer.timeline.add(frame);
  viewer.showFrames();
  viewer.listen();
  if (!viewer.follow()) viewer.go(viewer.timeline.first);
  Object.assign(globalThis, { risk: viewer });
} catch (error) {
  byId("trouble").hidden = false;
  byId("trouble").textContent = `Can't show the game: ${/** @type {Error} */ (error).message ?? error}. Use a browser of 2023 or later.`;
}
