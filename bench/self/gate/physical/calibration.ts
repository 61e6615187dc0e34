// What a server's calls cost on this machine, and what a turn of the loop does that is to make them dearer.
import type { ByOperation } from "./addition.ts";

/** The tasks that the gate watches, and the operation that each of them calls once. */
const operationOf = {
  hello: "roundtrip.v1.HelloService.SayHello",
  read: "roundtrip.v1.CustomerService.GetCustomer",
} as const;

export type WatchedTask = keyof typeof operationOf;

export const watchedTasks = ["hello", "read"] as const satisfies readonly WatchedTask[];

/** As measured in a job of its own, in the place where it is used: servers of one stack, under the gate's load. */
export interface Calibration {
  readonly stack: string;
  readonly serverCpuMs: Readonly<Record<WatchedTask, number>>;
  readonly latencyMs: Readonly<Record<WatchedTask, number>>;
  readonly cpuMsPerTurn: number;
}

/** An amount for the operation of each task. */
export function byOperation(amountOf: (task: WatchedTask) => number): ByOperation {
  return Object.fromEntries(watchedTasks.map((task) => [operationOf[task], amountOf(task)]));
}

/** Turns that cost a share of each call's own processor time: 0.05 for 5 %. */
export function turnsFor(share: number, { serverCpuMs, cpuMsPerTurn }: Calibration): ByOperation {
  return byOperation((task) => Math.round((share * serverCpuMs[task]) / cpuMsPerTurn));
}

/** Milliseconds that are a share of each call's own mean latency. */
export function sleepFor(share: number, { latencyMs }: Calibration): ByOperation {
  return byOperation((task) => Number((share * latencyMs[task]).toFixed(4)));
}
