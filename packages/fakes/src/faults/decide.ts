// Random decisions from a hash: what happens to a call depends only on the call, so it is the same in every run, however many calls are made at
// the same time.
import { hash } from "node:crypto";
import { toBinary, type Message } from "@bufbuild/protobuf";
import type { Operation } from "@roundtrip/contract";
import { FakeError } from "../basics/fake-error.ts";
import { type Delay, type Fault, longestDelayMs } from "./fault-schema.ts";
import type { OperationRules } from "./plan-rules.ts";

/** What a draw depends on: one call of a seeded fake. */
export interface DrawKey {
  readonly seed: number;
  /** A digest of the operation's id and the bytes of the request. */
  readonly key: string;
  /** How often this request of this operation was made, from 1. */
  readonly attempt: number;
}

/** The number of hexadecimal digits that are read, and the number of values they have: finer than any share. */
const digits = 12;
const numbers = 16 ** digits;

/**
 * A number from 0 up to, but not including, 1: the first 48 bits of SHA-256 (FIPS 180-4) of all arguments. Numbers for different purposes are
 * independent.
 */
export function draw({ seed, key, attempt }: DrawKey, purpose: string): number {
  // Parsing digits takes half the time of creating a buffer.
  const digest = hash("sha256", `${seed} ${attempt} ${purpose} ${key}`, "hex");
  return Number.parseInt(digest.slice(0, digits), 16) / numbers;
}

/** The 99th percentile of the standard normal distribution. */
const normalP99 = 2.326_347_874;

/** A standard normal number by the transform of Box and Muller (1958). */
function drawNormal(key: DrawKey, purpose: string): number {
  const radius = Math.sqrt(-2 * Math.log(1 - draw(key, purpose)));
  return radius * Math.cos(2 * Math.PI * draw(key, `${purpose} angle`));
}

function drawUnlimited({ ms, uniform, exponential, lognormal, measured }: Delay, key: DrawKey, purpose: string) {
  if (ms !== undefined) return ms;
  if (uniform !== undefined) return uniform.fromMs + draw(key, purpose) * (uniform.toMs - uniform.fromMs);
  if (exponential !== undefined) return -exponential.meanMs * Math.log1p(-draw(key, purpose));
  if (lognormal !== undefined) {
    const spread = Math.log(lognormal.p99Ms / lognormal.medianMs) / normalP99;
    return lognormal.medianMs * Math.exp(spread * drawNormal(key, purpose));
  }
  if (measured === undefined) throw new FakeError("unreadable", "only files can name a run; pass its latencies");
  const { valuesMs } = measured;
  return valuesMs[Math.floor(draw(key, purpose) * valuesMs.length)] ?? 0;
}

/** A delay in milliseconds, at most {@link longestDelayMs}. */
export function drawDelayMs(delay: Delay, key: DrawKey, purpose: string): number {
  return Math.min(drawUnlimited(delay, key, purpose), longestDelayMs);
}

export interface FaultDecision {
  readonly latencyMs: number;
  /** Without members for a call that does not fail. */
  readonly fault: Fault;
  /** For what is drawn later. */
  readonly drawKey: DrawKey;
}

/** Decides about the next call. @param request undefined for a stream of requests, of which none has arrived yet */
type DecideFaults = (rules: OperationRules, operation: Operation, request: Message | undefined) => FaultDecision;

/** The number of requests whose attempts are remembered. Beyond it, all restart at 1. */
export const rememberedAttempts = 20_000;

/** Decides about the calls of one session, and counts them. */
export function faultDecisions(seed: number): DecideFaults {
  const attempts = new Map<string, number>();
  const nothing = new Uint8Array();
  return ({ latency, faults }, { id, input }, request) => {
    const bytes = request === undefined ? nothing : toBinary(input, request);
    // An id contains no NUL, so the separator is unambiguous.
    const key = hash("sha256", Buffer.concat([Buffer.from(`${id}\0`), bytes]), "base64url");
    if (attempts.size >= rememberedAttempts) attempts.clear();
    const attempt = (attempts.get(key) ?? 0) + 1;
    attempts.set(key, attempt);
    const drawKey = { seed, key, attempt };
    const number = draw(drawKey, "fault");
    return {
      latencyMs: latency === undefined ? 0 : drawDelayMs(latency, drawKey, "latency"),
      fault: faults.find(({ below }) => number < below)?.fault ?? {},
      drawKey,
    };
  };
}
