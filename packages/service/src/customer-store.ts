// Customers in memory, as in the study that this contract repeats, so that a run does not measure storage.
import { clone, create } from "@bufbuild/protobuf";
import { bytesInMemory, CallError, listableCount, StoredMemory } from "@roundtrip/contract";
import { CustomerSchema, type Customer } from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";

const domain = "roundtrip.dev";

function notFound(id: number): CallError {
  return new CallError("NOT_FOUND", `there is no customer ${id}`, {
    reason: "CUSTOMER_NOT_FOUND",
    domain,
    metadata: { id: String(id) },
  });
}

function alreadyExists(id: number): CallError {
  return new CallError("ALREADY_EXISTS", `customer ${id} already exists`, {
    reason: "CUSTOMER_EXISTS",
    domain,
    metadata: { id: String(id) },
  });
}

/** The first position whose id is above `after`; ids are ascending. */
function firstAbove(ids: readonly number[], after: number): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] ?? 0) > after) high = middle;
    else low = middle + 1;
  }
  return low;
}

interface Stored {
  readonly customer: Readonly<Customer>;
  /** In memory. */
  readonly bytes: number;
}

/**
 * A bounded set of customers. A write replaces the customer object and does not change the old one. So a customer that was read stays unchanged while
 * a stack encodes it.
 */
export class CustomerStore {
  readonly #byId = new Map<number, Stored>();
  readonly #limit: number;
  readonly #memory: StoredMemory;
  #ascending: readonly number[] | undefined;

  /**
   * @param seed not copied: the store has them from then on
   * @param limit the maximum number of customers; adding another one throws RESOURCE_EXHAUSTED.
   */
  constructor(seed: readonly Customer[], limit = 100_000, memory = new StoredMemory("the customers")) {
    this.#limit = limit;
    this.#memory = memory;
    for (const customer of seed) this.#put(customer, undefined);
  }

  /** Throws NOT_FOUND. */
  get(id: number): Readonly<Customer> {
    return this.#stored(id).customer;
  }

  /** Keeps a copy. Throws ALREADY_EXISTS or RESOURCE_EXHAUSTED. */
  add(customer: Customer): Readonly<Customer> {
    if (this.#byId.has(customer.id)) throw alreadyExists(customer.id);
    if (this.#byId.size >= this.#limit) {
      throw new CallError("RESOURCE_EXHAUSTED", `the store is full: it has the maximum of ${this.#limit} customers`);
    }
    const kept = clone(CustomerSchema, customer);
    this.#put(kept, undefined);
    return kept;
  }

  /** Replaces the customer with this id. Throws NOT_FOUND or RESOURCE_EXHAUSTED. */
  replace(customer: Readonly<Customer>): void {
    this.#put(customer, this.#stored(customer.id));
  }

  /** Throws NOT_FOUND. */
  remove(id: number): void {
    this.#memory.take(-this.#stored(id).bytes);
    this.#byId.delete(id);
    this.#ascending = undefined;
  }

  /** Changes the id of a customer. Throws NOT_FOUND, or ALREADY_EXISTS if another customer has the new id. */
  rename(id: number, newId: number): void {
    const { customer, bytes } = this.#stored(id);
    if (newId === id) return;
    if (this.#byId.has(newId)) throw alreadyExists(newId);
    this.#byId.delete(id);
    this.#byId.set(newId, { customer: { ...customer, id: newId }, bytes });
    this.#ascending = undefined;
  }

  /** At most `size` customers with an id above `after`, by ascending id, fewer if an answer may not list as many, and whether there are more. */
  page(after: number, size: number): { readonly customers: readonly Customer[]; readonly more: boolean } {
    this.#ascending ??= [...this.#byId.keys()].toSorted((a, b) => a - b);
    const first = firstAbove(this.#ascending, after);
    const stored = this.#ascending.slice(first, first + size).map((id) => this.#stored(id));
    const page = stored.slice(
      0,
      listableCount(stored, ({ bytes }) => bytes),
    );
    return { customers: page.map(({ customer }) => customer), more: first + page.length < this.#ascending.length };
  }

  #stored(id: number): Stored {
    const stored = this.#byId.get(id);
    if (stored === undefined) throw notFound(id);
    return stored;
  }

  #put(customer: Readonly<Customer>, before: Stored | undefined): void {
    const bytes = bytesInMemory(customer);
    this.#memory.take(bytes - (before?.bytes ?? 0));
    this.#byId.set(customer.id, { customer, bytes });
    if (before === undefined) this.#ascending = undefined;
  }
}

const first = create(CustomerSchema, {
  id: 1,
  name: "Wilhelmina van der Bergh-Oosterhuizen.", // 38 characters
  address: "Prins Hendrikkade 33-III, 1012 TM Amsterdam, Noord-Holland", // 58
  vatIdentificationNumber: "NL12345", // 7
  mail: "wil@example.co.nl", // 17
  phoneNumber: "+31 20 5550123", // 14
});

/** Customer 2 onwards differ in every attribute, so that a mixed-up answer shows. */
function another(id: number): Customer {
  return create(CustomerSchema, {
    id,
    name: `Customer number ${id}`,
    address: `${id} High Street, Exampletown`,
    vatIdentificationNumber: `GB${String(id).padStart(5, "0")}`,
    mail: `customer${id}@example.com`,
    phoneNumber: `+44 20 ${String(7_000_000 + id)}`,
  });
}

/** Customers 1 to `count`, always the same. */
export function seedCustomers(count = 1_000): readonly Customer[] {
  return Array.from({ length: count }, (_, index) => (index === 0 ? first : another(index + 1)));
}
