// Loads modules of the engine.

/**
 * Loads and compiles a module, which is beside the pages.
 * @param {string} name of its file
 */
export async function load(name) {
  const file = await fetch(new URL(`../../${name}`, import.meta.url));
  if (!file.ok) throw new Error(`can't load the engine: ${file.status} ${file.statusText}`);
  try {
    return await WebAssembly.compileStreaming(file.clone());
  } catch {
    // Some servers don't name the type of the file.
    return WebAssembly.compile(await file.arrayBuffer());
  }
}
