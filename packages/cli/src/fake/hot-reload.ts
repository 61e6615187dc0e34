// Makes a fake follow its files: applies a change once it is complete, and ignores invalid ones.
import type { Contract } from "@roundtrip/contract";
import type { FakeFiles, FakePart } from "@roundtrip/fakes/standalone";
import type { FakeFlags } from "./fake-flags.ts";
import { readChanged, type FilesAtStart } from "./read-files.ts";
import { WatchedFiles } from "./watched-files.ts";

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

/** Follows the files until disposed. */
export function followFiles(options: HotReloadOptions): AsyncDisposable {
  const { flags, contract, take, onFault } = options;
  const watched = new Map<FakePart, WatchedFiles>();
  const changed = new Set<FakePart>();
  let timer: NodeJS.Timeout | undefined;
  let taking: Promise<void> = Promise.resolve();

  const read = async (): Promise<void> => {
    const parts = new Set(changed);
    changed.clear();
    // A change during another was applied with it.
    if (parts.size === 0) return;
    try {
      const { change, inputs } = await readChanged(parts, contract(), flags);
      watched.get("contract")?.add(inputs);
      await take(change);
    } catch (thrown) {
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
