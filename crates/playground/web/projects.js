// The projects of the workshop. They stay in this browser until they are deleted. A project that came from a link or
// an example is kept when it is first changed, under a number of its own: it replaces nothing.

import { randomSeed, tableOf } from "#playground/setup";

/** @typedef {import("#playground/types").Project} Project */

const KEY = "risk-project-";

/** @param {any} file */
const isFile = (file) => [file?.kind, file?.name, file?.text].every((part) => typeof part === "string");

/** Returns the kept projects, the last changed first. Those that can't be read have no files. @returns {Project[]} */
export function projects() {
  const ids = Object.keys(localStorage).filter((key) => key.startsWith(KEY)).map((key) => key.slice(KEY.length));
  return ids.map((id) => projectOf(id) ?? broken(id)).sort((a, b) => b.changed - a.changed);
}

/** @param {string} id @returns {Project} */
const broken = (id) => ({
  id, title: "damaged: this browser has lost a part of it", files: [], table: tableOf(""), base: null, changed: 0,
});

/**
 * Returns a kept project, or null if there is none that can be read.
 * @param {string} id
 * @returns {Project | null}
 */
export function projectOf(id) {
  try {
    const project = JSON.parse(localStorage.getItem(KEY + id) ?? "null");
    const isWhole = project && typeof project.title === "string" && Array.isArray(project.files) && project.files.every(isFile) && Array.isArray(project.table?.bots);
    return isWhole ? { ...project, id, table: { ...tableOf(""), ...project.table }, changed: Number(project.changed) || 0 } : null;
  } catch {
    return null;
  }
}

/**
 * Keeps a project, and gives it a number if it has none.
 * @param {Project} project
 */
export function keepProject(project) {
  // Another tab has changed or deleted it: this one goes on with a project of its own.
  if (project.id && projectOf(project.id)?.changed !== project.changed) project.id = "";
  project.id ||= randomSeed().slice(0, 8);
  const changed = Date.now();
  try {
    localStorage.setItem(KEY + project.id, JSON.stringify({ ...project, changed }));
    project.changed = changed;
  } catch {
    throw new Error("This browser has no room for the last change: save your files, or delete a project.");
  }
}

/** @param {string} id */
export const removeProject = (id) => localStorage.removeItem(KEY + id);

/**
 * Returns a name that no file of its kind has.
 * @param {string} wish
 * @param {string[]} taken
 */
export function freeName(wish, taken) {
  let name = wish;
  for (let number = 2; taken.includes(name); number += 1) name = `${wish.slice(0, 36)}-${number}`;
  return name;
}
