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
}

/** The middle value; of an even number the mean of both. */
function medianOf(values: readonly number[]): number {
  const ascending = values.toSorted((one, other) => one - other);
  const middle = (ascending.length - 1) / 2;
  return ((ascending[Math.floor(middle)] ?? Number.NaN) + (ascending[Math.ceil(middle)] ?? Number.NaN)) / 2;
}

/**
 * Makes passes in windows until the rule ends them. Two servers take turns pass by pass, and end with the same number of calls: compilation and
 * garbage collection, which depend on that number, then happen at the same point in both. A window counts by its median pass: one call that a garbage
 * collection or another process delays is no sign of cold code, and the means of slow stacks would differ by chance.
 */
export async function makeWarmUpPasses(inTurn: readonly WarmUpPass[], rule: WarmUpRule): Promise<WarmedUp> {
  const mostCalls = Math.max(...inTurn.map(({ calls }) => calls));
  const mostPasses = Math.ceil(rule.callsPerWindow / mostCalls);
  const startedAt = performance.now();
  const windows: number[] = [];
  let [passes, elapsedMs] = [0, 0];
  while (!isOver(windows, elapsedMs, rule)) {
    const windowStartedAt = performance.now();
    let passStartedAt = windowStartedAt;
    const passesMs: number[] = [];
    while (passesMs.length < mostPasses && passStartedAt - windowStartedAt < rule.windowMs) {
      for (const pass of inTurn) await pass.run();
      const endedAt = performance.now();
      passesMs.push(endedAt - passStartedAt);
      passStartedAt = endedAt;
    }
    passes += passesMs.length;
    windows.push(medianOf(passesMs));
    elapsedMs = passStartedAt - startedAt;
  }
  return { calls: passes * mostCalls, elapsedMs, settled: hasSettled(windows, rule) };
}
