// Replays recorded arrivals, for example from a log, whatever the seed.
import { RunnerError } from "../basics/runner-error.ts";
import { emptySchedule } from "./checks.ts";
import type { Pacer } from "./pacer.ts";

export interface RecordedOptions {
  readonly recording: string;
  /** When each task began, in milliseconds since the begin of the recording, ascending. */
  readonly startsMs: ArrayLike<number>;
}

/** Throws a RunnerError `bad-plan` for invalid or descending times. */
export function recorded({ recording, startsMs: given }: RecordedOptions): Pacer {
  const kept = Float64Array.from(given);
  kept.forEach((atMs, task) => {
    const isMoment = Number.isFinite(atMs) && atMs >= 0;
    if (isMoment && atMs >= (kept[task - 1] ?? 0)) return;
    const why = isMoment ? "is before the previous one" : "is not a moment";
    throw new RunnerError("bad-plan", `the recording ${recording}: start ${task}, ${atMs} ms, ${why}`);
  });
  return {
    name: "recorded",
    loop: "open",
    factors: { arrivals: "recorded", recording },
    schedule(tasks) {
      const startsMs = emptySchedule(tasks);
      if (tasks > kept.length) {
        const message = `the recording ${recording} has ${kept.length} starts, and a block of ${tasks} tasks was asked for`;
        throw new RunnerError("bad-plan", message);
      }
      startsMs.set(kept.subarray(0, tasks));
      return startsMs;
    },
  };
}
