// Closed loops: each caller begins its next task when its last one has ended, at once or after a pause.
import { type Clock, machineClock, newAlarm } from "../basics/alarm.ts";
import type { Pace } from "../pace/load.ts";
import { newUtilisation, type PacedRun } from "./paced-run.ts";

/** Without pauses: each caller takes the next task as soon as its last one has ended. */
export async function closedLoop(
  tasks: number,
  callers: number,
  runTask: (task: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const caller = async (): Promise<void> => {
    while (next < tasks) await runTask(next++);
  };
  if (callers === 1) await caller();
  else await Promise.all(Array.from({ length: callers }, caller));
}

/**
 * With a pause before each task, starting when its caller's last task ends. Callers start spread over their first pause, because a common start would
 * keep them in step for long.
 * @param begin begins a task and resolves when it has ended; rejects only with an internal error.
 */
export function thinkingLoop(
  { pausesMs }: Extract<Pace, { readonly loop: "closed" }>,
  callers: number,
  begin: (task: number, intendedAtMs: number) => Promise<void>,
  clock: Clock = machineClock,
): PacedRun {
  const { promise: ended, resolve, reject } = Promise.withResolvers<number>();
  const dueMs = new Float64Array(callers).fill(Number.POSITIVE_INFINITY);
  let next = 0;
  let done = 0;
  let inFlight = 0;

  // Tasks are numbered in the order in which their pauses begin, so that the callers of every arm draw from one sequence.
  const taskOf = new Uint32Array(callers);
  const pause = (caller: number, share: number): void => {
    if (next === pausesMs.length) return;
    taskOf[caller] = next;
    const atMs = clock.nowMs() + share * (pausesMs[next] ?? Number.NaN);
    dueMs[caller] = atMs;
    next += 1;
    if (pausesMs[taskOf[caller]] === 0) start(caller);
    else alarm.set(atMs);
  };
  const end = (caller: number): void => {
    inFlight -= 1;
    done += 1;
    if (done === pausesMs.length) resolve(busy());
    else pause(caller, 1);
  };
  const start = (caller: number): void => {
    const intendedAtMs = dueMs[caller] ?? Number.NaN;
    dueMs[caller] = Number.POSITIVE_INFINITY;
    inFlight += 1;
    void begin(taskOf[caller] ?? Number.NaN, intendedAtMs)
      .then(() => end(caller))
      .catch(reject);
  };
  const alarm = newAlarm((nowMs) => {
    for (let caller = 0; caller < callers; caller += 1) if ((dueMs[caller] ?? Number.NaN) <= nowMs) start(caller);
    const soonestMs = dueMs.reduce((low, at) => Math.min(low, at), Number.POSITIVE_INFINITY);
    return soonestMs === Number.POSITIVE_INFINITY ? undefined : soonestMs;
  }, clock);
  const busy = newUtilisation(clock, alarm);
  for (let caller = 0; caller < callers; caller += 1) pause(caller, (caller + 1) / callers);
  return { ended, isWaiting: () => inFlight === 0 };
}
