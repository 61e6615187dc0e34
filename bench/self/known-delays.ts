// Servers whose answers take as long as is known beforehand, and say by their own clock how long they took: what a load generator reads off
// them can be held against the truth, and the truth against itself.
import { create } from "@bufbuild/protobuf";
import type { Contract, Service } from "@roundtrip/contract";
import { SayHelloResponseSchema } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { serviceOf } from "@roundtrip/contract/service";
import { newAlarm } from "@roundtrip/runner/measured-process";

/** The server that freezes: nothing is answered in the last part of each cycle. */
export const freeze = { everyMs: 10_000, forMs: 1_000, elseMs: 1 } as const;

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
 * How long whoever is named waits for an answer: `for 20` is 20 ms; any other name is answered after 1 ms, but for the last second of
 * each ten, in which nobody is.
 */
function delayMs(name: string, nowMs: number): number {
  const asked = /^for ([\d.]+)$/.exec(name)?.[1];
  if (asked !== undefined) return Number(asked);
  const { everyMs, forMs, elseMs } = freeze;
  const intoMs = nowMs % everyMs;
  return intoMs < everyMs - forMs ? elseMs : everyMs - intoMs + elseMs;
}

/**
 * Keeps this process from sleeping: one that has to be woken answers late by what its machine takes for that, some tenths of a millisecond,
 * and is no server of known delays.
 */
export function stayAwake(): void {
  setImmediate(stayAwake);
}

/** Resolves when a request of this name that has come just now is to be answered, to how long that took in milliseconds. */
export function newDelays(): (name: string) => Promise<number> {
  const at = newMoments();
  return async (name) => {
    const nowMs = performance.now();
    await at(nowMs + delayMs(name, nowMs));
    return performance.now() - nowMs;
  };
}

/** Greets after the delay that the name asks for, with the milliseconds that it took. */
export function knownDelays(contract: Contract): Service {
  stayAwake();
  const delay = newDelays();
  const handler = async (request: unknown) => {
    const { name } = request as { readonly name: string };
    return create(SayHelloResponseSchema, { message: String(await delay(name)) });
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
