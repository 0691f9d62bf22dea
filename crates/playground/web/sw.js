// Keeps the pages for visits without a network. Each version of the site has a cache of its own, and replaces the older
// one once no tab shows it any more, so that no page mixes two versions.

const VERSION = "{stamp}";
const FILES = /** @type {string[]} */ (JSON.parse('{files}'));
/** The files that are kept when they are first used: the tools, the workshop and the guides. */
const LATER = new Set(/** @type {string[]} */ (JSON.parse('{later}')).map((file) => new URL(file, location.href).pathname));
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
    if (file.ok && LATER.has(new URL(event.request.url).pathname)) await cache.put(event.request, file.clone());
    return file;
  };
  event.respondWith(kept());
});
