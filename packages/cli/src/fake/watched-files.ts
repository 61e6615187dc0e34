// Reports changed files, whether editors write in place or rename. Watches folders, because a file watcher misses changes after a rename.
import { readdirSync, statSync, watch, type FSWatcher } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";

/** Names of folders and files of version control, package managers and editors, which are ignored. */
function isForeign(name: string): boolean {
  return name === ".git" || name === "node_modules" || /^\..*\.sw.$|^4913$|^\.#|~$/.test(name);
}

/** The system limits the watches of all programs together. */
const mostFolders = 2_000;

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

export class WatchedFiles implements Disposable {
  readonly #onChange: () => void;
  readonly #watchers = new Map<string, FSWatcher>();
  /** Requested files and folders, as absolute paths. */
  readonly #asked = new Set<string>();

  constructor(paths: readonly string[], onChange: () => void) {
    this.#onChange = onChange;
    this.add(paths);
  }

  /** Watches further files and folders with everything in them, whether they exist yet or not. */
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
      // For example a removed folder, which the watcher of its parent reports.
      watcher.on("error", () => this.#unwatch(folder));
      this.#watchers.set(folder, watcher);
    } catch {
      // A folder that cannot be watched only misses changes.
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
    // Another folder may have replaced the watched one.
    if (event === "rename" && name !== null) {
      this.#unwatch(path);
      this.#watchBelow(path);
    }
    this.#onChange();
  }
}
