// A fake that stands on its own: made from files, which may change while it runs, and steered by hand.
import type { Contract } from "@roundtrip/contract";
import { createFake, type Fake } from "../fake/fake.ts";
import { FakeError } from "../basics/fake-error.ts";
import type { FakeOptions } from "../fake/fake-options.ts";
import type { FaultPlan } from "../faults/fault-plan.ts";
import type { Stub } from "../stubs/stub.ts";
import { StubShelf } from "./stub-shelf.ts";

/** What files say. */
export interface FakeFiles {
  readonly contract: Contract;
  readonly stubs: readonly Stub[];
  readonly faults: FaultPlan;
}

/** What a fake that runs is made of, and can change. */
export type FakePart = keyof FakeFiles;

export interface StandaloneFake {
  readonly fake: Fake;
  readonly stubs: StubShelf;
  /** What files said last. */
  readonly files: FakeFiles;
  /**
   * Takes what files say now. A new contract begins anew, with those of the stubs added by hand that fit it; gives the others. Throws a
   * FakeError when the files do not fit together, and changes nothing then.
   */
  takeFiles(change: Partial<FakeFiles>): readonly Stub[];
  /** Fails and delays by another plan, until the files say something else. Throws a FakeError when it does not fit. */
  setFaults(faults: FaultPlan): void;
  /** Hears what has changed; gives what ends the hearing. */
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

/** Makes it. Throws a FakeError when the files do not fit together. */
export function standaloneFake(files: FakeFiles, others: Partial<FakeOptions> = {}): StandaloneFake {
  const fake = createFake({ ...others, ...files });
  const listeners = new Set<(part: FakePart) => void>();
  const notify = (part: FakePart): void => {
    for (const listener of listeners) listener(part);
  };
  let taken = files;
  const shelf = new StubShelf(
    (stubs) => fake.replace({ stubs }),
    files.stubs,
    () => notify("stubs"),
  );
  return {
    fake,
    stubs: shelf,
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
      // Faults alone leave stubs that were changed by hand as they are.
      if (contract === undefined && change.stubs === undefined) fake.replace(change);
      else shelf.takeFiles(change.stubs ?? taken.stubs, isKept, (stubs) => fake.replace({ ...change, stubs }));
      taken = { ...taken, ...change };
      if (contract !== undefined) notify("contract");
      if (change.faults !== undefined) notify("faults");
      return lost;
    },
    setFaults(faults) {
      fake.replace({ faults });
      notify("faults");
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
