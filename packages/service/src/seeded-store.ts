// Resources in memory, from a seed. Each is made when it is first read, so that a service starts at once.
import { bytesInMemory, CallError, StoredMemory } from "@roundtrip/contract";
import { crc32 } from "node:zlib";

/** A number from 0 to `limit` - 1, the same for the same text. */
export function drawn(text: string, limit: number): number {
  return crc32(text) % limit;
}

/** The resources 1 to `count`, and those that are written. A write replaces a resource, so one that was read stays as it was. */
export class SeededStore<R> {
  readonly #noun: string;
  readonly #make: (id: number) => R;
  readonly #byId = new Map<number, R>();
  readonly #memory: StoredMemory;
  /** Of written resources. */
  readonly #bytes = new Map<number, number>();
  readonly count: number;

  /**
   * @param noun what the resources are in errors, for example `invoice`
   * @param memory counts written resources
   */
  constructor(
    noun: string,
    count: number,
    make: (id: number) => R,
    memory: StoredMemory = new StoredMemory(`the ${noun}s`),
  ) {
    this.#memory = memory;
    this.#noun = noun;
    this.count = count;
    this.#make = make;
  }

  /** Throws NOT_FOUND. */
  get(id: number): R {
    const resource = this.#find(id);
    if (resource === undefined) throw this.#missing([id]);
    return resource;
  }

  /** The resources with these ids, in this order (AIP-231). Throws NOT_FOUND, which names all that are missing. */
  batch(ids: readonly number[]): R[] {
    const missing = new Set<number>();
    const found = ids.flatMap((id) => {
      const resource = this.#find(id);
      if (resource === undefined) missing.add(id);
      return resource === undefined ? [] : [resource];
    });
    if (missing.size > 0) throw this.#missing([...missing]);
    return found;
  }

  /** The memory of a written resource; 0 for others, which are small. */
  bytesOf(id: number): number {
    return this.#bytes.get(id) ?? 0;
  }

  /** Throws RESOURCE_EXHAUSTED if there is no memory for it. */
  set(id: number, resource: R): void {
    const bytes = bytesInMemory(resource);
    this.#memory.take(bytes - this.bytesOf(id));
    this.#bytes.set(id, bytes);
    this.#byId.set(id, resource);
  }

  #find(id: number): R | undefined {
    const known = this.#byId.get(id);
    if (known !== undefined || id < 1 || id > this.count) return known;
    const made = this.#make(id);
    this.#byId.set(id, made);
    return made;
  }

  #missing(ids: readonly number[]): CallError {
    const are = ids.length === 1 ? `is no ${this.#noun}` : `are no ${this.#noun}s`;
    return new CallError("NOT_FOUND", `there ${are} ${ids.join(", ")}`, {
      reason: `${this.#noun.toUpperCase()}_NOT_FOUND`,
      domain: "roundtrip.dev",
      metadata: { id: ids.join(",") },
    });
  }
}
