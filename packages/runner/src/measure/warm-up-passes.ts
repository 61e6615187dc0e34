// Runs passes over the arms until their processes are warm, and estimates how long a task of each arm will take.
import { hasSettled, isOver, type WarmUpRule } from "./warm-up.ts";

export class TaskTimes {
  readonly #fastestMs = new Map<string, number>();
  readonly #passesMs: number[] = [];
  #passMs = 0;

  /** Adds the time of an arm in the current pass. @param ms of one task */
  add(armId: string, ms: number): void {
    this.#passMs += ms;
    this.#fastestMs.set(armId, Math.min(ms, this.#fastestMs.get(armId) ?? Infinity));
  }

  endPass(): void {
    this.#passesMs.push(this.#passMs);
    this.#passMs = 0;
  }

  /** Milliseconds by arm: its fastest time, scaled by the median of the later half of all passes over the sum of fastest times. */
  get estimates(): Readonly<Record<string, number>> {
    const later = this.#passesMs.slice(Math.floor(this.#passesMs.length / 2)).toSorted((a, b) => a - b);
    const usualMs = later[Math.floor(later.length / 2)] ?? 0;
    const fastestMs = [...this.#fastestMs.values()].reduce((sum, ms) => sum + ms, 0);
    const scale = fastestMs === 0 ? 1 : usualMs / fastestMs;
    return Object.fromEntries([...this.#fastestMs].map(([armId, ms]) => [armId, scale * ms]));
  }
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
