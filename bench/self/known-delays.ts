// Servers with known delays, which also report their delay by their own clock. They check the figures of a load generator, and the clock checks the
// delays.
import { create } from "@bufbuild/protobuf";
import type { Contract, Service } from "@roundtrip/contract";
import { SayHelloResponseSchema } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { serviceOf } from "@roundtrip/contract/service";
import { newAlarm } from "@roundtrip/runner/parts";

/** The server that freezes: it answers nothing in the last part of each cycle. */
export const freeze = { everyMs: 10_000, forMs: 1_000, elseMs: 1 } as const;

interface Waiting {
  readonly dueMs: number;
  readonly resolve: () => void;
}

/** Resolves at times of `performance.now()`, accurate to microseconds, however many are pending. */
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

/** The delay of the answer to a name: `for 20` is 20 ms; any other name has 1 ms, or the rest of a freeze in the last second of each ten. */
function delayMs(name: string, nowMs: number): number {
  const asked = /^for ([\d.]+)$/.exec(name)?.[1];
  if (asked !== undefined) return Number(asked);
  const { everyMs, forMs, elseMs } = freeze;
  const intoMs = nowMs % everyMs;
  return intoMs < everyMs - forMs ? elseMs : everyMs - intoMs + elseMs;
}

/** Keeps this process awake: waking it takes tenths of a millisecond, so that its delays would not be known. */
export function stayAwake(): void {
  setImmediate(stayAwake);
}

/** Resolves when a request of this name that has just arrived is due, to the milliseconds that this took. */
export function newDelays(): (name: string) => Promise<number> {
  const at = newMoments();
  return async (name) => {
    const nowMs = performance.now();
    await at(nowMs + delayMs(name, nowMs));
    return performance.now() - nowMs;
  };
}

/** Greets after the delay that the name requests, with the milliseconds that it took. */
export function knownDelays(contract: Contract): Service {
  stayAwake();
  const delay = newDelays();
  const handler = async (request: unknown) => {
    const { name } = request as { readonly name: string };
    return create(SayHelloResponseSchema, { message: String(await delay(name)) });
  };
  return serviceOf(contract, new Map([["roundtrip.v1.HelloService.SayHello", handler]]));
}

/** The percentile of latency from the intended start in ms, for arrivals spread evenly over a cycle. Arrivals during a freeze wait for its end. */
export function frozenQuantileMs(fraction: number): number {
  const { everyMs, forMs, elseMs } = freeze;
  const frozenShare = forMs / everyMs;
  return elseMs + Math.max(0, (fraction - (1 - frozenShare)) / frozenShare) * forMs;
}
