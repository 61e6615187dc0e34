// The cost of a server's calls on this machine, and that of a turn of the loop that slows them down.
import type { ByOperation } from "./addition.ts";

/** The tasks that the gate watches, and the operation that each of them calls once. */
const operationOf = {
  hello: "roundtrip.v1.HelloService.SayHello",
  read: "roundtrip.v1.CustomerService.GetCustomer",
} as const;

export type WatchedTask = keyof typeof operationOf;

export const watchedTasks = ["hello", "read"] as const satisfies readonly WatchedTask[];

/** Measured in a job of its own, on the machine where it is used: servers of one stack, under the load of the gate. */
export interface Calibration {
  readonly stack: string;
  readonly serverCpuMs: Readonly<Record<WatchedTask, number>>;
  readonly latencyMs: Readonly<Record<WatchedTask, number>>;
  readonly cpuMsPerTurn: number;
}

export function byOperation(amountOf: (task: WatchedTask) => number): ByOperation {
  return Object.fromEntries(watchedTasks.map((task) => [operationOf[task], amountOf(task)]));
}

/** Turns that cost this share of each call's own CPU time: 0.05 for 5 %. */
export function turnsFor(share: number, { serverCpuMs, cpuMsPerTurn }: Calibration): ByOperation {
  return byOperation((task) => Math.round((share * serverCpuMs[task]) / cpuMsPerTurn));
}

/** Milliseconds that are this share of each call's own mean latency. */
export function sleepFor(share: number, { latencyMs }: Calibration): ByOperation {
  return byOperation((task) => Number((share * latencyMs[task]).toFixed(4)));
}
