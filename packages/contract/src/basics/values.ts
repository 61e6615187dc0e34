// Values that every package makes or asks about: JSON objects, and bytes that do not compress.
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { createCipheriv } from "node:crypto";

/** Whether a value is a JSON object: neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The JSON of a text; undefined for a text that is no JSON. */
export function jsonIn(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/**
 * The first bytes of AES-128 in counter mode with this seed (NIST SP 800-38A, section 6.5): they look random and are quick to compute.
 * @param seed a whole number from 0 to 2^32 - 1
 */
export function incompressibleBytes(sizeBytes: number, seed: number): Uint8Array {
  const key = Buffer.alloc(16);
  key.writeUInt32BE(seed);
  return createCipheriv("aes-128-ctr", key, Buffer.alloc(16)).update(new Uint8Array(sizeBytes));
}
