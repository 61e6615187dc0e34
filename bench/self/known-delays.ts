// Servers whose answers take as long as is known beforehand: what a load generator reads off them can be held against the truth.
import { create } from "@bufbuild/protobuf";
import type { Contract, Service } from "@roundtrip/contract";
import { SayHelloResponseSchema } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { serviceOf } from "@roundtrip/contract/service";
import { newAlarm } from "@roundtrip/runner/measured-process";

/** The server that freezes: nothing is answered in the last part of each cycle. */
export const freeze = { everyMs: 1_000, forMs: 100, elseMs: 1 } as const;

interface Waiting {
  readonly dueMs: number;
  readonly resolve: () => void;
}

/** Resolves at moments of `performance.now()` to some microseconds, however many are waited for. */
function newMoments(): (dueMs: number) => Promise<void> {
  let waiting: Waiting[] = [];
  const alarm = newAlarm((nowMs) => {
    const due = waiting.filter(({ dueMs }) => dueMs <= nowMs);
    waiting = waiting.filter(({ dueMs }) => dueMs > nowMs);
    for (const { resolve } of due) resolve();
    return waiting.length === 0 ? undefined : Math.min(...waiting.map(({ dueMs }) => dueMs));
  });
  return (dueMs) =>
    new Promise((resolve) => {
      waiting.push({ dueMs, resolve });
      alarm.set(dueMs);
    });
}

/**
 * How long whoever is named waits for an answer: `for 20` is 20 ms; any other name is answered after 1 ms, but for the last 100 ms of each
 * second, in which nobody is.
 */
function delayMs(name: string, nowMs: number): number {
  const asked = /^for ([\d.]+)$/.exec(name)?.[1];
  if (asked !== undefined) return Number(asked);
  const { everyMs, forMs, elseMs } = freeze;
  const intoMs = nowMs % everyMs;
  return intoMs < everyMs - forMs ? elseMs : everyMs - intoMs + elseMs;
}

/** Resolves when a request of this name that has come just now is to be answered. */
export function newDelays(): (name: string) => Promise<void> {
  const at = newMoments();
  return (name) => {
    const nowMs = performance.now();
    return at(nowMs + delayMs(name, nowMs));
  };
}

/** Greets after the delay that the name asks for. */
export function knownDelays(contract: Contract): Service {
  const delay = newDelays();
  const handler = async (request: unknown) => {
    const { name } = request as { readonly name: string };
    await delay(name);
    return create(SayHelloResponseSchema, { message: `Hello, ${name}!` });
  };
  return serviceOf(contract, new Map([["roundtrip.v1.HelloService.SayHello", handler]]));
}

/**
 * The percentile of latency from the intended start, in milliseconds, of arrivals that come as often in one moment of a cycle as in any
 * other: who comes while the server is frozen waits for what is left of it.
 */
export function frozenQuantileMs(fraction: number): number {
  const { everyMs, forMs, elseMs } = freeze;
  const frozenShare = forMs / everyMs;
  return elseMs + Math.max(0, (fraction - (1 - frozenShare)) / frozenShare) * forMs;
}
