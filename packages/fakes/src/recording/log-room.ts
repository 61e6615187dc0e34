// The memory that all logs of a fake share: when it is full, the largest log gives way, so that a busy session costs no other its calls.

/** What takes room. */
interface Tenant {
  readonly keptBytes: number;
  /** Lets the oldest go until no more than this is kept. */
  shrinkTo(bytes: number): void;
}

/** What is given up at a time, as a share of the largest: looking for it for every call would take longer than the call. */
const keptShare = 0.75;

export class LogRoom {
  readonly #maxBytes: number;
  readonly #tenants = new Set<Tenant>();
  #takenBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  enter(tenant: Tenant): void {
    this.#tenants.add(tenant);
  }

  leave(tenant: Tenant): void {
    if (this.#tenants.delete(tenant)) this.#takenBytes -= tenant.keptBytes;
  }

  /** Says that a tenant keeps so much more; less than nothing when it has let something go. One that has left takes no room. */
  take(tenant: Tenant, bytes: number): void {
    if (!this.#tenants.has(tenant)) return;
    this.#takenBytes += bytes;
    while (this.#takenBytes > this.#maxBytes) {
      const [largest] = [...this.#tenants].toSorted((one, other) => other.keptBytes - one.keptBytes);
      if (largest === undefined || largest.keptBytes === 0) return;
      largest.shrinkTo(Math.floor(largest.keptBytes * keptShare));
    }
  }
}
