// Watches a process while a block runs: the delay of its event loop, its pauses for garbage collection, and what it allocates. It costs nothing outside a block.
import type { ProcessEvidence } from "@roundtrip/runs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { GCProfiler, getHeapStatistics } from "node:v8";

/** A timer in native code: at this interval its cost is negligible, even if it wakes an idle process. */
const samplingMs = 10;

/** The event loop's histogram contains the time between two samples, in ns. The part beyond the resolution is delay. */
function delayMs(betweenNs: number): number {
  return Math.max(0, betweenNs / 1e6 - samplingMs);
}

export class ProcessWatch {
  readonly #loop = monitorEventLoopDelay({ resolution: samplingMs });
  #garbage: GCProfiler | undefined;
  #beganAtMs = 0;
  #heapBytes = 0;

  /** Resets the watch, and watches until {@link end}. */
  begin(): void {
    this.#garbage = new GCProfiler();
    this.#garbage.start();
    // Enabling it again would continue from its last sample, and count all time since.
    this.#loop.reset();
    this.#loop.enable();
    this.#beganAtMs = performance.now();
    this.#heapBytes = getHeapStatistics().used_heap_size;
  }

  end(): ProcessEvidence {
    const grownBytes = getHeapStatistics().used_heap_size - this.#heapBytes;
    const elapsedMs = performance.now() - this.#beganAtMs;
    this.#loop.disable();
    const collections = this.#garbage?.stop()?.statistics ?? [];
    const { count, mean, max } = this.#loop;
    const freedBytes = collections.reduce(
      (sum, { beforeGC, afterGC }) => sum + beforeGC.heapStatistics.usedHeapSize - afterGC.heapStatistics.usedHeapSize,
      0,
    );
    // The first sample counts nothing: the time before it and after the last sample is between no two samples.
    const unseenMs = elapsedMs - (count === 0 ? 0 : (count * mean) / 1e6) - 2 * samplingMs;
    const seenMs = count === 0 ? 0 : delayMs(max);
    return {
      loopDelayMeanMs: count === 0 ? null : delayMs(mean),
      loopDelayMaxMs: count === 0 && unseenMs <= 0 ? null : Math.max(seenMs, unseenMs),
      gcCount: collections.length,
      // In microseconds.
      gcMs: collections.reduce((sum, { cost }) => sum + cost, 0) / 1_000,
      allocatedBytes: grownBytes + freedBytes,
    };
  }
}
