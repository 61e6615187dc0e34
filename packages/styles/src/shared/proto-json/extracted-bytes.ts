// Bytes extracted from a message before its JSON is written, with their paths in that JSON.
import type { JsonValue } from "@bufbuild/protobuf";
import { textOfBytes } from "./base64-text.ts";

/** A name in an object, or an index in an array. */
export type JsonKey = string | number;

interface Extracted {
  readonly path: readonly JsonKey[];
  readonly bytes: Uint8Array;
}

/** Below this size, protobuf-es is as fast. */
export const minExtractedBytes = 64;

/** Replaces extracted bytes. Not empty, so that the field is written. */
const placeholder = new Uint8Array(1);

/** The state of a walk through one message: its path and the extracted bytes. */
export class ExtractedBytes {
  readonly #path: JsonKey[] = [];
  readonly #extracted: Extracted[] = [];

  enter(key: JsonKey): void {
    this.#path.push(key);
  }

  leave(): void {
    this.#path.pop();
  }

  /** Extracts bytes and returns the placeholder. Returns small bytes and other values unchanged. */
  extract(bytes: unknown): unknown {
    if (!(bytes instanceof Uint8Array) || bytes.length < minExtractedBytes) return bytes;
    this.#extracted.push({ path: [...this.#path], bytes });
    return placeholder;
  }

  /** Inserts the extracted bytes, as text, into the JSON. */
  putInto(json: JsonValue): JsonValue {
    // The JSON of a wrapper is the text itself, so every text gets an owner.
    const around = { json };
    for (const { path, bytes } of this.#extracted) {
      let key: JsonKey = "json";
      let owner = around as Record<JsonKey, JsonValue>;
      for (const next of path) {
        owner = owner[key] as Record<JsonKey, JsonValue>;
        key = next;
      }
      owner[key] = textOfBytes(bytes);
    }
    return around.json;
  }
}
