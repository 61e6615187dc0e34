// Keeps where the modules of a command are between its starts, for commands that load much: looking modules up is a third of such a start. See
// docs/decisions/0200-a-command-loads-what-it-uses.md.
import {
  endResolutions,
  followResolutions,
  newResolutions,
  type ModuleResolutions,
} from "@roundtrip/runner/module-resolutions";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { cacheFolder } from "../../bin/compile-cache.js";

/** Files that pnpm, npm and Yarn write into `node_modules` each time that they change it. */
const installerFiles = [".modules.yaml", ".package-lock.json", ".yarn-state.yml", ".yarn-integrity"];

/** The folder of this package, both in a checkout and where it is published. */
const ownFolder = join(import.meta.dirname, "..", "..");

interface Installation {
  /** The folder that has all modules, with its last slash. */
  readonly root: string;
  /** Changes with everything that decides where a module is. */
  readonly state: string;
}

/** What a file in the cache holds. Modules are numbers: places in `modules`. */
interface Kept {
  readonly state: string;
  /** Paths relative to the root, or names as `node:fs`. */
  readonly modules: readonly string[];
  /** One for each module that imports others: its place, and what it imports as `import:express`, with place and format of what that is. */
  readonly imports: readonly (readonly [number, Readonly<Record<string, readonly [number, string?]>>])[];
}

function stateOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? "" : `${path} ${found.mtimeMs} ${found.size}`;
}

/** The installation of this program; undefined where no installer notes its changes. */
function installation(): Installation | undefined {
  for (let root = ownFolder; root !== dirname(root); root = dirname(root)) {
    const installer = installerFiles.map((name) => join(root, "node_modules", name)).find((path) => existsSync(path));
    if (installer === undefined) continue;
    const packages = dirname(ownFolder);
    const ours = readdirSync(packages).map((name) => join(packages, name, "package.json"));
    const files = [installer, join(root, "pnpm-lock.yaml"), ...ours];
    const node = [process.version, process.execArgv, process.env["NODE_OPTIONS"]];
    return { root: join(root, "/"), state: JSON.stringify([node, files.map(stateOf)]) };
  }
  return undefined;
}

function fileFor(command: string, { root }: Installation): string {
  const name = createHash("sha256").update(root).digest("hex").slice(0, 16);
  return join(cacheFolder(), "modules", `${command}-${name}.json`);
}

/** Empty for another state, and without modules that have gone. Throws an Error for a file that is missing or broken. */
function readKept(file: string, { root, state }: Installation): ModuleResolutions {
  const kept = JSON.parse(readFileSync(file, "utf8")) as Kept;
  if (kept.state !== state) return {};
  const prefix = pathToFileURL(root).href;
  const urls = kept.modules.map((module) => {
    if (isBuiltin(module)) return module;
    return existsSync(root + module) ? prefix + module : undefined;
  });
  const resolutions: ModuleResolutions = {};
  for (const [parent, imports] of kept.imports) {
    const from = urls[parent];
    if (from === undefined) continue;
    const found: ModuleResolutions[string] = {};
    for (const [name, [module, format]] of Object.entries(imports)) {
      const url = urls[module];
      if (url !== undefined) found[name] = format === undefined ? [url] : [url, format];
    }
    resolutions[from] = found;
  }
  return resolutions;
}

/** Without modules outside the installation: nobody notes when those change. */
function keptOf(resolutions: ModuleResolutions, { root, state }: Installation): Kept {
  const prefix = pathToFileURL(root).href;
  const places = new Map<string, number>();
  const placeOf = (url: string): number | undefined => {
    const module = isBuiltin(url) ? url : url.slice(prefix.length);
    // In a path without these characters the URL spells what the path does.
    if (module !== url && (!url.startsWith(prefix) || /[%?#]/.test(module))) return undefined;
    const place = places.get(module) ?? places.size;
    places.set(module, place);
    return place;
  };
  const imports: [number, Record<string, [number, string?]>][] = [];
  for (const [parent, found] of Object.entries(resolutions)) {
    const from = placeOf(parent);
    if (from === undefined) continue;
    const entries = Object.entries(found).flatMap(([name, [url, format]]) => {
      const place = placeOf(url);
      if (place === undefined) return [];
      return [[name, format === undefined ? [place] : [place, format]] as [string, [number, string?]]];
    });
    imports.push([from, Object.fromEntries(entries)]);
  }
  return { state, modules: [...places.keys()], imports };
}

/** A file that says where the modules of one command are. */
class KeptFile {
  readonly #here: Installation;
  readonly #path: string;
  isWritten = false;

  /** Throws an Error for a user without a home directory. */
  constructor(command: string, here: Installation) {
    this.#here = here;
    this.#path = fileFor(command, here);
  }

  follow(): void {
    let known: ModuleResolutions = {};
    quietly(() => (known = readKept(this.#path, this.#here)));
    followResolutions(known);
  }

  /** Ends following, and writes what was found where it is more than before. */
  keep(): void {
    this.isWritten = true;
    endResolutions();
    const all = newResolutions();
    if (all === undefined) return;
    mkdirSync(dirname(this.#path), { recursive: true });
    // Starts at the same time read a whole file, this one or the one before.
    const draft = `${this.#path}.${process.pid}`;
    writeFileSync(draft, JSON.stringify(keptOf(all, this.#here)));
    renameSync(draft, this.#path);
  }

  remove(): void {
    rmSync(this.#path, { force: true });
  }
}

/** Where nothing can be read, written or removed, modules are looked up. */
function quietly(work: () => void): void {
  try {
    work();
  } catch {}
}

let kept: KeptFile | undefined;

/** Runs a command. Until {@link keepResolutions} its modules are where the start before it found them; others are looked up. */
export async function withKeptResolutions(command: string, run: () => Promise<void>): Promise<void> {
  quietly(() => {
    const here = installation();
    if (here === undefined) return;
    kept = new KeptFile(command, here);
    kept.follow();
  });
  try {
    await run();
  } catch (thrown) {
    // Should a module have been the wrong one, the next start looks all of them up.
    if (kept?.isWritten === false) quietly(() => kept?.remove());
    throw thrown;
  } finally {
    endResolutions();
    kept = undefined;
  }
}

/** Keeps the modules that the command has loaded so far, for its next start. */
export function keepResolutions(): void {
  quietly(() => kept?.keep());
}
