// Runs passes over the arms until their processes are warm.
import { hasSettled, isOver, type WarmUpRule } from "./warm-up.ts";

/** Runs the calls of all arms of a server once. */
export interface WarmUpPass {
  readonly calls: number;
  run(): Promise<void>;
}

/** The result of a warm-up. Calls are those of each pass's own server. */
export interface WarmedUp {
  readonly calls: number;
  readonly elapsedMs: number;
  readonly settled: boolean;
  /** The time of a call in the fastest window, because the first calls of a process take several times as long. */
  readonly msPerCall: number;
}

/**
 * Makes passes in windows until the rule ends them. Two servers take turns pass by pass, and end with the same number of calls: compilation and
 * garbage collection, which depend on that number, then happen at the same point in both.
 */
export async function makeWarmUpPasses(inTurn: readonly WarmUpPass[], rule: WarmUpRule): Promise<WarmedUp> {
  const mostCalls = Math.max(...inTurn.map(({ calls }) => calls));
  const mostPasses = Math.ceil(rule.callsPerWindow / mostCalls);
  const startedAt = performance.now();
  const windows: number[] = [];
  let [passes, elapsedMs] = [0, 0];
  while (!isOver(windows, elapsedMs, rule)) {
    const windowStartedAt = performance.now();
    let inWindow = 0;
    for (; inWindow < mostPasses && performance.now() - windowStartedAt < rule.windowMs; inWindow += 1) {
      for (const pass of inTurn) await pass.run();
    }
    passes += inWindow;
    windows.push((performance.now() - windowStartedAt) / inWindow);
    elapsedMs = performance.now() - startedAt;
  }
  const msPerCall = Math.min(...windows) / inTurn.reduce((sum, { calls }) => sum + calls, 0);
  return { calls: passes * mostCalls, elapsedMs, settled: hasSettled(windows, rule), msPerCall };
}
