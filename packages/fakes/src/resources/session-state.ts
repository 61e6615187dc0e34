// The resources of a contract in one session: the initial ones, with all changes.
import { clone, type DescField, equals, type Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { bytesInMemory, CallError, StoredMemory } from "@roundtrip/contract";
import type { Resource } from "@roundtrip/contract/resources";
import { type ChildCount, meanOf, setChildCounts } from "./child-counts.ts";
import type { Keyed } from "./keys.ts";
import type { ResourceModel } from "./resource-model.ts";
import { type EarlierService, type Reread, Unreadable, whyNot } from "./reread.ts";
import { alreadyExists, type Key, keyText, namesOf, notFound, parentKey, parentText } from "./resource.ts";

export const maxResources = 20_000;
export const maxBytes = 32 * 1024 * 1024;

/** The memory that a session may use. @param whole that of all sessions */
export function sessionMemory(whole?: StoredMemory): StoredMemory {
  return new StoredMemory("the resources of the session", maxBytes, whole);
}

/** The memory of a resource beside its message and its key. */
const entryBytes = 256;

/** Counts the resources and bytes of a session. */
class SessionQuota {
  readonly #memory: StoredMemory;
  #resources = 0;

  constructor(memory: StoredMemory) {
    this.#memory = memory;
  }

  /** The same for initial resources. @param free frees the memory of others, which can be made again */
  takeInitial(bytes: number, free: () => void): void {
    try {
      this.take(0, bytes);
    } catch {
      free();
      this.take(0, bytes);
    }
  }

  /** Adds resources and bytes, or throws RESOURCE_EXHAUSTED and changes nothing. */
  take(resources: number, bytes: number): void {
    if (resources > 0 && this.#resources + resources > maxResources) {
      throw new CallError(
        "RESOURCE_EXHAUSTED",
        `the session has the maximum of ${maxResources} resources: delete some or start a new session`,
      );
    }
    this.#memory.take(bytes);
    this.#resources += resources;
  }
}

/** One resource. A write replaces the entry, so that messages that were read do not change. */
export interface Entry {
  readonly key: Key;
  readonly parent: string;
  /** Its position in lists: integers by their value, all others by their creation. */
  readonly order: number;
  readonly sequence: number;
  /** The number of writes. */
  readonly version: number;
  /** Whether it is an initial resource, whose children are initial too. */
  readonly isSeeded: boolean;
  readonly message: Message;
  /** In memory; 0 for an initial resource that all sessions share. */
  readonly bytes: number;
}

/** The resources below one parent. */
interface Population {
  /** The number of the last key. */
  lastKey: number;
  /** The sequence before the first initial resource, and their number. */
  readonly sequence: number;
  readonly count: number;
  /** False while nobody has written any and their memory was needed. */
  isThere: boolean;
}

/** What a store has around it: its initial content, and the parents. */
export interface Surroundings {
  /** Throws NOT_FOUND if there is no such parent. */
  requireParent(parent: string): void;
  below(parent: string): readonly Keyed[];
  /** The same where the parent is known to be an initial resource, although it may be deleted. */
  belowInitial(parent: string): readonly Keyed[];
  /** After a change of what is below a parent. @param messages a resource before and after it */
  recount(parent: string, messages: readonly Message[]): void;
  /** After a change of a key: others do not refer to a new one. */
  recountOwn(key: Key): void;
}

/** Rules may allow only few keys, all of which may be taken. */
const triesForKey = 1_000;

const integer = /^-?\d{1,15}$/;

export function byOrder(entry: Entry, next: Entry): number {
  return entry.order - next.order || entry.sequence - next.sequence;
}

/** Whether nobody has written a resource. */
function isInitial({ isSeeded, version }: Entry): boolean {
  return isSeeded && version === 1;
}

function bytesOf(key: Key, message: Message): number {
  return entryBytes + bytesInMemory(key) + bytesInMemory(message);
}

/** A reference as text, in the form of a key. */
function textOf(message: Message, { localName }: DescField): string {
  return String((message as unknown as Readonly<Record<string, unknown>>)[localName]);
}

function countIn(tally: Map<string, number>, key: string, more: number): void {
  const count = (tally.get(key) ?? 0) + more;
  if (count === 0) tally.delete(key);
  else tally.set(key, count);
}

export class ResourceStore {
  readonly resource: Resource;
  readonly #content: Surroundings;
  readonly #quota: SessionQuota;
  readonly #hasIntegers: boolean;
  readonly #byKey = new Map<string, Entry>();
  readonly #populated = new Map<string, Population>();
  readonly #freeOthers: () => void;
  /** How often resources at the top refer to others, by field and by what it refers to; of the fields that were asked for. */
  readonly #references = new Map<DescField, Map<string, number>>();
  #sorted: readonly Entry[] | undefined;
  #sequence = 0;
  /** The parents that are entered together. */
  #together: readonly string[] = [];

  /** @param freeOthers frees memory of other stores */
  constructor(
    resource: Resource,
    hasIntegers: boolean,
    content: Surroundings,
    quota: SessionQuota,
    freeOthers: () => void,
  ) {
    this.resource = resource;
    this.#hasIntegers = hasIntegers;
    this.#content = content;
    this.#freeOthers = freeOthers;
    this.#quota = quota;
  }

  /** Creates the initial resources below a parent on first use. Throws NOT_FOUND if the parent does not exist, or RESOURCE_EXHAUSTED. */
  enter(parent: string): void {
    if (parent !== "") this.#content.requireParent(parent);
    const known = this.#populated.get(parent);
    if (known?.isThere === true) return;
    const content = this.#content.below(parent);
    // Page tokens stay valid.
    const sequence = known?.sequence ?? this.#sequence;
    const initial = content.map(({ key, message }, at): Entry => {
      const bytes = parent === "" ? 0 : bytesOf(key, message);
      return { ...this.#entry(key, message, sequence + at + 1), isSeeded: true, bytes };
    });
    const bytes = initial.reduce((sum, entry) => sum + entry.bytes, known === undefined ? bytesInMemory(parent) : 0);
    this.#quota.takeInitial(bytes, this.#freeOthers);
    if (known === undefined) {
      this.#sequence += initial.length;
      this.#populated.set(parent, { lastKey: initial.length, sequence, count: initial.length, isThere: true });
    } else known.isThere = true;
    for (const entry of initial) this.#put(entry);
  }

  /** Enters several parents: none of them is freed for the next. Throws like {@link enter}. */
  enterAll(parents: readonly string[]): void {
    this.#together = parents;
    try {
      for (const parent of parents) this.enter(parent);
    } finally {
      this.#together = [];
    }
  }

  /** Frees the memory of initial resources below parents below which nobody has written any. They are made again on their next use. */
  free(): void {
    const byParent = Map.groupBy(this.#byKey.values(), ({ parent }) => parent);
    for (const [parent, population] of this.#populated) {
      const entries = byParent.get(parent) ?? [];
      if (parent === "" || this.#together.includes(parent) || !population.isThere) continue;
      if (entries.length !== population.count || !entries.every(isInitial)) continue;
      population.isThere = false;
      for (const { key, bytes } of entries) {
        this.#byKey.delete(keyText(key));
        this.#quota.take(0, -bytes);
      }
    }
    this.#sorted = undefined;
  }

  find(key: Key): Entry | undefined {
    const known = this.#byKey.get(keyText(key));
    if (known !== undefined && known.parent === "") return known;
    try {
      this.enter(parentText(this.resource, key));
    } catch (thrown) {
      if (thrown instanceof CallError && thrown.code === "RESOURCE_EXHAUSTED") throw thrown;
      return undefined;
    }
    return this.#byKey.get(keyText(key));
  }

  /** Throws NOT_FOUND. */
  get(key: Key): Entry {
    const entry = this.find(key);
    if (entry === undefined) throw notFound(this.resource, key);
    return entry;
  }

  /** Throws ALREADY_EXISTS, NOT_FOUND for the parent, or RESOURCE_EXHAUSTED. */
  add(key: Key, message: Message): Entry {
    this.enter(parentText(this.resource, key));
    if (this.#byKey.has(keyText(key))) throw alreadyExists(this.resource, key);
    const entry = { ...this.#entry(key, message), bytes: bytesOf(key, message) };
    this.#quota.take(1, entry.bytes);
    this.#put(entry);
    this.#changed(entry.parent, undefined, message);
    return entry;
  }

  /** Adds or replaces a resource that did not come from the service, and removes what it replaces, if that exists. One without its parent is not kept. */
  keep({ key, message }: Keyed, replaced: Keyed | undefined): void {
    if (!this.#hasParent(parentText(this.resource, key))) return;
    // A repeated request gets an answer whose resource has been replaced before.
    const isReplacing = replaced !== undefined && keyText(replaced.key) !== keyText(key);
    if (isReplacing && this.find(replaced.key) !== undefined) this.remove(replaced.key);
    if (this.find(key) === undefined) this.add(key, message);
    else this.replace(key, message);
  }

  /** Replaces the message of the resource with this key. Throws NOT_FOUND or RESOURCE_EXHAUSTED. */
  replace(key: Key, message: Message): Entry {
    const before = this.get(key);
    const bytes = bytesOf(key, message);
    this.#quota.take(0, bytes - before.bytes);
    const entry = { ...before, message, bytes, version: before.version + 1 };
    this.#put(entry);
    this.#changed(entry.parent, before.message, message);
    return entry;
  }

  /** Throws NOT_FOUND. */
  remove(key: Key): Entry {
    const entry = this.get(key);
    this.#byKey.delete(keyText(key));
    this.#sorted = undefined;
    this.#quota.take(entry.isSeeded ? 0 : -1, -entry.bytes);
    this.#changed(entry.parent, entry.message, undefined);
    return entry;
  }

  /** Changes the key of a resource. Throws NOT_FOUND, or ALREADY_EXISTS if the new key is taken. */
  rename(key: Key, newKey: Key, message: Message): Entry {
    const before = this.get(key);
    if (keyText(newKey) !== keyText(key)) {
      this.enter(parentText(this.resource, newKey));
      if (this.#byKey.has(keyText(newKey))) throw alreadyExists(this.resource, newKey);
      this.#byKey.delete(keyText(key));
    }
    const bytes = bytesOf(newKey, message);
    const entry = {
      ...this.#entry(newKey, message),
      bytes,
      sequence: before.sequence,
      version: before.version + 1,
      isSeeded: before.isSeeded,
    };
    this.#quota.take(0, bytes - before.bytes);
    this.#put(entry);
    this.#changed(before.parent, before.message, undefined);
    this.#changed(entry.parent, undefined, message);
    this.#content.recountOwn(newKey);
    return entry;
  }

  /** Those below which resources were used. */
  get parents(): readonly string[] {
    return [...this.#populated.keys()].filter((parent) => parent !== "");
  }

  /** All below a parent; none for one that does not exist. */
  below(parent: string): readonly Message[] {
    const isThere = this.#populated.get(parent)?.isThere === true;
    const all = isThere
      ? [...this.#byKey.values()].filter((entry) => entry.parent === parent)
      : this.#content.below(parent);
    return all.map(({ message }) => message);
  }

  /** How often resources at the top refer to this one. */
  references(by: DescField, key: string): number {
    let tally = this.#references.get(by);
    if (tally === undefined) {
      this.#references.set(by, (tally = new Map()));
      for (const message of this.below("")) countIn(tally, textOf(message, by), 1);
    }
    return tally.get(key) ?? 0;
  }

  /** After a change of a resource, which is missing before it is added and after it is removed. */
  #changed(parent: string, before: Message | undefined, after: Message | undefined): void {
    for (const [by, tally] of parent === "" ? this.#references : []) {
      if (before !== undefined) countIn(tally, textOf(before, by), -1);
      if (after !== undefined) countIn(tally, textOf(after, by), 1);
    }
    this.#content.recount(
      parent,
      [before, after].filter((message) => message !== undefined),
    );
  }

  /** Removes all children of a parent, and returns their keys. They do not return with a new parent of the same name, which is no initial one. */
  removeBelow(parent: string): readonly Key[] {
    const population = this.#populated.get(parent);
    if (population === undefined) return [];
    this.#populated.delete(parent);
    this.#quota.take(0, -bytesInMemory(parent));
    // Somebody may have written below what was freed.
    if (!population.isThere && population.count > 0) return this.#content.belowInitial(parent).map(({ key }) => key);
    const gone = [...this.#byKey.values()].filter((entry) => entry.parent === parent);
    for (const { key } of gone) this.#byKey.delete(keyText(key));
    if (gone.length > 0) this.#sorted = undefined;
    for (const { isSeeded, bytes } of gone) this.#quota.take(isSeeded ? 0 : -1, -bytes);
    return gone.map(({ key }) => key);
  }

  /** The number of resources that callers created, changed or deleted. */
  get changes(): number {
    const written = [...this.#byKey.values()].filter((entry) => !isInitial(entry));
    const deleted = [...this.#populated].flatMap(([parent, { isThere }]) =>
      (isThere ? this.#content.below(parent) : []).filter(({ key }) => !this.#byKey.has(keyText(key))),
    );
    return written.length + deleted.length;
  }

  /**
   * Takes over the resources of the same kind of an earlier contract. Initial ones that nobody wrote are made again, and deleted ones stay deleted.
   * Throws Unreadable or RESOURCE_EXHAUSTED, and changes nothing.
   */
  takeOver(earlier: ResourceStore, reread: Reread): void {
    let sequence = earlier.#sequence;
    const entries: Entry[] = [];
    const populated = [...earlier.#populated].filter(([, { isThere }]) => isThere);
    for (const [parent] of populated) {
      if (!this.#hasParent(parent)) throw new Unreadable("what they belong to was reset");
      const initial = new Map(this.#content.below(parent).map((seeded) => [keyText(seeded.key), seeded]));
      const bytesIn = (key: Key, message: Message): number => (parent === "" ? 0 : bytesOf(key, message));
      for (const entry of earlier.#byKey.values()) {
        if (entry.parent !== parent) continue;
        const fresh = initial.get(keyText(entry.key));
        if (!isInitial(entry)) {
          const message = reread(earlier.resource.message, this.resource.message, entry.message);
          entries.push({ ...entry, message, bytes: bytesOf(entry.key, message) });
        } else if (fresh !== undefined)
          entries.push({ ...entry, message: fresh.message, bytes: bytesIn(entry.key, fresh.message) });
        initial.delete(keyText(entry.key));
      }
      for (const { key } of earlier.#content.below(parent)) initial.delete(keyText(key));
      for (const { key, message } of initial.values()) {
        entries.push({
          ...this.#entry(key, message, ++sequence),
          isSeeded: true,
          bytes: bytesIn(key, message),
        });
      }
    }
    const bytes = populated.map(([parent]) => bytesInMemory(parent));
    this.#quota.take(
      entries.filter(({ isSeeded }) => !isSeeded).length,
      [...bytes, ...entries.map((entry) => entry.bytes)].reduce((sum, more) => sum + more, 0),
    );
    this.#sequence = sequence;
    for (const [parent, population] of populated) this.#populated.set(parent, { ...population });
    for (const entry of entries) this.#put(entry);
  }

  /** All existing resources that were used, in order. */
  get sorted(): readonly Entry[] {
    this.#sorted ??= [...this.#byKey.values()].toSorted(byOrder);
    return this.#sorted;
  }

  /** The next free key below a parent, by number. Throws NOT_FOUND for the parent, or RESOURCE_EXHAUSTED. */
  freeKey(parent: string, keyOf: (number: number) => Key): Key {
    this.enter(parent);
    const population = this.#populated.get(parent) as Population;
    const first = population.lastKey + 1;
    for (let number = first; number < first + triesForKey; number++) {
      const key = keyOf(number);
      if (this.#byKey.has(keyText(key))) continue;
      population.lastKey = number;
      return key;
    }
    throw new CallError("RESOURCE_EXHAUSTED", `there is no free key for another ${this.resource.singular}`);
  }

  #hasParent(parent: string): boolean {
    if (parent === "") return true;
    try {
      this.#content.requireParent(parent);
      return true;
    } catch {
      return false;
    }
  }

  #entry(key: Key, message: Message, sequence = ++this.#sequence): Entry {
    const last = key.at(-1) ?? "";
    return {
      key,
      parent: parentText(this.resource, key),
      order: this.#hasIntegers && integer.test(last) ? Number(last) : 0,
      sequence,
      version: 1,
      isSeeded: false,
      message,
      bytes: 0,
    };
  }

  #put(entry: Entry): void {
    this.#byKey.set(keyText(entry.key), entry);
    this.#sorted = undefined;
  }
}

function levels({ resource: { pattern, key } }: ResourceStore): number {
  return (pattern ?? key).length;
}

/** The start of a session's clock, the same in every run. */
const beginningMs = Date.UTC(2025, 0, 1);
const tickMs = 1_000;

export class SessionState {
  readonly model: ResourceModel;
  readonly #quota: SessionQuota;
  readonly #stores = new Map<Resource, ResourceStore>();
  #ticks = 0;

  /** @param memory counts what is stored */
  constructor(model: ResourceModel, memory: StoredMemory) {
    this.model = model;
    this.#quota = new SessionQuota(memory);
  }

  /** The next timestamp in milliseconds since 1970, later than all before. */
  nextTimeMs(): number {
    return beginningMs + ++this.#ticks * tickMs;
  }

  storeOf(resource: Resource): ResourceStore {
    let store = this.#stores.get(resource);
    if (store === undefined) {
      const freeOthers = (): void => {
        for (const [kind, kept] of this.#stores) if (kind !== resource) kept.free();
      };
      const hasIntegers = this.model.hasIntegers(resource);
      store = new ResourceStore(resource, hasIntegers, this.#contentOf(resource), this.#quota, freeOthers);
      this.#stores.set(resource, store);
    }
    return store;
  }

  /** Takes over the resources of a session with an earlier contract, and reports those that it cannot. */
  takeOver(earlier: SessionState, reread: Reread, onReset: EarlierService["onReset"]): void {
    this.#ticks = earlier.#ticks;
    // Parents come first.
    const stores = [...earlier.#stores.values()].toSorted((store, next) => levels(store) - levels(next));
    for (const store of stores) {
      const { resource } = store;
      const why = whyNot(() => this.storeOf(this.model.sameAs(resource)).takeOver(store, reread));
      const count = why === undefined ? 0 : store.changes;
      if (why !== undefined && count > 0) onReset({ names: namesOf(resource), count, why });
    }
    // A count may be new, and what it counts may be reset.
    for (const [resource, store] of this.#stores) {
      for (const parent of store.parents) this.#recountAbove(resource, parent);
      const isReferredTo = this.model.countsOf(resource).some(({ by }) => by !== undefined);
      for (const entry of store.sorted) if (isReferredTo || !isInitial(entry)) this.#recount(resource, entry.key);
    }
  }

  /** Sets the counts and means of children in a resource that is being written, unless a caller has set them. */
  setCounts(resource: Resource, key: Key, message: Message, isWritten = true): void {
    const valueOf = ({ child, mark, by }: ChildCount): number => {
      const own = keyText(key);
      if (by !== undefined) return this.storeOf(child).references(by, own);
      const below = this.storeOf(child).below(own);
      if (mark === undefined) return below.length;
      const marked = below.map((each) => reflect(child.message, each, false)).filter((each) => each.isSet(mark));
      return meanOf(marked.map((each) => Number(each.get(mark))));
    };
    setChildCounts(resource, message, this.model.countsOf(resource), valueOf, isWritten);
  }

  #recount(resource: Resource, key: Key): void {
    const before = this.model.countsOf(resource).length === 0 ? undefined : this.storeOf(resource).find(key);
    if (before === undefined) return;
    const message = clone(resource.message, before.message);
    this.setCounts(resource, key, message, false);
    if (equals(resource.message, message, before.message)) return;
    // What was counted is written already: where no memory is left, the count stays behind.
    whyNot(() => this.storeOf(resource).replace(key, message));
  }

  /** Children of a deleted resource are deleted too. */
  removeBelow(resource: Resource, key: Key): void {
    for (const child of this.model.childrenOf(resource)) {
      for (const gone of this.storeOf(child).removeBelow(keyText(key))) this.removeBelow(child, gone);
    }
  }

  #recountAbove(child: Resource, parent: string): void {
    const above = parent === "" ? undefined : this.model.parentNamed(child, parent);
    if (above !== undefined) this.#recount(above, parentKey(child, parent));
  }

  #contentOf(resource: Resource): Surroundings {
    const belowInitial = (parent: string): readonly Keyed[] => this.model.seeded(resource, parent);
    return {
      belowInitial,
      requireParent: (parent) => {
        const above = this.model.parentNamed(resource, parent);
        if (above === undefined) return;
        const key = parentKey(resource, parent);
        if (this.storeOf(above).find(key) === undefined) throw notFound(above, key);
      },
      below: (parent) => {
        const above = this.model.parentNamed(resource, parent);
        if (above !== undefined && this.storeOf(above).find(parentKey(resource, parent))?.isSeeded !== true) return [];
        return belowInitial(parent);
      },
      recountOwn: (key) => this.#recount(resource, key),
      recount: (parent, messages) => {
        this.#recountAbove(resource, parent);
        for (const { above, by } of this.model.countedAt(resource))
          for (const key of new Set(messages.map((message) => textOf(message, by)))) this.#recount(above, [key]);
      },
    };
  }
}
