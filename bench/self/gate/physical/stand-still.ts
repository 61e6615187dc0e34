// Lets the whole process wait for less than a millisecond, without using a processor.
import { writeFileSync } from "node:fs";

const nobodyWakes = new Int32Array(new SharedArrayBuffer(4));
const tries = 101;
const triedMs = 0.02;

function wait(ms: number): void {
  Atomics.wait(nobodyWakes, 0, 0, ms);
}

/** Makes the kernel wake this thread in time; it rounds by 50 µs else. Where that cannot be asked for, what is lost is measured like the rest. */
function wakeInTime(): void {
  try {
    writeFileSync("/proc/self/timerslack_ns", "1");
  } catch {
    // Another system, or no right to.
  }
}

/** How much longer than asked this machine waits, in ms: the median of some tries. */
function latenessMs(): number {
  const late = Array.from({ length: tries }, () => {
    const startedAt = performance.now();
    wait(triedMs);
    return performance.now() - startedAt - triedMs;
  });
  return late.toSorted((one, other) => one - other)[(tries - 1) / 2] ?? 0;
}

/** Gives a function that stands still for so many ms, as exactly as this machine can. */
export function standingStill(): (ms: number) => void {
  wakeInTime();
  const late = latenessMs();
  return (ms) => {
    if (ms > 0) wait(Math.max(ms - late, 0.001));
  };
}
