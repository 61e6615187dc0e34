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

/**
 * Makes passes until the rule ends them. Two servers take turns pass by pass, and end with the same number of calls: compilation and garbage
 * collection, which depend on that number, then happen at the same point in both.
 */
export async function makeWarmUpPasses(inTurn: readonly WarmUpPass[], rule: WarmUpRule): Promise<WarmedUp> {
  const startedAt = performance.now();
  const passesMs: number[] = [];
  let elapsedMs = 0;
  do {
    for (const pass of inTurn) await pass.run();
    const soFarMs = performance.now() - startedAt;
    passesMs.push(soFarMs - elapsedMs);
    elapsedMs = soFarMs;
  } while (!isOver(passesMs, elapsedMs, rule));
  return {
    calls: passesMs.length * Math.max(...inTurn.map(({ calls }) => calls)),
    elapsedMs,
    settled: hasSettled(passesMs, rule),
  };
}
