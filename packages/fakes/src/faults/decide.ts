// Random decisions from a hash: what happens to a call depends only on the call, so it is the same in every run, however many calls are made at
// the same time.
import { hash } from "node:crypto";

/** The number of hexadecimal digits that are read, and the number of values they have: finer than any share. */
const digits = 12;
const numbers = 16 ** digits;

/** Identifies a request: a digest of the operation's id and the bytes of the request. */
export function callKey(operation: string, request: Uint8Array): string {
  // An id contains no NUL, so the separator is unambiguous.
  const idBytes = Buffer.byteLength(operation) + 1;
  const bytes = Buffer.allocUnsafe(idBytes + request.length);
  bytes.write(`${operation}\0`);
  bytes.set(request, idBytes);
  return hash("sha256", bytes, "base64url");
}

/** What a draw depends on: one call of a seeded fake. */
export interface DrawKey {
  readonly seed: number;
  /** See {@link callKey}. */
  readonly key: string;
  /** How often this request of this operation was made, from 1. */
  readonly attempt: number;
}

/**
 * A number from 0 up to, but not including, 1: the first 48 bits of SHA-256 (FIPS 180-4) of all arguments. Numbers for different purposes are
 * independent.
 */
export function draw({ seed, key, attempt }: DrawKey, purpose: string): number {
  // Parsing digits takes half the time of creating a buffer.
  const digest = hash("sha256", `${seed} ${attempt} ${purpose} ${key}`, "hex");
  return Number.parseInt(digest.slice(0, digits), 16) / numbers;
}
