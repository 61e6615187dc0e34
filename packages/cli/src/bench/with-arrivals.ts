// The tasks of studies, set off by arrivals in place of one after the other.
import type { Study, Task } from "@roundtrip/runner";
import { CliError } from "../basics/cli-error.ts";
import type { TypedArrivals } from "./typed-arrivals.ts";

/** Connections that calls may have over HTTP/1.1, so that hardly any waits in the client for one. */
const mostConnections = 200;

/** A schedule is one block: a ramp or a recording cut into pieces would be none. Who calls again at once, as autocannon does, takes none. */
function pacedTask(task: Task, { pacer, tasks }: TypedArrivals, calls: number | undefined): readonly Task[] {
  const variants = Object.fromEntries(Object.entries(task.variants).filter(([, { driver }]) => driver === "own"));
  if (Object.keys(variants).length === 0) return [];
  const count = calls ?? tasks ?? task.tasksPerRound;
  const callers = Math.max(task.callers, Math.min(count, mostConnections));
  return [{ ...task, variants, load: { pacer }, callers, tasksPerRound: count, tasksPerBlock: count }];
}

/** Throws a usage error for studies that are about loads of their own, and for recordings that are shorter than what is asked for. */
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
