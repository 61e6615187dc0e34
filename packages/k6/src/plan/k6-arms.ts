// Turns the arms of a run into steps for k6, with the servers to call. Arms that k6 does not support are left out with a warning.
import type { Warning } from "@roundtrip/analysis";
import type { Contract } from "@roundtrip/contract";
import { factsOfArm, setsOfSteps, type PlannedArm } from "@roundtrip/runner/parts";
import type { Step } from "@roundtrip/runner";
import { loadStack } from "@roundtrip/stacks";
import type { K6Arm, K6Plan, K6Server } from "./k6-plan.ts";
import { k6Servers, type ServerToName } from "./k6-servers.ts";
import { stepWriter } from "./k6-requests.ts";
import { leftOutWarnings, unsupportedReason } from "./left-out.ts";
import { RequestTable } from "./request-table.ts";

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

/** Rejects with a RunnerError `bad-plan` if a study uses an operation that the contract does not have. */
export async function k6ArmsOf(arms: readonly PlannedArm[], contract: Contract): Promise<K6Arms> {
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
    await using writer = await stepWriter(contract, { name, calls }, table);
    for (const arm of done) {
      const { order } = arm.plan;
      const steps = await writer.stepsOf(arm.plan);
      const sets = setsOfSteps(order, order === "together" ? steps.map(() => ({})) : arm.plan.steps);
      written.push({ facts: factsOfArm(arm), server: arm.configuration.id, steps, sets });
    }
    for (const sharing of Map.groupBy(done, (arm) => arm.configuration.id).values()) {
      const setup = await writer.stepsOf({ order: "sequential", steps: setupOf(sharing) });
      for (const { configuration, target } of sharing.slice(0, 1))
        servers.push({ configuration, stack, calls, path: writer.path, setup, target });
    }
  }
  const { requests } = table;
  return { arms: written, servers: k6Servers(servers), requests, leftOut: leftOutWarnings(leftOut) };
}
