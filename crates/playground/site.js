// Builds the site of the playground, a folder for any static server: node crates/playground/site.js FOLDER MODULE TOOLS [BOOK].
// BOOK is the folder of the guides as pages.

import { build } from "esbuild";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, cpSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";

import { Instance } from "#playground/instance";

/** The target of the link to the source: the only address in the site. */
const SOURCE = "https://crates.io/crates/risk-cli";
/** Nothing that a link, a record or a file contains may run as code of a page. */
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; "
  + "connect-src 'self'; worker-src 'self'; frame-src 'self'; form-action 'none'; base-uri 'none'";

/** The most bytes, compressed, of the module for games and of a first visit. */
const LARGEST_MODULE = 2_200_000;
const LARGEST_VISIT = 3_000_000;

const [site, module, tools, book] = process.argv.slice(2);
if (!tools) throw new Error("expected a folder for the site, and two modules: that for games, and that with all tools");
const crates = join(dirname(fileURLToPath(import.meta.url)), "..");
/** @param {string[]} path */
const read = (...path) => readFileSync(join(crates, ...path), "utf8");
/** @param {string} name @param {string | Uint8Array} text */
const write = (name, text) => {
  const path = join(site, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

rmSync(site, { recursive: true, force: true });
mkdirSync(site, { recursive: true });
copyFileSync(module, join(site, "playground.wasm"));
copyFileSync(tools, join(site, "tools.wasm"));

/** Imports of modules of the pages. Types are imported in comments, with a name behind. */
const IMPORTS = /(from |await import\(|, import\()"#(\w+\/\w+)"(?!\)\.)/g;
/** @param {string} name @returns {string[]} the modules that a module imports */
const importsOf = (name) => {
  const [room, file] = name.split("/");
  return [...read(room, "web", `${file}.js`).matchAll(IMPORTS)].map(([, , other]) => other);
};
// The modules that the pages import, and those that these import.
/** The editor is a bundle of its own. */
const EDITOR = "playground/editor";
const modules = ["playground/start", "playground/game", "playground/replay", "playground/worker", "playground/workshop"];
for (const name of modules) {
  const [room, file] = name.split("/");
  modules.push(...importsOf(name).filter((other) => !modules.includes(other)));
  if (name === EDITOR) continue;
  write(`web/${name}.js`, read(room, "web", `${file}.js`).replace(IMPORTS, '$1"../$2.js"'));
}
const { metafile } = await build({
  entryPoints: [join(crates, "playground", "web", "editor.js")], outfile: join(site, `web/${EDITOR}.js`), bundle: true, format: "esm", minify: true,
  metafile: true, legalComments: "none", banner: { js: "/* Licences: editor.licences.txt */" }, logLevel: "warning",
});
const packages = Object.keys(metafile.inputs).flatMap((input) => /node_modules\/((?:@[\w-]+\/)?[\w-]+)\//.exec(input)?.[1] ?? []);
write(`web/${EDITOR}.licences.txt`, [...new Set(packages)].sort().map((name) =>
  `${name}\n\n${readFileSync(join(crates, "..", "node_modules", name, "LICENSE"), "utf8")}`).join("\n\n"));

const instance = new Instance(await WebAssembly.instantiate(await WebAssembly.compile(readFileSync(module)), {}));
const catalog = instance.ask({ ask: "catalog" });
const scripts = readdirSync(join(crates, "..", "scripts")).filter((file) => file.endsWith(".rhai")).map((file) => file.slice(0, -5)).sort();
/** The rulesets for which scripts were made, as their first lines say. */
const made = Object.fromEntries(scripts.flatMap((name) => {
  const named = /^\/\/ Made for: (.*)$/m.exec(read("..", "scripts", `${name}.rhai`))?.[1];
  return named ? [[name, named.split(", ")]] : [];
}));
write("catalog.json", JSON.stringify({ ...catalog, made }));

/** Returns a file of the project, or a block of a guide. @param {string} path */
const exampleText = (path) => {
  const [file, block] = path.split("#");
  const text = read("..", file);
  return block ? text.split(`\`\`\`rhai ${block}\n`)[1].split("\n```")[0] : text;
};
const tool = new Instance(await WebAssembly.instantiate(await WebAssembly.compile(readFileSync(tools)), {}));
/** The examples of the workshop: files, and the games in which they are tried. */
const examples = JSON.parse(read("playground", "examples", "examples.json")).map((/** @type {any} */ { files = [], copy = [], table, ...about }) => {
  const copies = copy.map((/** @type {string[]} */ [kind, name]) => ({ kind, name: `my-${name}`, text: tool.ask({ ask: "text", kind, name }).text }));
  const renamed = (/** @type {string} */ name) => copy.some((/** @type {string[]} */ [, copied]) => copied === name) ? `my-${name}` : name;
  return {
    ...about, files: [...files.map((/** @type {string[]} */ [kind, name, path]) => ({ kind, name, text: exampleText(path) })), ...copies],
    table: { ...table, ruleset: renamed(table.ruleset), bots: table.bots.map((/** @type {string} */ bot, /** @type {number} */ at) => at ? bot : renamed(bot)) },
  };
});
write("workshop.json", JSON.stringify({ examples, scripts, reference: tool.ask({ ask: "reference" }).entries, guides: Boolean(book) }));
if (book) {
  cpSync(book, join(site, "book"), { recursive: true });
  // Recorded games lie beside the page that shows them.
  renameSync(join(site, "book", "games"), join(site, "games"));
}

const board = read("report", "web", "board.css");
const own = read("playground", "web", "site.css");
write("site.css", board + own);
write("workshop.css", board + own + read("playground", "web", "workshop.css"));
write("play.css", board + read("arena", "web", "play.css") + own);
write("replay.css", board + read("report", "web", "viewer.css") + own);

const nobody = /pub const NOBODY: &str = "(#\w+)"/.exec(read("report", "src", "picture.rs"))?.[1];
if (!nobody) throw new Error("crates/report/src/picture.rs: expected `NOBODY`, the colour of land without an owner");
const look = read("report", "web", "look.html");
const policy = `<meta http-equiv="Content-Security-Policy" content="${POLICY}">\n`;
/**
 * Fills the places of a page.
 * @param {string} name
 * @param {string} text
 * @param {Record<string, string>} [more]
 */
const page = (name, text, more = {}) => {
  const guides = book ? ' <a href="book/index.html">Guides</a>' : "";
  const gallery = book ? ' <a href="book/gallery.html">Gallery: games to watch, maps</a>' : "";
  const values = { guides, gallery, policy, look, nobody, map: "", source: SOURCE, version: catalog.version, ...more };
  write(name, text.replace(/\{(\w+)\}/g, (all, key) => {
    if (!(key in values)) throw new Error(`${name}: nothing to put at ${all}`);
    return values[/** @type {keyof typeof values} */ (key)];
  }));
};
/** Returns a module, and those that it needs. @param {string} entry */
const needs = (entry) => {
  const needed = [entry];
  for (const name of needed) needed.push(...importsOf(name).filter((other) => !needed.includes(other)));
  return needed;
};
/**
 * Returns what a page loads at once, instead of finding it module by module: the engine, which takes longest, and the
 * modules that its first one needs.
 * @param {string} entry
 * @param {string} [engine]
 */
const preloads = (entry, engine = "playground.wasm") => {
  const scripts = [...new Set([...needs("playground/worker"), ...needs(entry)])].filter((name) => name !== "playground/worker");
  return `<link rel="preload" href="${engine}" as="fetch" crossorigin>\n${
    scripts.map((name) => `<link rel="modulepreload" href="web/${name}.js">\n`).join("")}`;
};
const fields = read("playground", "web", "fields.html");
page("index.html", read("playground", "web", "index.html"), { preloads: preloads("playground/start"), fields });
page("workshop.html", read("playground", "web", "workshop.html"), { preloads: preloads("playground/workshop", "tools.wasm"), fields });
page("play.html", read("arena", "web", "play.html"), {
  title: "", more: read("playground", "web", "keep.html"),
  head: `${policy}${preloads("playground/game")}<link rel="stylesheet" href="play.css">\n<script type="module" src="web/playground/game.js"></script>\n`,
});
const viewer = read("report", "web", "viewer.html").replace("{more}", "").replace("{map}", "").replace("{look}", look);
page("replay.html", read("playground", "web", "replay.html"), { viewer: viewer.replace("<main>", "<main hidden>"), preloads: preloads("playground/replay") });

/** @param {string} folder @returns {string[]} */
const all = (folder) => readdirSync(join(site, folder)).sort().flatMap((name) => {
  const path = posix.join(folder, name);
  return statSync(join(site, path)).isDirectory() ? all(path) : [path];
});
const files = all("");
/** The modules for those who only play: all but the tools, the workshop and the guides. */
const ofPlay = new Set(["playground/start", "playground/game", "playground/replay", "playground/worker"].flatMap((entry) => needs(entry)));
const isLater = (/** @type {string} */ file) => /^(tools\.wasm|workshop\.|book\/|games\/)/.test(file) || (file.startsWith("web/") && !ofPlay.has(file.slice(4, -3)));
const first = files.filter((file) => !isLater(file));
const later = files.filter(isLater);
const hash = createHash("sha256");
for (const file of files) hash.update(file).update(readFileSync(join(site, file)));
write("sw.js", read("playground", "web", "sw.js").replace("{stamp}", `risk-cli-site-${hash.digest("hex").slice(0, 16)}`)
  .replace("{files}", JSON.stringify(["./", ...first])).replace("{later}", JSON.stringify(later)));

// Each link within the site leads to a file, and to a place in it.
const known = new Set([...files, "sw.js", "./"]);
const ids = new Map(files.filter((file) => file.endsWith(".html")).map((file) =>
  [file, new Set([...readFileSync(join(site, file), "utf8").matchAll(/\b(?:id|name)="([^"]+)"/g)].map(([, id]) => id))]));
/** Pages whose anchors are games or projects. */
const OF_GAMES = ["play.html", "replay.html", "workshop.html"];
const broken = files.filter((file) => /\.(html|js)$/.test(file) && !/^book\/.*\.js$|^book\/(404|toc)\.html$/.test(file)).flatMap((file) => {
  const text = readFileSync(join(site, file), "utf8");
  const links = file.endsWith(".html") ? [...text.matchAll(/(?:href|src)="([^":]+)"/g)] : [...text.matchAll(/from "([^"]+)"/g)];
  return links.flatMap(([, link]) => {
    const [path, anchor] = link.replaceAll("&amp;", "&").split("#");
    const target = path ? posix.normalize(posix.join(posix.dirname(file), path.split("?")[0])) : file;
    if (!known.has(target)) return [`${file}: no ${link}`];
    const places = OF_GAMES.includes(target) ? null : ids.get(target);
    return anchor && places && !places.has(decodeURIComponent(anchor)) ? [`${file}: no place ${link}`] : [];
  });
});
if (broken.length) throw new Error(`broken links:\n${broken.join("\n")}`);

// Servers send files compressed, as `gzip -9` does.
const packed = (/** @type {string} */ file) => execFileSync("gzip", ["-9", "-c", join(site, file)], { maxBuffer: LARGEST_VISIT * 10 }).length;
const sizes = { module: packed("playground.wasm"), visit: first.reduce((sum, file) => sum + packed(file), 0), tools: packed("tools.wasm"), editor: packed(`web/${EDITOR}.js`) };
for (const [what, size] of Object.entries(sizes)) console.log(`${what}: ${size} bytes, compressed`);
if (tools !== module && (sizes.module > LARGEST_MODULE || sizes.visit > LARGEST_VISIT)) {
  throw new Error(`too large: a module has at most ${LARGEST_MODULE} bytes, and a first visit ${LARGEST_VISIT}`);
}
