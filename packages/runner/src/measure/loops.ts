// When the tasks of a block begin. Closed loops: each caller begins its next task when its last one has ended, at once or after a pause. Open loops:
// tasks begin on schedule, whatever has been answered by then.
import { type Alarm, type Clock, machineClock, newAlarm } from "../basics/alarm.ts";
import type { Pace } from "../pace/load.ts";

export interface PacedRun {
  /** Resolves when every task has ended, to the share of time in which the process was too busy to begin one; in an open loop up to the last begin. */
  readonly ended: Promise<number>;
  /** True while no task is under way, so that no answer is due. */
  readonly isWaiting: () => boolean;
}

/** Starts counting. Returns a function that returns the share of time in which the process has been busy. */
export function newUtilisation(clock: Clock, alarm?: Pick<Alarm, "freeMs">): () => number {
  const freeMs = (): number => clock.idleMs() + (alarm?.freeMs() ?? 0);
  const [startedAtMs, freeBeforeMs] = [clock.nowMs(), freeMs()];
  return () => {
    const elapsedMs = clock.nowMs() - startedAtMs;
    const share = 1 - (freeMs() - freeBeforeMs) / elapsedMs;
    return elapsedMs === 0 ? 1 : Math.min(Math.max(share, 0), 1);
  };
}

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
 * With a pause before each task, in which its caller waits or works, starting when its caller's last task ends. Callers start spread over their first pause, because a common start would
 * keep them in step for long.
 * @param begin begins a task and resolves when it has ended; rejects only with an internal error.
 */
export function thinkingLoop(
  { pausesMs, isWork }: Extract<Pace, { readonly loop: "closed" }>,
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
    if (isWork) clock.work(atMs - clock.nowMs());
    if (isWork || pausesMs[taskOf[caller]] === 0) start(caller);
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
