// The requests of a plan, each once: studies ask the same of every load that they are done under, and the steps of all name theirs by number.
import type { PlannedRequest } from "./k6-plan.ts";

export class RequestBook {
  readonly #written: PlannedRequest[] = [];
  readonly #numbers = new Map<string, number>();

  /** In the order in which they were first asked for. */
  get requests(): readonly PlannedRequest[] {
    return this.#written;
  }

  numberOf(request: PlannedRequest): number {
    const key = JSON.stringify(request);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.#written.length);
    return this.#written.push(request) - 1;
  }
}
