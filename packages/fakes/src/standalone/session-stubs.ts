// The stubs that sessions of a running fake have of their own, with ids for people and programs. The fake keeps them, and drops them with the session.
import { FakeError } from "../basics/fake-error.ts";
import type { Fake } from "../fake/fake.ts";
import type { FakeSession } from "../fake/sessions.ts";
import type { Stub } from "../stubs/stub.ts";

export interface SessionStub {
  /** Stays the same while the stub exists. */
  readonly id: string;
  readonly session: string;
  readonly stub: Stub;
}

/** A limit far above what a test adds. */
const maxStubsOfSession = 1_000;

export class SessionStubs {
  readonly #fake: Fake;
  readonly #onChange: () => void;
  readonly #ids = new WeakMap<Stub, string>();
  #numbered = 0;

  constructor(fake: Fake, onChange: () => void) {
    this.#fake = fake;
    this.#onChange = onChange;
  }

  /** By session; in order of precedence within each. */
  get all(): readonly SessionStub[] {
    return this.#fake.sessions.all.flatMap((session) => this.#listed(session));
  }

  /** Adds stubs before the others of the session. Throws a FakeError if they do not fit, or if there are too many. */
  add(name: string, stubs: readonly Stub[]): readonly SessionStub[] {
    const session = this.#fake.session(name);
    // Copies, so that each has an id of its own.
    const added = stubs.map((stub) => ({ ...stub }));
    const all = [...added, ...session.own.stubs];
    if (all.length > maxStubsOfSession) {
      throw new FakeError("too-large", `a session has at most ${maxStubsOfSession} stubs of its own: remove one first`);
    }
    this.#use(session, all);
    return this.#listed(session).slice(0, added.length);
  }

  /** Throws a FakeError if the stub does not fit. Returns undefined if there is no stub with this id. */
  change(id: string, stub: Stub): SessionStub | undefined {
    const found = this.#found(id);
    if (found === undefined) return undefined;
    const { session, before } = found;
    const changed = { ...stub };
    this.#ids.set(changed, id);
    this.#use(
      session,
      session.own.stubs.map((one) => (one === before ? changed : one)),
    );
    return { id, session: session.name, stub: changed };
  }

  /** Returns false if there is no stub with this id. */
  remove(id: string): boolean {
    const found = this.#found(id);
    if (found === undefined) return false;
    const { session, before } = found;
    this.#use(
      session,
      session.own.stubs.filter((one) => one !== before),
    );
    return true;
  }

  #found(id: string): { readonly session: FakeSession; readonly before: Stub } | undefined {
    for (const session of this.#fake.sessions.all) {
      const before = session.own.stubs.find((stub) => this.#ids.get(stub) === id);
      if (before !== undefined) return { session, before };
    }
    return undefined;
  }

  #use(session: FakeSession, stubs: readonly Stub[]): void {
    session.use({ stubs });
    this.#onChange();
  }

  #listed({ name, own }: FakeSession): readonly SessionStub[] {
    return own.stubs.map((stub) => ({ id: this.#idOf(stub), session: name, stub }));
  }

  #idOf(stub: Stub): string {
    const known = this.#ids.get(stub);
    if (known !== undefined) return known;
    this.#numbered += 1;
    const id = `session-${this.#numbered}`;
    this.#ids.set(stub, id);
    return id;
  }
}
