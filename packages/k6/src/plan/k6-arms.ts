// The arms of a run as k6 does them, and the servers that these call; what k6 cannot do is left out and told.
import type { Warning } from "@roundtrip/analysis";
import type { Contract } from "@roundtrip/contract";
import { factsOfArm, setsOfSteps, type Arm } from "@roundtrip/runner/parts";
import type { Step } from "@roundtrip/runner";
import { loadStack } from "@roundtrip/stacks";
import type { K6Arm, K6Plan, K6Server } from "./k6-plan.ts";
import { k6Servers, type ServerToName } from "./k6-servers.ts";
import { stepWriter } from "./k6-requests.ts";
import { leftOutWarnings, whyNot } from "./left-out.ts";
import { RequestBook } from "./request-book.ts";

export interface K6Arms {
  readonly arms: readonly K6Arm[];
  readonly servers: readonly K6Server[];
  readonly requests: K6Plan["requests"];
  /** One for each reason why arms are left out. */
  readonly leftOut: readonly Warning[];
}

/** What brings a server to where its arms begin, each call once. */
function setupOf(arms: readonly Arm[]): readonly Step[] {
  return [...new Map(arms.flatMap(({ setup }) => setup.map((step) => [JSON.stringify(step), step]))).values()];
}

/** Rejects with a RunnerError `bad-plan` where a study asks for what the contract does not have. */
export async function k6ArmsOf(arms: readonly Arm[], contract: Contract): Promise<K6Arms> {
  const written: K6Arm[] = [];
  const servers: ServerToName[] = [];
  const book = new RequestBook();
  const leftOut: { readonly arm: Arm; readonly why: string }[] = [];
  for (const [name, ofStack] of Map.groupBy(arms, ({ configuration }) => configuration.stack)) {
    const stack = await loadStack(name);
    const done = ofStack.filter((arm) => {
      const why = whyNot(arm, stack);
      if (why !== undefined) leftOut.push({ arm, why });
      return why === undefined;
    });
    const { k6: calls } = stack;
    if (done.length === 0 || typeof calls === "string") continue;
    await using writer = await stepWriter(contract, { name, calls }, book);
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
  const { requests } = book;
  return { arms: written, servers: k6Servers(servers), requests, leftOut: leftOutWarnings(leftOut) };
}
