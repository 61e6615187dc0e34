// A sample of the requests of one operation, the same for the same log.
import type { JsonValue } from "@bufbuild/protobuf";
import { crc32 } from "node:zlib";

interface Kept {
  readonly rank: number;
  /** The number of the request among those of its operation. */
  readonly index: number;
  readonly request: JsonValue;
}

/** As many as a person can read, and as show which values are frequent. */
export const mostRequests = 20;

/** A larger request makes a file that nobody reads. */
export const mostRequestCharacters = 16_384;

/**
 * Keeps the requests with the smallest checksums of their numbers ("bottom-k sampling"): each request is kept with the same probability, so that
 * frequent ones are kept more than once, and no random number is needed.
 */
export class RequestSample {
  #kept: Kept[] = [];
  #count = 0;
  #tooLarge = 0;
  /** Requests of which the log has only a part. */
  #partial = 0;
  /** Requests of which the log has nothing. */
  #unknown = 0;
  readonly #name: string;

  /** @param name seeds the sample. */
  constructor(name: string) {
    this.#name = name;
  }

  get count(): number {
    return this.#count;
  }

  get tooLarge(): number {
    return this.#tooLarge;
  }

  /** How much of the requests the log has. */
  get known(): "all" | "a part" | "nothing" {
    if (this.#unknown === this.#count) return "nothing";
    return this.#partial + this.#unknown === 0 ? "all" : "a part";
  }

  /** @param requestOf makes the request, for those that are kept. @param known how much of it the log has. */
  add(known: RequestSample["known"], requestOf: () => JsonValue): void {
    this.#count += 1;
    if (known === "a part") this.#partial += 1;
    if (known === "nothing") this.#unknown += 1;
    const rank = crc32(`${this.#name} ${this.#count}`);
    const last = this.#kept.at(-1);
    if (this.#kept.length === mostRequests && last !== undefined && rank >= last.rank) return;
    const request = requestOf();
    if (JSON.stringify(request).length > mostRequestCharacters) {
      this.#tooLarge += 1;
      return;
    }
    this.#kept = [...this.#kept, { rank, index: this.#count, request }]
      .toSorted((a, b) => a.rank - b.rank || a.index - b.index)
      .slice(0, mostRequests);
  }

  /** At most this many, in the order of the log. */
  requests(most = mostRequests): readonly JsonValue[] {
    return this.#kept
      .slice(0, most)
      .toSorted((a, b) => a.index - b.index)
      .map(({ request }) => request);
  }
}
