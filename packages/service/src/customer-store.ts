// Customers in memory, as in the study that this contract repeats, so that a run does not measure storage.
import { clone, create } from "@bufbuild/protobuf";
import { CallError } from "@roundtrip/contract";
import { CustomerSchema, type Customer } from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";

const domain = "customer.roundtrip.dev";

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

/**
 * A bounded set of customers. A write replaces the customer object and does not change the old one. So a customer that was read stays unchanged while
 * a stack encodes it.
 */
export class CustomerStore {
  readonly #byId = new Map<number, Readonly<Customer>>();
  readonly #limit: number;
  #ascending: readonly number[] | undefined;

  /** @param limit the maximum number of customers; adding another one throws RESOURCE_EXHAUSTED. */
  constructor(seed: readonly Customer[], limit = 100_000) {
    this.#limit = limit;
    for (const customer of seed) this.add(customer);
  }

  /** Throws NOT_FOUND. */
  get(id: number): Readonly<Customer> {
    const customer = this.#byId.get(id);
    if (customer === undefined) throw notFound(id);
    return customer;
  }

  /** Keeps a copy. Throws ALREADY_EXISTS or RESOURCE_EXHAUSTED. */
  add(customer: Customer): Readonly<Customer> {
    if (this.#byId.has(customer.id)) throw alreadyExists(customer.id);
    if (this.#byId.size >= this.#limit) {
      throw new CallError("RESOURCE_EXHAUSTED", `the store is full: it has the maximum of ${this.#limit} customers`);
    }
    const kept = clone(CustomerSchema, customer);
    this.#byId.set(kept.id, kept);
    this.#ascending = undefined;
    return kept;
  }

  /** Replaces the customer with this id. Throws NOT_FOUND. */
  replace(customer: Readonly<Customer>): void {
    if (!this.#byId.has(customer.id)) throw notFound(customer.id);
    this.#byId.set(customer.id, customer);
  }

  /** Throws NOT_FOUND. */
  remove(id: number): void {
    if (!this.#byId.delete(id)) throw notFound(id);
    this.#ascending = undefined;
  }

  /** Changes the id of a customer. Throws NOT_FOUND, or ALREADY_EXISTS if another customer has the new id. */
  rename(id: number, newId: number): void {
    const customer = this.get(id);
    if (newId === id) return;
    if (this.#byId.has(newId)) throw alreadyExists(newId);
    this.#byId.delete(id);
    this.#byId.set(newId, { ...customer, id: newId });
    this.#ascending = undefined;
  }

  /** At most `size` customers with an id above `after`, by ascending id, and whether there are more. */
  page(after: number, size: number): { readonly customers: readonly Customer[]; readonly more: boolean } {
    this.#ascending ??= [...this.#byId.keys()].toSorted((a, b) => a - b);
    const first = firstAbove(this.#ascending, after);
    const ids = this.#ascending.slice(first, first + size);
    return { customers: ids.map((id) => this.get(id)), more: first + size < this.#ascending.length };
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
