// The files of a fake: read at the start, watched, and read again when they change.
import { type FaultPlan, noFaults, readFaultPlan, readStubs, type Stub, stubWarnings } from "@roundtrip/fakes";
import type { FakeFiles, FakePart } from "@roundtrip/fakes/standalone";
import { type Contract, isSameContract } from "@roundtrip/contract";
import type { FakeFlags } from "./fake-words.ts";
import { contractOfFake, type ContractOfFake } from "../contract/contract-source.ts";
import { type FSWatcher, lstatSync, readdirSync, statSync, watch } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";

async function stubsFor(contract: Contract, { stubs }: FakeFlags): Promise<readonly Stub[]> {
  return stubs === undefined ? [] : readStubs(stubs, contract);
}

async function faultsFor(contract: Contract, { faults }: FakeFlags): Promise<FaultPlan> {
  if (faults === undefined) return noFaults;
  const { measuredLatency } = await import("./measured-latency.ts");
  return readFaultPlan(faults, contract, measuredLatency);
}

async function readRest(contract: Contract, flags: FakeFlags): Promise<FakeFiles> {
  const [stubs, faults] = await Promise.all([stubsFor(contract, flags), faultsFor(contract, flags)]);
  return { contract, stubs, faults };
}

export interface FilesAtStart {
  readonly files: FakeFiles;
  readonly inputs: readonly string[];
  /** Of stubs whose answers break the contract's rules. */
  readonly warnings: readonly string[];
}

/** Reads the other files when the contract is there. Rejects with a CliError or a FakeError with file and line. */
export async function readFiles(reading: Promise<ContractOfFake>, flags: FakeFlags): Promise<FilesAtStart> {
  const { contract, inputs } = await reading;
  const files = await readRest(contract, flags);
  return { files, inputs, warnings: stubWarnings(contract, files.stubs) };
}

export interface ChangedFiles {
  readonly change: Partial<FakeFiles>;
  /** Empty if the contract was not read. */
  readonly inputs: readonly string[];
}

/** Reads changed files. With a new contract it reads stubs and faults again, to check them against it. An equal contract is the current one. */
async function readChanged(parts: ReadonlySet<FakePart>, current: Contract, flags: FakeFlags): Promise<ChangedFiles> {
  if (parts.has("contract")) {
    const { contract, inputs } = await contractOfFake(flags);
    if (!isSameContract(current, contract)) return { change: await readRest(contract, flags), inputs };
    const others = await readChanged(new Set([...parts].filter((part) => part !== "contract")), current, flags);
    return { change: { ...others.change, contract: current }, inputs };
  }
  const [stubs, faults] = await Promise.all([
    parts.has("stubs") ? stubsFor(current, flags) : undefined,
    parts.has("faults") ? faultsFor(current, flags) : undefined,
  ]);
  return { change: { ...(stubs && { stubs }), ...(faults && { faults }) }, inputs: [] };
}

/** Names of folders and files of version control, package managers and editors, which are ignored. */
function isForeign(name: string): boolean {
  return name === ".git" || name === "node_modules" || /^\..*\.sw.$|^4913$|^\.#|~$/.test(name);
}

/** The system limits the watches of all programs together. */
const mostFolders = 2_000;

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

export class WatchedFiles implements Disposable {
  readonly #onChange: () => void;
  readonly #watchers = new Map<string, FSWatcher>();
  /** Requested files and folders, as absolute paths. */
  readonly #asked = new Set<string>();
  /** Symbolic links above those, which may be linked anew. */
  readonly #links = new Set<string>();

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
      this.#watchLinks(dirname(asked));
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

  #watchLinks(folder: string): void {
    for (let above = folder; above !== dirname(above); above = dirname(above)) {
      if (!isLink(above)) continue;
      this.#links.add(above);
      this.#watch(dirname(above));
    }
  }

  /** Watches what a link leads to now. */
  #followLink(link: string): void {
    this.#unwatch(link);
    for (const asked of this.#asked) {
      if (!asked.startsWith(`${link}${sep}`)) continue;
      this.#watch(dirname(asked));
      this.#watchBelow(asked);
      this.#watchLinks(dirname(asked));
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
    const isAbove = event === "rename" && this.#links.has(path);
    if (isAbove) this.#followLink(path);
    if (!isAbove && !this.#isAsked(path)) return;
    // Another folder may have replaced the watched one.
    if (event === "rename" && name !== null) {
      this.#unwatch(path);
      this.#watchBelow(path);
    }
    this.#onChange();
  }
}

/** Editors write in several steps, so files are read this many milliseconds after the last one. */
const quietMs = 40;

export interface HotReloadOptions {
  readonly flags: FakeFlags;
  readonly start: FilesAtStart;
  /** Whether the contract can change at all. */
  readonly followsContract: boolean;
  readonly contract: () => Contract;
  /** Applies a change. Rejects, and changes nothing, if the parts do not fit together. */
  readonly take: (change: Partial<FakeFiles>) => Promise<void>;
  readonly onFault: (thrown: unknown) => void;
}

/** The files of each part; empty for parts without files. */
function placesOf({ flags, start, followsContract }: HotReloadOptions): ReadonlyMap<FakePart, readonly string[]> {
  const places = [
    ["contract", followsContract ? start.inputs : []],
    ["stubs", flags.stubs === undefined ? [] : [flags.stubs]],
    ["faults", flags.faults === undefined ? [] : [flags.faults]],
  ] as const;
  return new Map(places.filter(([, paths]) => paths.length > 0));
}

export function followFiles(options: HotReloadOptions): AsyncDisposable {
  const { flags, contract, take, onFault } = options;
  const watched = new Map<FakePart, WatchedFiles>();
  const changed = new Set<FakePart>();
  /** Parts that changed since the contract could not be read. They are read again with the next contract. */
  const failed = new Set<FakePart>();
  let timer: NodeJS.Timeout | undefined;
  let taking: Promise<void> = Promise.resolve();

  const read = async (): Promise<void> => {
    // A change during another was applied with it.
    if (changed.size === 0) return;
    const parts = new Set([...changed, ...(changed.has("contract") ? failed : [])]);
    changed.clear();
    try {
      const { change, inputs } = await readChanged(parts, contract(), flags);
      watched.get("contract")?.add(inputs);
      await take(change);
      if (parts.has("contract")) failed.clear();
    } catch (thrown) {
      for (const part of parts) failed.add(part);
      onFault(thrown);
    }
  };
  const hear = (part: FakePart): void => {
    changed.add(part);
    clearTimeout(timer);
    timer = setTimeout(() => void (taking = taking.then(read)), quietMs);
  };
  for (const [part, paths] of placesOf(options)) watched.set(part, new WatchedFiles(paths, () => hear(part)));
  return {
    async [Symbol.asyncDispose]() {
      for (const each of watched.values()) each[Symbol.dispose]();
      clearTimeout(timer);
      await taking;
    },
  };
}
