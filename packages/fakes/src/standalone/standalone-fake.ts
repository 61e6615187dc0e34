// A fake that runs on its own: made from files that may change while it runs, and controlled by people.
import { createFake, type Fake, type FakeOptions, type Replaced } from "../fake/fake.ts";
import type { FaultPlan } from "../faults/fault-schema.ts";
import { misfit } from "../stubs/compiled-stub.ts";
import { stubWarnings } from "../stubs/broken-rules.ts";
import type { Stub } from "../stubs/stub-schema.ts";
import { appliedText, type FakeFiles } from "./applied-text.ts";
import { ListedStubs } from "./listed-stubs.ts";

/** The parts of a running fake that can change. */
export type FakePart = keyof FakeFiles;

export interface StandaloneFake {
  readonly fake: Fake;
  readonly stubs: ListedStubs;
  /** The content of the files when they were last read. */
  readonly files: FakeFiles;
  /**
   * Applies new content of the files. The contract of before changes nothing; a new one keeps the state, the sessions and the manually added stubs that fit.
   * Throws a FakeError, and changes nothing, if the files do not fit together.
   */
  takeFiles(change: Partial<FakeFiles>): TakenFiles;
  /** Replaces the fault plan until the fault file changes. Throws a FakeError if it does not fit. */
  setFaults(faults: FaultPlan): void;
  /** Resets a session, or all: calls, resources, counters and own stubs. */
  reset(session?: string): void;
  /** Tells the listeners what became of changed files. */
  report(text: string): void;
  /** Calls the listener with each part that changes, or stays equal; and with what became of changed files. Returns a function that removes the listener. */
  onChange(listener: ChangeListener): () => void;
}

type ChangeListener = (part: FakePart | undefined, text?: string) => void;

export interface TakenFiles {
  /** What was applied, kept and reset, in one line. */
  readonly text: string;
  /** Takes the earlier files again, with the sessions of before. */
  readonly undo: () => void;
}

/** Makes a standalone fake. Throws a FakeError if the files do not fit together. */
export function standaloneFake(files: FakeFiles, options: Partial<FakeOptions> = {}): StandaloneFake {
  const fake = createFake({ ...options, ...files });
  const listeners = new Set<ChangeListener>();
  const notify: ChangeListener = (part, text) => {
    for (const listener of listeners) listener(part, text);
  };
  const list = new ListedStubs(fake, () => notify("stubs"));
  let taken = files;
  return {
    fake,
    stubs: list,
    get files() {
      return taken;
    },
    takeFiles({ contract: read, ...others }) {
      const isSameContract = read === taken.contract;
      const contract = isSameContract ? undefined : read;
      const change: Partial<FakeFiles> = contract === undefined ? others : { ...others, contract };
      const before = taken;
      const lost: string[] = [];
      let replaced: Replaced | undefined;
      const isKept = (stub: Stub): boolean => {
        const why = contract && misfit(contract, stub);
        if (why !== undefined) lost.push(why);
        return why === undefined;
      };
      // A change of faults alone keeps manually edited stubs.
      if (contract === undefined && change.stubs === undefined) {
        if (change.faults !== undefined) replaced = fake.replace(change);
      } else
        list.takeFiles(change.stubs ?? taken.stubs, isKept, (stubs) => {
          replaced = fake.replace({ ...change, stubs });
        });
      taken = { ...taken, ...change };
      const warnings = stubWarnings(fake.contract, change.stubs ?? []);
      const text = appliedText({ change, isSameContract, lost, resets: replaced?.resets ?? [], warnings });
      notify(read === undefined ? undefined : "contract", text);
      if (change.faults !== undefined) notify("faults");
      return {
        text,
        undo() {
          replaced?.undo();
          taken = before;
          for (const part of ["contract", "stubs", "faults"] as const) notify(part);
        },
      };
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
    report: (text) => notify(undefined, text),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
