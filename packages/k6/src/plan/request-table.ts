// The requests of a plan, each once. Steps refer to them by number. A request that resembles another is stored as a patch to it: requests in rotation
// may share a large matrix.
import type { JsonObject } from "@bufbuild/protobuf";
import type { K6GrpcRequest, K6HttpRequest, PlannedRequest } from "./k6-plan.ts";
import { mergePatch, patched } from "./merge-patch.ts";

type WholeRequest = K6HttpRequest | K6GrpcRequest;

/** A patch may be at most this share of the complete request. */
const mostOfWhole = 0.25;

interface Whole {
  readonly number: number;
  readonly value: JsonObject;
}

/** Equal for requests that go to the same endpoint. */
function endpointOf(request: WholeRequest): string {
  return "path" in request ? `${request.method} ${request.path}` : request.method;
}

export class RequestTable {
  readonly #written: PlannedRequest[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #wholes = new Map<string, Whole[]>();

  /** In the order in which they were first used. */
  get requests(): readonly PlannedRequest[] {
    return this.#written;
  }

  numberOf(request: WholeRequest): number {
    const text = JSON.stringify(request);
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#written.length;
    this.#numbers.set(text, number);
    this.#written.push(this.#asAnother(request, text) ?? this.#asWhole(request, text, number));
    return number;
  }

  #asWhole(request: WholeRequest, text: string, number: number): PlannedRequest {
    const endpoint = endpointOf(request);
    const others = this.#wholes.get(endpoint) ?? [];
    this.#wholes.set(endpoint, [...others, { number, value: JSON.parse(text) as JsonObject }]);
    return request;
  }

  #asAnother(request: WholeRequest, text: string): PlannedRequest | undefined {
    const wholes = this.#wholes.get(endpointOf(request)) ?? [];
    const value = JSON.parse(text) as JsonObject;
    const similar = wholes
      .map((whole) => ({ like: whole.number, but: mergePatch(whole.value, value), whole: whole.value }))
      .filter(({ but, whole }) => JSON.stringify(patched(whole, but)) === text)
      .map(({ like, but }) => ({ like, but, length: JSON.stringify(but).length }))
      .toSorted((one, other) => one.length - other.length);
    const [best] = similar;
    return best !== undefined && best.length <= text.length * mostOfWhole
      ? { like: best.like, but: best.but }
      : undefined;
  }
}
