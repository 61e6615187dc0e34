// Notices when files change, however an editor writes them: in place, or beside and then renamed. Folders are watched, never files: a file that
// is renamed over another has nobody watching it for a moment, and its next change may fall into that.
import { readdirSync, statSync, watch, type FSWatcher } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";

/** What version control, package managers and editors keep beside the files that they are about. */
function isForeign(name: string): boolean {
  return name === ".git" || name === "node_modules" || /^\..*\.sw.$|^4913$|^\.#|~$/.test(name);
}

/** A machine has so many watches at most, for all its programs together. */
const mostFolders = 2_000;

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

export class WatchedFiles implements Disposable {
  readonly #onChange: () => void;
  readonly #watchers = new Map<string, FSWatcher>();
  /** Files and folders that were asked for, as absolute paths. */
  readonly #asked = new Set<string>();

  constructor(paths: readonly string[], onChange: () => void) {
    this.#onChange = onChange;
    this.add(paths);
  }

  /** Watches further files and folders, and all that is below them, whether they are there by now or not. */
  add(paths: readonly string[]): void {
    for (const path of paths) {
      const asked = resolve(path);
      if (this.#asked.has(asked)) continue;
      this.#asked.add(asked);
      this.#watch(dirname(asked));
      this.#watchBelow(asked);
    }
  }

  [Symbol.dispose](): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  /** True for what was asked for, and for everything below it. */
  #isAsked(path: string): boolean {
    for (let above = path; ; above = dirname(above)) {
      if (this.#asked.has(above)) return true;
      if (isForeign(basename(above)) || above === dirname(above)) return false;
    }
  }

  #watch(folder: string): void {
    if (this.#watchers.has(folder) || this.#watchers.size >= mostFolders) return;
    try {
      const watcher = watch(folder, (event, name) => this.#hear(folder, event, name));
      // Such as a removed folder: the watcher of its parent notices.
      watcher.on("error", () => this.#unwatch(folder));
      this.#watchers.set(folder, watcher);
    } catch {
      // What cannot be watched is a place whose changes are not seen: no reason to end.
    }
  }

  #watchBelow(path: string): void {
    if (isForeign(basename(path)) || !isFolder(path)) return;
    this.#watch(path);
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      if (entry.isDirectory()) this.#watchBelow(join(path, entry.name));
    }
  }

  #unwatch(path: string): void {
    for (const [folder, watcher] of this.#watchers) {
      if (folder !== path && !folder.startsWith(`${path}${sep}`)) continue;
      watcher.close();
      this.#watchers.delete(folder);
    }
  }

  #hear(folder: string, event: string, name: string | null): void {
    const path = name === null ? folder : join(folder, name);
    if (!this.#isAsked(path)) return;
    // Another folder may be in the place of the one that was watched.
    if (event === "rename" && name !== null) {
      this.#unwatch(path);
      this.#watchBelow(path);
    }
    this.#onChange();
  }
}
