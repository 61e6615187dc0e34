// The stubs of a running fake and of its sessions, as people see and change them: added stubs first, then those from files. The fake keeps them, and
// drops those of a session with the session.
import { FakeError } from "../basics/fake-error.ts";
import type { Fake } from "../fake/fake.ts";
import type { Stub } from "../stubs/stub-schema.ts";

interface Listing {
  /** Stays the same while the stub exists. */
  readonly id: string;
  readonly origin: "added" | "file";
  /** True for a stub from a file that was edited: the file takes precedence when it is next read. */
  readonly isChanged: boolean;
}

export interface ListedStub extends Listing {
  readonly stub: Stub;
  /** Undefined for a stub of all sessions. */
  readonly session: string | undefined;
}

/** The stubs of one session, or those of the fake. */
interface Scope {
  readonly session: string | undefined;
  readonly stubs: readonly Stub[];
  /** Throws a FakeError, and changes nothing, if the stubs do not fit. */
  readonly use: (stubs: readonly Stub[]) => void;
}

/** A limit far above what people and tests add. */
const maxAddedStubs = 1_000;

export class ListedStubs {
  readonly #fake: Fake;
  readonly #onChange: () => void;
  readonly #listings = new WeakMap<Stub, Listing>();
  #numbered = 0;

  constructor(fake: Fake, onChange: () => void) {
    this.#fake = fake;
    this.#onChange = onChange;
    for (const stub of fake.options.stubs) this.#number(stub, "file");
  }

  /** Those of single sessions first; in order of precedence within each. */
  get all(): readonly ListedStub[] {
    return this.#scopes().flatMap((scope) => this.#listed(scope));
  }

  /** Adds stubs before the others of the session or the fake. Throws a FakeError if they do not fit, or if there are too many. */
  add(stubs: readonly Stub[], session?: string): readonly ListedStub[] {
    const scope = session === undefined ? this.#scopeOfFake() : this.#scopeOf(session);
    const before = scope.stubs.filter((stub) => this.#listings.get(stub)?.origin !== "file");
    if (before.length + stubs.length > maxAddedStubs) {
      throw new FakeError("too-large", `at most ${maxAddedStubs} stubs can be added: remove one first`);
    }
    // Copies, so that each has an id of its own.
    const added = stubs.map((stub) => this.#number({ ...stub }, "added"));
    this.#use(scope, [...added, ...scope.stubs]);
    return this.#listed({ ...scope, stubs: added });
  }

  /** Throws a FakeError if the stub does not fit. Returns undefined if there is no stub with this id. */
  change(id: string, stub: Stub): ListedStub | undefined {
    const found = this.#find(id);
    if (found === undefined) return undefined;
    const { scope, before, listing } = found;
    const changed = { ...stub };
    this.#listings.set(changed, { ...listing, isChanged: listing.origin === "file" });
    this.#use(
      scope,
      scope.stubs.map((kept) => (kept === before ? changed : kept)),
    );
    return this.#listed({ ...scope, stubs: [changed] })[0];
  }

  /** Returns false if there is no stub with this id. */
  remove(id: string): boolean {
    const found = this.#find(id);
    if (found === undefined) return false;
    const { scope, before } = found;
    this.#use(
      scope,
      scope.stubs.filter((stub) => stub !== before),
    );
    return true;
  }

  /**
   * Replaces the stubs from files, and keeps the added ones that are still valid.
   * @param apply applies the stubs, together with other changes of the fake
   */
  takeFiles(ofFiles: readonly Stub[], isKept: (stub: Stub) => boolean, apply: (stubs: readonly Stub[]) => void): void {
    const added = this.#fake.options.stubs.filter(
      (stub) => this.#listings.get(stub)?.origin !== "file" && isKept(stub),
    );
    apply([...added, ...ofFiles]);
    for (const stub of ofFiles) this.#number(stub, "file");
    this.#onChange();
  }

  #scopeOfFake(): Scope {
    const fake = this.#fake;
    return { session: undefined, stubs: fake.options.stubs, use: (stubs) => fake.replace({ stubs }) };
  }

  #scopeOf(name: string): Scope {
    const session = this.#fake.session(name);
    return { session: name, stubs: session.own.stubs, use: (stubs) => session.use({ stubs }) };
  }

  #scopes(): readonly Scope[] {
    return [...this.#fake.sessions.names.map((name) => this.#scopeOf(name)), this.#scopeOfFake()];
  }

  #find(id: string): { readonly scope: Scope; readonly before: Stub; readonly listing: Listing } | undefined {
    for (const scope of this.#scopes()) {
      for (const before of scope.stubs) {
        const listing = this.#listings.get(before);
        if (listing?.id === id) return { scope, before, listing };
      }
    }
    return undefined;
  }

  #use(scope: Scope, stubs: readonly Stub[]): void {
    scope.use(stubs);
    this.#onChange();
  }

  #number(stub: Stub, origin: Listing["origin"]): Stub {
    this.#numbered += 1;
    this.#listings.set(stub, { id: String(this.#numbered), origin, isChanged: false });
    return stub;
  }

  #listed({ session, stubs }: Scope): readonly ListedStub[] {
    return stubs.map((stub) => {
      // A session may have got stubs from the program.
      if (!this.#listings.has(stub)) this.#number(stub, "added");
      return { ...(this.#listings.get(stub) as Listing), stub, session };
    });
  }
}
