// The stubs of a running fake, as people see and change them: manually added stubs first, then those from files.
import { FakeError } from "../basics/fake-error.ts";
import type { Stub } from "../stubs/stub.ts";

export interface ListedStub {
  /** Stays the same while the stub exists. */
  readonly id: string;
  readonly stub: Stub;
  readonly origin: "added" | "file";
  /** True for a stub from a file that was edited manually: the file takes precedence when it is next read. */
  readonly isChanged: boolean;
}

/** A limit far above what people add manually. */
const maxAddedStubs = 1_000;

export class StubList {
  readonly #apply: (stubs: readonly Stub[]) => void;
  readonly #onChange: () => void;
  #all: readonly ListedStub[] = [];
  #numbered = 0;

  /**
   * @param apply makes the fake answer by these stubs; throws a FakeError, and changes nothing, if they do not fit
   * @param onChange called after each change
   */
  constructor(apply: (stubs: readonly Stub[]) => void, ofFiles: readonly Stub[], onChange: () => void) {
    this.#apply = apply;
    this.#onChange = onChange;
    this.#all = ofFiles.map((stub) => this.#listed(stub, "file"));
  }

  /** In order of precedence. */
  get all(): readonly ListedStub[] {
    return this.#all;
  }

  get(id: string): ListedStub | undefined {
    return this.#all.find((one) => one.id === id);
  }

  /** Adds stubs before all others. Throws a FakeError if they do not fit, or if there are too many. */
  add(stubs: readonly Stub[]): readonly ListedStub[] {
    const count = this.#all.filter(({ origin }) => origin === "added").length + stubs.length;
    if (count > maxAddedStubs) {
      throw new FakeError("too-large", `at most ${maxAddedStubs} stubs can be added: remove one first`);
    }
    const added = stubs.map((stub) => this.#listed(stub, "added"));
    this.#take([...added, ...this.#all]);
    return added;
  }

  /** Throws a FakeError if the stub does not fit. Returns undefined if there is no stub with this id. */
  change(id: string, stub: Stub): ListedStub | undefined {
    const before = this.get(id);
    if (before === undefined) return undefined;
    const changed = { ...before, stub, isChanged: before.origin === "file" };
    this.#take(this.#all.map((one) => (one.id === id ? changed : one)));
    return changed;
  }

  /** Returns false if there is no stub with this id. */
  remove(id: string): boolean {
    if (this.get(id) === undefined) return false;
    this.#take(this.#all.filter((one) => one.id !== id));
    return true;
  }

  /**
   * Replaces the stubs from files.
   * @param isKept whether a manually added stub stays
   * @param apply replaces the constructor's `apply`: applies these stubs together with other changes
   */
  takeFiles(
    ofFiles: readonly Stub[],
    isKept: (stub: Stub) => boolean = () => true,
    apply: (stubs: readonly Stub[]) => void = this.#apply,
  ): void {
    const added = this.#all.filter(({ origin, stub }) => origin === "added" && isKept(stub));
    this.#take([...added, ...ofFiles.map((stub) => this.#listed(stub, "file"))], apply);
  }

  #listed(stub: Stub, origin: ListedStub["origin"]): ListedStub {
    this.#numbered += 1;
    return { id: String(this.#numbered), stub, origin, isChanged: false };
  }

  #take(all: readonly ListedStub[], apply = this.#apply): void {
    apply(all.map(({ stub }) => stub));
    this.#all = all;
    this.#onChange();
  }
}
