// How a process fares while a block runs: how late its event loop is, and how long it stands still for garbage. Watched then alone: what
// nobody asks for costs nothing.
import type { ProcessEvidence } from "@roundtrip/analysis";
import { monitorEventLoopDelay, PerformanceObserver, type PerformanceEntry } from "node:perf_hooks";
import { setImmediate } from "node:timers/promises";

/** A timer in native code: this often it costs next to nothing, also where it wakes an idle process. */
const samplingMs = 10;

/** What a histogram of the event loop tells is the time between two samples, in ns: what is beyond the distance that was asked for is delay. */
function delayMs(betweenNs: number): number {
  return Math.max(0, betweenNs / 1e6 - samplingMs);
}

export class ProcessWatch {
  readonly #loop = monitorEventLoopDelay({ resolution: samplingMs });
  readonly #collections = new PerformanceObserver((list) => this.#count(list.getEntries()));
  #gcCount = 0;
  #gcMs = 0;

  /** Forgets what was seen before, and watches until {@link end}. */
  begin(): void {
    this.#gcCount = 0;
    this.#gcMs = 0;
    // Enabled again it would go on from its last sample, with all the time since.
    this.#loop.reset();
    this.#loop.enable();
    this.#collections.observe({ entryTypes: ["gc"] });
  }

  async end(): Promise<ProcessEvidence> {
    this.#loop.disable();
    // Collections are told of in a turn of their own.
    await setImmediate();
    this.#count(this.#collections.takeRecords());
    this.#collections.disconnect();
    const { count, mean, max } = this.#loop;
    return {
      loopDelayMeanMs: count === 0 ? null : delayMs(mean),
      loopDelayMaxMs: count === 0 ? null : delayMs(max),
      gcCount: this.#gcCount,
      gcMs: this.#gcMs,
    };
  }

  #count(entries: readonly PerformanceEntry[]): void {
    this.#gcCount += entries.length;
    for (const { duration } of entries) this.#gcMs += duration;
  }
}
