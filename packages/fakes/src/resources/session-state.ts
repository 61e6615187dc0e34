// The resources of a contract in one session.
import { keyText, parentKey, type Key, type Resource } from "./resource.ts";
import { notFound } from "./resource-errors.ts";
import type { ResourceModel } from "./resource-model.ts";
import { ResourceStore, type Population, SessionQuota } from "./resource-store.ts";

/** The start of a session's clock, the same in every run. */
const beginningMs = Date.UTC(2025, 0, 1);
const tickMs = 1_000;

export class SessionState {
  readonly model: ResourceModel;
  readonly #quota = new SessionQuota();
  readonly #stores = new Map<Resource, ResourceStore>();
  #ticks = 0;

  constructor(model: ResourceModel) {
    this.model = model;
  }

  /** The next timestamp in milliseconds since 1970, later than all before. */
  nextTimeMs(): number {
    return beginningMs + ++this.#ticks * tickMs;
  }

  storeOf(resource: Resource): ResourceStore {
    let store = this.#stores.get(resource);
    if (store === undefined) {
      store = new ResourceStore(resource, this.model.hasIntegers(resource), this.#populationOf(resource), this.#quota);
      this.#stores.set(resource, store);
    }
    return store;
  }

  /** Children of a deleted resource are deleted too. */
  removeBelow(resource: Resource, key: Key): void {
    for (const child of this.model.childrenOf(resource)) {
      for (const gone of this.storeOf(child).removeBelow(keyText(key))) this.removeBelow(child, gone.key);
    }
  }

  #populationOf(resource: Resource): Population {
    const above = this.model.parentOf(resource);
    return {
      requireParent: (parent) => {
        if (above === undefined) return;
        const key = parentKey(resource, parent);
        if (this.storeOf(above).find(key) === undefined) throw notFound(above, key);
      },
      below: (parent) => {
        if (above !== undefined && this.storeOf(above).find(parentKey(resource, parent))?.isSeeded !== true) return [];
        return this.model.seeded(resource, parent);
      },
    };
  }
}
