// A fake that runs on its own: made from files that may change while it runs, and controlled by people.
import type { Contract } from "@roundtrip/contract";
import { createFake, type Fake, type FakeOptions } from "../fake/fake.ts";
import { FakeError } from "../basics/fake-error.ts";
import type { FaultPlan } from "../faults/fault-schema.ts";
import type { Stub } from "../stubs/stub-schema.ts";
import { ListedStubs } from "./listed-stubs.ts";

export interface FakeFiles {
  readonly contract: Contract;
  readonly stubs: readonly Stub[];
  readonly faults: FaultPlan;
}

/** The parts of a running fake that can change. */
export type FakePart = keyof FakeFiles;

export interface StandaloneFake {
  readonly fake: Fake;
  readonly stubs: ListedStubs;
  /** The content of the files when they were last read. */
  readonly files: FakeFiles;
  /**
   * Applies new content of the files. A new contract starts with empty sessions, and keeps the manually added stubs that fit; returns the others. Throws
   * a FakeError, and changes nothing, if the files do not fit together.
   */
  takeFiles(change: Partial<FakeFiles>): readonly Stub[];
  /** Replaces the fault plan until the fault file changes. Throws a FakeError if it does not fit. */
  setFaults(faults: FaultPlan): void;
  /** Resets a session, or all: calls, resources, counters and own stubs. */
  reset(session?: string): void;
  /** Calls the listener with each part that changes. Returns a function that removes the listener. */
  onChange(listener: (part: FakePart) => void): () => void;
}

function fits(contract: Contract, stub: Stub): boolean {
  try {
    createFake({ contract, stubs: [stub] });
    return true;
  } catch (thrown) {
    if (thrown instanceof FakeError) return false;
    throw thrown;
  }
}

/** Makes a standalone fake. Throws a FakeError if the files do not fit together. */
export function standaloneFake(files: FakeFiles, others: Partial<FakeOptions> = {}): StandaloneFake {
  const fake = createFake({ ...others, ...files });
  const listeners = new Set<(part: FakePart) => void>();
  const notify = (part: FakePart): void => {
    for (const listener of listeners) listener(part);
  };
  const list = new ListedStubs(fake, () => notify("stubs"));
  let taken = files;
  return {
    fake,
    stubs: list,
    get files() {
      return taken;
    },
    takeFiles(change) {
      const { contract } = change;
      const lost: Stub[] = [];
      const isKept = (stub: Stub): boolean => {
        const kept = contract === undefined || fits(contract, stub);
        if (!kept) lost.push(stub);
        return kept;
      };
      // A change of faults alone keeps manually edited stubs.
      if (contract === undefined && change.stubs === undefined) fake.replace(change);
      else list.takeFiles(change.stubs ?? taken.stubs, isKept, (stubs) => fake.replace({ ...change, stubs }));
      taken = { ...taken, ...change };
      if (contract !== undefined) notify("contract");
      if (change.faults !== undefined) notify("faults");
      return lost;
    },
    setFaults(faults) {
      fake.replace({ faults });
      notify("faults");
    },
    reset(session) {
      const before = list.all.length;
      fake.reset(session);
      if (list.all.length < before) notify("stubs");
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
