// The requests of a plan, each once: studies ask the same of every load that they are done under, and the steps of all name theirs by number. One that is
// much like another is told by what is different: those that tasks make in turn may have a large matrix in common.
import type { JsonObject } from "@bufbuild/protobuf";
import type { GrpcRequest, HttpRequest, PlannedRequest } from "./k6-plan.ts";
import { mergePatch, patched } from "./merge-patch.ts";

type WholeRequest = HttpRequest | GrpcRequest;

/** What is different takes no more than this share of the whole, or the whole is easier to read. */
const mostOfWhole = 0.25;

interface Whole {
  readonly number: number;
  readonly value: JsonObject;
}

/** Of requests that go to the same place. */
function placeOf(request: WholeRequest): string {
  return "path" in request ? `${request.method} ${request.path}` : request.method;
}

export class RequestBook {
  readonly #written: PlannedRequest[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #wholes = new Map<string, Whole[]>();

  /** In the order in which they were first asked for. */
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
    const place = placeOf(request);
    const others = this.#wholes.get(place) ?? [];
    this.#wholes.set(place, [...others, { number, value: JSON.parse(text) as JsonObject }]);
    return request;
  }

  #asAnother(request: WholeRequest, text: string): PlannedRequest | undefined {
    const wholes = this.#wholes.get(placeOf(request)) ?? [];
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
