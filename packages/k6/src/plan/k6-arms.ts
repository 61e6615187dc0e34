// Turns the arms of a run into steps for k6, with the servers to call. Arms that k6 does not support are left out with a warning.
import type { Warning } from "@roundtrip/runs";
import type { Contract } from "@roundtrip/contract";
import { factsOfArm, setsOfSteps, type PlannedArm } from "@roundtrip/runner/parts";
import type { Step, Target } from "@roundtrip/runner";
import { loadStack, type Stack } from "@roundtrip/stacks";
import type { K6Arm, K6Plan, K6Server } from "./k6-plan.ts";
import { k6Modules, k6Servers, type ServerToName } from "./k6-servers.ts";
import { RequestTable } from "./k6-requests.ts";

/** Why k6 cannot measure an arm; undefined if it can. */
function unsupportedReason({ plan, setup, configuration, saturation }: PlannedArm, { k6 }: Stack): string | undefined {
  const { link, tls, client } = configuration;
  const [setting] = Object.keys(client);
  if (typeof k6 === "string") return k6;
  if ([...plan.steps, ...setup].some(({ needs }) => needs !== undefined)) return "streams are not supported with k6";
  if (plan.turns !== undefined) return "mixes of operations are not supported with k6";
  if (plan.driver !== "own") return `their load generator is ${plan.driver}`;
  if (link !== undefined) return "emulated networks are not supported with k6";
  if (tls === true) return "TLS is not supported with k6";
  if (setting !== undefined) return `${setting} is a setting of Roundtrip's own client`;
  if (plan.idleMs !== undefined) return "idle connections are not supported with k6";
  if (saturation !== undefined) return "their rates are known only after a search by bench";
  return undefined;
}

/** The most tasks and variants that a warning names; more of them are only counted. */
const mostNamed = 3;

/** The tasks with their variants, such as ` (watch-sales/single)`; empty for many. */
function namesOf(arms: readonly PlannedArm[]): string {
  const names = [...new Set(arms.map(({ task, variant }) => `${task}/${variant}`))];
  return names.length > mostNamed ? "" : ` (${names.join(", ")})`;
}

/** One warning for each reason. */
function leftOutWarnings(leftOut: readonly { readonly arm: PlannedArm; readonly why: string }[]): readonly Warning[] {
  return [...Map.groupBy(leftOut, ({ why }) => why)].map(([why, some]) => {
    const arms = some.map(({ arm }) => arm);
    const studies = [...new Set(arms.map(({ study }) => study))].join(", ");
    const count = arms.length === 1 ? "1 arm" : `${arms.length} arms`;
    return { code: "k6-left-out", message: `${count} of ${studies}${namesOf(arms)} left out: ${why}` };
  });
}

export interface K6Arms {
  readonly arms: readonly K6Arm[];
  readonly servers: readonly K6Server[];
  readonly requests: K6Plan["requests"];
  /** One for each reason why arms are left out. */
  readonly leftOut: readonly Warning[];
}

/** The calls that set a server's initial state, each once. */
function setupOf(arms: readonly PlannedArm[]): readonly Step[] {
  return [...new Map(arms.flatMap(({ setup }) => setup.map((step) => [JSON.stringify(step), step]))).values()];
}

/** What the arms do not state of their servers. */
export interface ServerFacts {
  /** The servers that run already, with the variables of their tokens. */
  readonly targets: readonly Pick<Target, "stack" | "tokenVariable">[];
  /** The ports that the command of any other server takes. */
  readonly portsEach: number;
}

/** Rejects with a RunnerError `bad-plan` if a study uses an operation that the contract does not have. */
export async function k6ArmsOf(
  arms: readonly PlannedArm[],
  contract: Contract,
  { targets, portsEach }: ServerFacts = { targets: [], portsEach: 1 },
): Promise<K6Arms> {
  const written: K6Arm[] = [];
  const servers: ServerToName[] = [];
  const table = new RequestTable();
  const leftOut: { readonly arm: PlannedArm; readonly why: string }[] = [];
  for (const [name, ofStack] of Map.groupBy(arms, ({ configuration }) => configuration.stack)) {
    const stack = await loadStack(name);
    const done = ofStack.filter((arm) => {
      const why = unsupportedReason(arm, stack);
      if (why !== undefined) leftOut.push({ arm, why });
      return why === undefined;
    });
    const { k6: calls } = stack;
    if (done.length === 0 || typeof calls === "string") continue;
    await using writer = await k6Modules[calls.module].stepWriter(contract, name, table);
    for (const arm of done) {
      const { order } = arm.plan;
      const steps = await writer.stepsOf(arm.plan);
      const sets = setsOfSteps(order, order === "together" ? steps.map(() => ({})) : arm.plan.steps);
      written.push({ facts: factsOfArm(arm), server: arm.configuration.id, steps, sets });
    }
    const token = targets.find((one) => one.stack === name)?.tokenVariable;
    for (const sharing of Map.groupBy(done, (arm) => arm.configuration.id).values()) {
      const setup = await writer.stepsOf({ order: "sequential", steps: setupOf(sharing) });
      for (const { configuration, target } of sharing.slice(0, 1))
        servers.push({ configuration, stack, calls, path: writer.path, setup, target, token });
    }
  }
  const { requests } = table;
  return { arms: written, servers: k6Servers(servers, portsEach), requests, leftOut: leftOutWarnings(leftOut) };
}
