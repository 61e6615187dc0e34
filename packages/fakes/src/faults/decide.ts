// Random decisions from a hash: what happens to a call depends only on the call, so it is the same in every run, however many calls are made at
// the same time.
import { hash } from "node:crypto";
import { toBinary, type Message } from "@bufbuild/protobuf";
import type { Operation } from "@roundtrip/contract";
import { delayMs } from "./delays.ts";
import type { Fault } from "./fault-schema.ts";
import type { OperationRules } from "./plan-rules.ts";

export interface FaultDecision {
  readonly latencyMs: number;
  /** Without members for a call that does not fail. */
  readonly fault: Fault;
  /** For what is drawn later. */
  readonly drawKey: DrawKey;
}

/** Decides about the next call. @param request undefined for a stream of requests, of which none has arrived yet */
type DecideFaults = (rules: OperationRules, operation: Operation, request: Message | undefined) => FaultDecision;

function drawn({ latency, faults }: OperationRules, drawKey: DrawKey): FaultDecision {
  const latencyMs = latency === undefined ? 0 : delayMs(latency, draw(drawKey, "latency"));
  const number = faults.length === 0 ? 0 : draw(drawKey, "fault");
  return { latencyMs, fault: faults.find(({ below }) => number < below)?.fault ?? {}, drawKey };
}

/** Decides about the calls of one session, and counts them. */
export function faultDecisions(seed: number): DecideFaults {
  const attempts = new Attempts();
  const certain: DrawKey = { seed, key: "", attempt: 1 };
  const nothing = new Uint8Array();
  return (rules, { id, input }, request) => {
    // If nothing is random, the request is not needed.
    if (!rules.isRandom) return drawn(rules, certain);
    const key = callKey(id, request === undefined ? nothing : toBinary(input, request));
    return drawn(rules, { seed, key, attempt: attempts.next(key) });
  };
}

/** The number of recent requests that are remembered for certain; up to twice as many are. Others restart at 1. */
export const rememberedAttempts = 10_000;

export class Attempts {
  // Two generations instead of an order: removing the first entry of a large map again and again scans all removed entries.
  #recent = new Map<string, number>();
  #earlier: ReadonlyMap<string, number> = new Map();

  /** Counts one more attempt for this key, and returns its number, from 1. */
  next(key: string): number {
    const attempt = (this.#recent.get(key) ?? this.#earlier.get(key) ?? 0) + 1;
    this.#recent.set(key, attempt);
    if (this.#recent.size >= rememberedAttempts) {
      this.#earlier = this.#recent;
      this.#recent = new Map();
    }
    return attempt;
  }
}

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
