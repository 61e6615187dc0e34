// The stubs of a fake that runs, as people see and change them: those that were added by hand, which go first, and those of files.
import type { Stub } from "../stubs/stub.ts";

export interface ShelvedStub {
  /** For as long as the stub is there. */
  readonly id: string;
  readonly stub: Stub;
  readonly origin: "hand" | "file";
  /** True for a stub of a file that was changed by hand: the file has it otherwise, and wins when it is next read. */
  readonly isChanged: boolean;
}

/** More than anybody writes by hand. */
const maxAddedStubs = 1_000;

export class StubShelf {
  readonly #apply: (stubs: readonly Stub[]) => void;
  readonly #onChange: () => void;
  #all: readonly ShelvedStub[] = [];
  #numbered = 0;

  /**
   * @param apply has the fake answer by these stubs. Throws a FakeError for stubs that do not fit, and nothing changes then.
   * @param onChange hears that there are others now.
   */
  constructor(apply: (stubs: readonly Stub[]) => void, ofFiles: readonly Stub[], onChange: () => void) {
    this.#apply = apply;
    this.#onChange = onChange;
    this.#all = ofFiles.map((stub) => this.#shelved(stub, "file"));
  }

  /** In the order in which they are asked for an answer. */
  get all(): readonly ShelvedStub[] {
    return this.#all;
  }

  get(id: string): ShelvedStub | undefined {
    return this.#all.find((one) => one.id === id);
  }

  /** Puts stubs before all others. Throws a FakeError when they do not fit, a RangeError when there are too many. */
  add(stubs: readonly Stub[]): readonly ShelvedStub[] {
    const count = this.#all.filter(({ origin }) => origin === "hand").length + stubs.length;
    if (count > maxAddedStubs)
      throw new RangeError(`a fake can have at most ${maxAddedStubs} added stubs: remove one first`);
    const added = stubs.map((stub) => this.#shelved(stub, "hand"));
    this.#take([...added, ...this.#all]);
    return added;
  }

  /** Throws a FakeError when the stub does not fit. Undefined when there is none with this id. */
  change(id: string, stub: Stub): ShelvedStub | undefined {
    const before = this.get(id);
    if (before === undefined) return undefined;
    const changed = { ...before, stub, isChanged: before.origin === "file" };
    this.#take(this.#all.map((one) => (one.id === id ? changed : one)));
    return changed;
  }

  /** False when there is none with this id. */
  remove(id: string): boolean {
    if (this.get(id) === undefined) return false;
    this.#take(this.#all.filter((one) => one.id !== id));
    return true;
  }

  /**
   * What files say now takes the place of what they said before.
   * @param isKept which of those that were added by hand stay.
   * @param apply in place of what the shelf was made with: has the fake answer by these stubs, and by whatever changed with them.
   */
  takeFiles(
    ofFiles: readonly Stub[],
    isKept: (stub: Stub) => boolean = () => true,
    apply: (stubs: readonly Stub[]) => void = this.#apply,
  ): void {
    const added = this.#all.filter(({ origin, stub }) => origin === "hand" && isKept(stub));
    this.#take([...added, ...ofFiles.map((stub) => this.#shelved(stub, "file"))], apply);
  }

  #shelved(stub: Stub, origin: ShelvedStub["origin"]): ShelvedStub {
    this.#numbered += 1;
    return { id: String(this.#numbered), stub, origin, isChanged: false };
  }

  #take(all: readonly ShelvedStub[], apply = this.#apply): void {
    apply(all.map(({ stub }) => stub));
    this.#all = all;
    this.#onChange();
  }
}
