// The requests of a plan, each once. Steps refer to them by number. A request that resembles another is stored as a patch to it: requests in rotation
// may share a large matrix.
import { isObject } from "@roundtrip/contract";
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { K6GrpcRequest, K6HttpRequest, PlannedRequest } from "./k6-plan.ts";

/** The patch may be incomplete if a value contains null, or if members have another order. Check it with {@link patched}. */
export function mergePatch(from: JsonObject, to: JsonObject): JsonObject {
  // A map, because members may have the names of properties that all objects inherit.
  const known = new Map(Object.entries(from));
  const patch = new Map<string, JsonValue>();
  for (const [name, value] of Object.entries(to)) {
    const before = known.get(name);
    known.delete(name);
    if (JSON.stringify(before) === JSON.stringify(value)) continue;
    patch.set(name, isObject(before) && isObject(value) ? mergePatch(before, value) : value);
  }
  for (const name of known.keys()) patch.set(name, null);
  return Object.fromEntries(patch);
}

export function patched(from: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isObject(patch)) return patch;
  const to = new Map(Object.entries(isObject(from) ? from : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) to.delete(name);
    else to.set(name, patched(to.get(name), value));
  }
  return Object.fromEntries(to);
}

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
