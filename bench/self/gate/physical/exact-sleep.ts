// Blocks the whole process for less than a millisecond, without using a processor.
import { writeFileSync } from "node:fs";

const nobodyWakes = new Int32Array(new SharedArrayBuffer(4));
const tries = 101;
const triedMs = 0.02;

function wait(ms: number): void {
  Atomics.wait(nobodyWakes, 0, 0, ms);
}

/** Reduces the timer slack of this thread, which is 50 µs by default. Without the permission, the lateness is measured like the rest. */
function wakeInTime(): void {
  try {
    writeFileSync("/proc/self/timerslack_ns", "1");
  } catch {
    // Another system, or no permission.
  }
}

/** How much longer than requested this machine waits, in ms: the median of some tries. */
function latenessMs(): number {
  const late = Array.from({ length: tries }, () => {
    const startedAt = performance.now();
    wait(triedMs);
    return performance.now() - startedAt - triedMs;
  });
  return late.toSorted((one, other) => one - other)[(tries - 1) / 2] ?? 0;
}

/** Returns a function that blocks for this many ms, as exactly as this machine can. */
export function exactSleep(): (ms: number) => void {
  wakeInTime();
  const late = latenessMs();
  return (ms) => {
    if (ms > 0) wait(Math.max(ms - late, 0.001));
  };
}
