
// --- the game is in the page -------------------------------------------------------------------------
async function unpack(text) {
  const bytes = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  const packed = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(packed).text());
}

async function begin() {
  let all;
  try {
    all = await unpack(byId("data").textContent);
  } catch (error) {
    byId("trouble").hidden = false;
    byId("trouble").textContent = `Can't show the game: ${error.message ?? error}. Use a browser of 2023 or later.`;
    return;
  }
  beginGame(all);
  all.frames.forEach(addFrame);
  showFrames();
  listen();
  if (!follow()) go(0);
}

begin();
