// Replaces the closed loop of studies by arrivals.
import type { Study, Task } from "@roundtrip/runner";
import { CliError } from "../basics/cli-error.ts";
import type { TypedArrivals } from "./typed-arrivals.ts";

/** Number of HTTP/1.1 connections, so that calls hardly ever wait for one in the client. */
const mostConnections = 200;

/** One schedule is one block, because a ramp or recording cannot be split. Drivers such as autocannon, which are closed-loop only, are left out. */
function pacedTask(task: Task, { pacer, tasks }: TypedArrivals, calls: number | undefined): readonly Task[] {
  const variants = Object.fromEntries(Object.entries(task.variants).filter(([, { driver }]) => driver === "own"));
  if (Object.keys(variants).length === 0) return [];
  const count = calls ?? tasks ?? task.tasksPerRound;
  const callers = Math.max(task.callers, Math.min(count, mostConnections));
  return [{ ...task, variants, load: { pacer }, callers, tasksPerRound: count, tasksPerBlock: count }];
}

/** Throws a usage error for studies with their own loads, and for recordings that are too short. */
export function withArrivals(
  studies: readonly Study[],
  arrivals: TypedArrivals,
  calls: number | undefined,
): readonly Study[] {
  const loaded = studies.find(({ tasks }) => tasks.some(({ load, saturation }) => load ?? saturation));
  if (loaded !== undefined) {
    throw new CliError("usage", `--arrivals is for studies without a load of their own, which ${loaded.name} has`);
  }
  if (calls !== undefined && arrivals.pacer.name === "recorded" && calls > (arrivals.tasks ?? calls)) {
    throw new CliError(
      "usage",
      `the recording of --arrivals has ${arrivals.tasks} moments, fewer than --calls ${calls}`,
    );
  }
  return studies.map((study) => ({ ...study, tasks: study.tasks.flatMap((task) => pacedTask(task, arrivals, calls)) }));
}
