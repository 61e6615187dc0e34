// Turns the arms of a run into steps for k6, with the servers to call. Arms that k6 does not support are left out.
import type { LeftOutArms, LeftOutReason } from "@roundtrip/runs";
import type { Contract } from "@roundtrip/contract";
import { factsOfArm, isOneExchange, selectArms, setsOfSteps, type PlannedArm } from "@roundtrip/runner/parts";
import type { Step, Target } from "@roundtrip/runner";
import { loadStack, type Stack } from "@roundtrip/stacks";
import type { K6Arm, K6Plan, K6Server } from "./k6-plan.ts";
import { k6Modules, k6Servers, type ServerToName } from "./k6-servers.ts";
import { RequestTable } from "./k6-requests.ts";

type Unsupported = Omit<Extract<LeftOutReason, { readonly code: "unsupported-by-generator" }>, "code" | "generator">;

/** What k6 does not support of an arm; undefined if it can measure it. */
function unsupportedIn({ plan, setup, configuration, saturation }: PlannedArm, { k6 }: Stack): Unsupported | undefined {
  const { link, tls, client } = configuration;
  const [setting] = Object.keys(client);
  if (typeof k6 === "string") return { what: k6 };
  if ([...plan.steps, ...setup].some(({ needs }) => needs !== undefined)) return { what: "streams" };
  if (plan.turns !== undefined) return { what: "mixes" };
  if (plan.driver !== "own") return { what: "drivers", name: plan.driver };
  if (link !== undefined) return { what: "networks" };
  if (tls === true) return { what: "tls" };
  if (setting !== undefined) return { what: "client-settings", name: setting };
  if (plan.idleMs !== undefined) return { what: "idle-connections" };
  if (saturation !== undefined) return { what: "capacity-searches" };
  return undefined;
}

export interface K6Arms {
  readonly arms: readonly K6Arm[];
  readonly servers: readonly K6Server[];
  readonly requests: K6Plan["requests"];
  /** One for each reason why arms are left out. */
  readonly leftOut: readonly LeftOutArms[];
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
  const stacks = new Map<string, Stack>();
  for (const { configuration } of arms) stacks.set(configuration.stack, await loadStack(configuration.stack));
  const { measured, leftOut } = selectArms(arms, (arm) => {
    const stack = stacks.get(arm.configuration.stack);
    const found = stack && unsupportedIn(arm, stack);
    return found && { code: "unsupported-by-generator", generator: "k6", ...found };
  });
  for (const [name, done] of Map.groupBy(measured, ({ configuration }) => configuration.stack)) {
    const stack = stacks.get(name) ?? (await loadStack(name));
    const { k6: calls } = stack;
    if (typeof calls === "string") continue;
    await using writer = await k6Modules[calls.module].stepWriter(contract, name, table);
    for (const arm of done) {
      const { order } = arm.plan;
      const steps = await writer.stepsOf(arm.plan);
      const sets = setsOfSteps(order, isOneExchange(order) ? steps.map(() => ({})) : arm.plan.steps);
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
  return { arms: written, servers: k6Servers(servers, portsEach), requests, leftOut };
}
