// Chance without a generator of random numbers: what happens to a call follows from the call, so that it is the same in every run, however
// many other calls are made at the same time.
import { hash } from "node:crypto";

/** Hexadecimal digits that are read, and how many numbers they can be: finer than any share. */
const digits = 12;
const numbers = 16 ** digits;

/** What is asked, told apart from everything else: a digest of an operation's id and the bytes of a request. */
export function callKey(operation: string, request: Uint8Array): string {
  // An id has no NUL, so that nothing else comes to the same bytes.
  const idBytes = Buffer.byteLength(operation) + 1;
  const bytes = Buffer.allocUnsafe(idBytes + request.length);
  bytes.write(`${operation}\0`);
  bytes.set(request, idBytes);
  return hash("sha256", bytes, "base64url");
}

/** One call, as far as chance is concerned. */
export interface Chance {
  readonly seed: number;
  /** See {@link callKey}. */
  readonly key: string;
  /** How often this very request of this operation was made, from 1 on. */
  readonly attempt: number;
}

/**
 * A number from 0 up to, and without, 1: the first 48 bits of SHA-256 (FIPS 180-4) of all that is given. The numbers of different purposes
 * have nothing to do with each other.
 */
export function draw({ seed, key, attempt }: Chance, purpose: string): number {
  // Reading digits costs half of what a buffer costs to be made.
  const digest = hash("sha256", `${seed} ${attempt} ${purpose} ${key}`, "hex");
  return Number.parseInt(digest.slice(0, digits), 16) / numbers;
}
