// The bytes that were taken out of a message before its JSON was written, and where in that JSON they belong.
import type { JsonValue } from "@bufbuild/protobuf";
import { textOfBytes } from "./base64-text.ts";

/** A name in an object, or an index in an array. */
export type JsonKey = string | number;

interface Taken {
  readonly place: readonly JsonKey[];
  readonly bytes: Uint8Array;
}

/** Fewer are written by protobuf-es in no more time than it takes to take them out. */
export const leastBytes = 64;

/** Stands for bytes that are elsewhere. It is not empty: a field with it is written. */
const standIn = new Uint8Array(1);

/** Knows where a walk through one message is, and what it took there. */
export class TakenBytes {
  readonly #place: JsonKey[] = [];
  readonly #taken: Taken[] = [];

  /** What follows is a member of what is at hand, until {@link leave}. */
  enter(key: JsonKey): void {
    this.#place.push(key);
  }

  leave(): void {
    this.#place.pop();
  }

  /** Takes bytes, and gives back what stands for them; few are left where they are. */
  take(bytes: unknown): unknown {
    if (!(bytes instanceof Uint8Array) || bytes.length < leastBytes) return bytes;
    this.#taken.push({ place: [...this.#place], bytes });
    return standIn;
  }

  /** Puts the texts of all bytes into the JSON that was written without them. */
  putInto(json: JsonValue): JsonValue {
    // A wrapper's JSON is nothing but its bytes: with something around it, every place is in something.
    const around = { json };
    for (const { place, bytes } of this.#taken) {
      let key: JsonKey = "json";
      let owner = around as Record<JsonKey, JsonValue>;
      for (const next of place) {
        owner = owner[key] as Record<JsonKey, JsonValue>;
        key = next;
      }
      owner[key] = textOfBytes(bytes);
    }
    return around.json;
  }
}
