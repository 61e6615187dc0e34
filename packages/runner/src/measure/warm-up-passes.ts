// Runs passes over the arms until their processes are warm, and estimates how long a task of each arm will take.
import type { WarmUpTrend } from "@roundtrip/runs";
import { isOver, trendOf, type WarmUpRule } from "./warm-up.ts";

export class TaskTimes {
  readonly #msOf = new Map<string, number[]>();

  /** Adds the time of an arm in the current pass. @param ms of one task */
  add(armId: string, ms: number): void {
    const times = this.#msOf.get(armId) ?? [];
    times.push(ms);
    this.#msOf.set(armId, times);
  }

  /** Milliseconds by arm: the mean of the later half of its passes, without the slowest of them, which may be a single pause. */
  get estimates(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#msOf].map(([armId, times]) => [armId, trimmedMean(times)]));
  }
}

function trimmedMean(times: readonly number[]): number {
  const later = times.slice(Math.floor(times.length / 2)).toSorted((a, b) => a - b);
  const usual = later.slice(0, Math.max(1, later.length - 1));
  return usual.reduce((sum, ms) => sum + ms, 0) / usual.length;
}

/** Runs the calls of all arms of a server once. */
export interface WarmUpPass {
  readonly calls: number;
  run(): Promise<void>;
}

/** The result of a warm-up. Calls are those of each pass's own server. */
export interface WarmedUp {
  readonly calls: number;
  readonly elapsedMs: number;
  readonly trend: WarmUpTrend;
}

/** Makes passes until the rule ends them. Two servers take turns and end with equal calls, so that compilation and garbage come at equal points. */
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
    trend: trendOf(passesMs, rule),
  };
}
