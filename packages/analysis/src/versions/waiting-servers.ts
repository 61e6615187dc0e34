// Servers that mostly wait: their CPU time is largely that of waiting, so it changes with the wait.
import { durationText, listed } from "../basics/words.ts";
import type { Warning } from "@roundtrip/runs";
import type { ComparedCell } from "./version-comparison.ts";

/** At most this share of a task's time is server CPU, and at least this much of it is not. */
const mostly = { cpuShare: 0.25, waitingMs: 1 } as const;

/** By medians: a few slow calls raise the mean of what computes all the time. `gRPC find (0.3 ms of 44 ms)`, for a server that mostly waits; undefined for another. */
function waitingText(cpu: ComparedCell, cells: readonly ComparedCell[]): string | undefined {
  const arm = cpu.id.slice(0, -cpu.metric.length);
  const latency = cells.find(({ id, metric }) => metric === "latencyMs" && id === arm + metric);
  const [cpuMs, taskMs] = [cpu.head.p50, latency?.head.p50 ?? 0];
  if (cpuMs > mostly.cpuShare * taskMs || taskMs - cpuMs < mostly.waitingMs) return undefined;
  return `${cpu.title} ${cpu.task} (${durationText(cpuMs)} of ${durationText(taskMs)})`;
}

/** A warning of arms whose server CPU has grown by more than this share and that mostly wait; none without such arms. */
export function waitingWarning(cells: readonly ComparedCell[], detect: number): readonly Warning[] {
  const grown = cells.filter(
    ({ metric, state, ratio }) => metric === "serverCpuMsPerTask" && state !== "not-worse" && ratio > 1 + detect,
  );
  const texts = grown.flatMap((cell) => waitingText(cell, cells) ?? []);
  if (texts.length === 0) return [];
  const message = `waiting costs server CPU too (timers, wake-ups, cold caches), so a longer wait alone can raise it: ${listed(texts)} mostly wait${texts.length === 1 ? "s" : ""}`;
  return [{ code: "mostly-waits", message }];
}
