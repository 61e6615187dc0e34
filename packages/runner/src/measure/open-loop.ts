// Open loops: tasks begin on schedule, whatever has been answered by then. Tasks that are due while the process is busy begin late, but are never
// left out.
import { type Clock, machineClock, newAlarm } from "../basics/alarm.ts";
import type { Pace } from "../pace/load.ts";
import { newUtilisation, type PacedRun } from "./paced-run.ts";

export interface OpenTasks {
  /** Begins a task. Rejects only with an internal error. */
  readonly begin: (task: number, intendedAtMs: number) => Promise<void>;
  /** Records a task that is not begun, because too many are under way. */
  readonly refuse: (task: number, intendedAtMs: number) => void;
}

/** Time before the first arrival, so that it is awaited turn by turn too. */
const leadMs = 2;

export function openLoop(
  { startsMs, mostInFlight }: Extract<Pace, { readonly loop: "open" }>,
  { begin, refuse }: OpenTasks,
  clock: Clock = machineClock,
): PacedRun {
  const { promise: ended, resolve, reject } = Promise.withResolvers<number>();
  const originMs = clock.nowMs() + leadMs;
  const dueMs = (task: number): number => originMs + (startsMs[task] ?? Number.NaN);
  let next = 0;
  let inFlight = 0;
  let utilisation = Number.NaN;

  const endOne = (): void => {
    inFlight -= 1;
    if (inFlight === 0 && next === startsMs.length) resolve(utilisation);
  };
  // Begins all due tasks in one go. Tasks that become due meanwhile wait for the next turn, which also handles answers.
  const ring = (nowMs: number): number | undefined => {
    while (next < startsMs.length && dueMs(next) <= nowMs) {
      const [task, intendedAtMs] = [next, dueMs(next)];
      next += 1;
      if (next === startsMs.length) utilisation = busy();
      if (inFlight < mostInFlight) {
        inFlight += 1;
        void begin(task, intendedAtMs).then(endOne).catch(reject);
      } else refuse(task, intendedAtMs);
    }
    return next < startsMs.length ? dueMs(next) : undefined;
  };
  const alarm = newAlarm(ring, clock);
  const busy = newUtilisation(clock, alarm);
  alarm.set(dueMs(0));
  return { ended, isWaiting: () => inFlight === 0 };
}
