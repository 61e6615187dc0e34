// Gives a study of any contract the pace of the gate's own study: many short blocks, so that a disturbance affects few of them, or both versions.
import { rehearseJson } from "@roundtrip/bench/own-contract";
import type { Client } from "@roundtrip/contract";
import type { Plan, Study, Task } from "@roundtrip/runner";

/** The duration of a block to aim at, in milliseconds. */
const blockMs = 8;
const mostTasksInBlock = 20;
/** The number of blocks of an arm in a round, and the least for a round that would take longer than {@link roundMs}. */
const blocks = { usual: 20, least: 4 } as const;
/** The duration of all blocks in a round to aim at, in milliseconds. */
const roundMs = 4_000;
const versions = 2;

/** How often a plan is executed to time it, and for how long at most. */
const timed = { executions: 16, ms: 400 } as const;

const pace = { rounds: 30, budgetMs: 150_000, takesFirstCalls: false } as const;

/** The time of one execution, once the client has warmed up a little; 1 ms if the calls cannot be repeated. */
async function msOf({ steps, turns }: Plan, client: Client): Promise<number> {
  const times: number[] = [];
  const startedMs = performance.now();
  try {
    while (times.length < timed.executions && performance.now() - startedMs < timed.ms) {
      const beforeMs = performance.now();
      for (const { operation, request } of steps) {
        // oxlint-disable-next-line no-await-in-loop -- one call after the other, as a caller makes them
        await rehearseJson(client, client.contract.operation(operation), request);
      }
      times.push(performance.now() - beforeMs);
    }
  } catch {
    // A call that changes something may succeed only once.
  }
  const later = times.slice(Math.floor(times.length / 2)).toSorted((one, other) => one - other);
  const allMs = later[Math.floor(later.length / 2)] ?? 1;
  // An execution of a mix makes one of its calls.
  return turns === undefined ? allMs : allMs / steps.length;
}

async function slowestMs({ variants }: Task, client: Client): Promise<number> {
  let slowest = 0;
  // oxlint-disable-next-line no-await-in-loop -- calls at once would slow each other down
  for (const plan of Object.values(variants)) slowest = Math.max(slowest, await msOf(plan, client));
  return slowest;
}

/** The study with the rounds, blocks and budget of the gate. @param client times the tasks. @param stacks how many are measured. */
export async function withGatePace(study: Study, client: Client, stacks: number): Promise<Study> {
  const times = new Map<Task, number>();
  // oxlint-disable-next-line no-await-in-loop -- see above
  for (const task of study.tasks) times.set(task, await slowestMs(task, client));
  const inBlock = (task: Task): number =>
    Math.min(mostTasksInBlock, Math.max(1, Math.round(blockMs / (times.get(task) ?? 1))));
  const onceMs = study.tasks.reduce(
    (sum, task) => sum + Object.keys(task.variants).length * inBlock(task) * (times.get(task) ?? 1),
    0,
  );
  const fitting = Math.floor(roundMs / (onceMs * versions * stacks));
  const count = Math.min(blocks.usual, Math.max(blocks.least, fitting));
  const tasks = study.tasks.map((task) => ({
    ...task,
    onFloor: false,
    callers: 1,
    tasksPerBlock: inBlock(task),
    tasksPerRound: count * inBlock(task),
  }));
  return { ...study, ...pace, tasks };
}
