// Keeps the pages for visits without a network. Each version of the site has a cache of its own, and replaces the older
// one once no tab shows it any more, so that no page mixes two versions.

const VERSION = "{stamp}";
const FILES = /** @type {string[]} */ (JSON.parse('{files}'));
const worker = /** @type {any} */ (self);

worker.addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(FILES)));
});

worker.addEventListener("activate", (/** @type {any} */ event) => {
  const old = async () => {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name !== VERSION && name.startsWith("risk-")).map((name) => caches.delete(name)));
    await worker.clients.claim();
  };
  event.waitUntil(old());
});

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  if (event.request.method !== "GET") return;
  const kept = async () => {
    const cache = await caches.open(VERSION);
    const known = await cache.match(event.request, { ignoreSearch: true });
    if (known) return known;
    const file = await fetch(event.request);
    // The tools are kept when they are first used.
    if (file.ok && new URL(event.request.url).pathname.endsWith("/tools.wasm")) await cache.put(event.request, file.clone());
    return file;
  };
  event.respondWith(kept());
});
