// Caches module resolutions, a third of a large command's start: see docs/decisions/0200-a-command-loads-what-it-uses.md.
import { CodedError } from "@roundtrip/contract/coded-error";
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

/** Files that pnpm, npm and Yarn rewrite whenever they change `node_modules`. */
const installerFiles = [".modules.yaml", ".package-lock.json", ".yarn-state.yml", ".yarn-integrity"];

/** The folder of this package, in a checkout or as published. */
const ownFolder = join(import.meta.dirname, "..", "..");

interface Installation {
  /** The folder with all modules, with a trailing slash. */
  readonly root: string;
  /** Changes with everything that affects the location of a module. */
  readonly state: string;
}

/** The content of a cache file. Modules are indices into `modules`. */
interface CacheContent {
  readonly state: string;
  /** Paths relative to the root, or names such as `node:fs`. */
  readonly modules: readonly string[];
  /** For each importing module: its index, and its imports such as `import:express` with index and format of the target. */
  readonly imports: readonly (readonly [number, Readonly<Record<string, readonly [number, string?]>>])[];
}

function stateOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? "" : `${path} ${found.mtimeMs} ${found.size}`;
}

/** The installation of this program; undefined if no installer records its changes. */
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

/** Empty for another state. Omits removed modules. Throws an Error for a missing or invalid file. */
function readKept(file: string, { root, state }: Installation): ModuleResolutions {
  const kept = JSON.parse(readFileSync(file, "utf8")) as CacheContent;
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

/** Omits modules outside the installation, whose changes are not recorded. */
function keptOf(resolutions: ModuleResolutions, { root, state }: Installation): CacheContent {
  const prefix = pathToFileURL(root).href;
  const indices = new Map<string, number>();
  const indexOf = (url: string): number | undefined => {
    const module = isBuiltin(url) ? url : url.slice(prefix.length);
    // Without these characters, URL and path are spelled alike.
    if (module !== url && (!url.startsWith(prefix) || /[%?#]/.test(module))) return undefined;
    const index = indices.get(module) ?? indices.size;
    indices.set(module, index);
    return index;
  };
  const imports: [number, Record<string, [number, string?]>][] = [];
  for (const [parent, found] of Object.entries(resolutions)) {
    const from = indexOf(parent);
    if (from === undefined) continue;
    const entries = Object.entries(found).flatMap(([name, [url, format]]) => {
      const index = indexOf(url);
      if (index === undefined) return [];
      return [[name, format === undefined ? [index] : [index, format]] as [string, [number, string?]]];
    });
    imports.push([from, Object.fromEntries(entries)]);
  }
  return { state, modules: [...indices.keys()], imports };
}

class CacheFile {
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

  /** Stops recording, and writes the file if there are new resolutions. */
  keep(): void {
    this.isWritten = true;
    endResolutions();
    const all = newResolutions();
    if (all === undefined) return;
    mkdirSync(dirname(this.#path), { recursive: true });
    // Renaming is atomic: concurrent starts read a complete file, old or new.
    const draft = `${this.#path}.${process.pid}`;
    writeFileSync(draft, JSON.stringify(keptOf(all, this.#here)));
    renameSync(draft, this.#path);
  }

  remove(): void {
    rmSync(this.#path, { force: true });
  }
}

/** Runs work without errors: if the cache fails, modules are resolved as usual. */
function quietly(work: () => void): void {
  try {
    work();
  } catch {}
}

let kept: CacheFile | undefined;

/** Runs a command with cached resolutions until {@link keepResolutions}, or else its end; modules that are not cached are resolved as usual. */
export async function withKeptResolutions(command: string, run: () => Promise<void>): Promise<void> {
  quietly(() => {
    const here = installation();
    if (here === undefined) return;
    kept = new CacheFile(command, here);
    kept.follow();
  });
  try {
    await run();
    if (kept?.isWritten === false) keepResolutions();
  } catch (thrown) {
    // A resolution may have been wrong, unless the error is one for the user: the next start resolves all modules.
    if (kept?.isWritten === false && !(thrown instanceof CodedError)) quietly(() => kept?.remove());
    throw thrown;
  } finally {
    endResolutions();
    kept = undefined;
  }
}

/** Stores the resolutions of all modules loaded so far, for the next start. */
export function keepResolutions(): void {
  quietly(() => kept?.keep());
}
