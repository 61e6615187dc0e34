// Two load generators on the same servers: in each round, the clients of this project and k6 take turns in random order, with the same requests and
// arrivals.
import { k6Engine, type K6EngineOptions } from "@roundtrip/k6";
import type { Engine, EnginePart } from "@roundtrip/runner";
import { paceOf, RoundLog } from "@roundtrip/runner/parts";

export type GeneratorName = "node" | "k6";

export interface GeneratorRound {
  readonly generator: GeneratorName;
  readonly log: RoundLog;
}

/** Without turns between engines: every block may begin. */
const noTurns: EnginePart["control"] = { mayBegin: () => true };

/** Runs the blocks of a part by the client processes that have warmed up. */
async function byNode({ pairs, plan, seed }: EnginePart, log: RoundLog): Promise<void> {
  for (const [index, { arm, tasks, turn }] of plan.schedule.entries()) {
    const pair = pairs.find(({ configuration }) => configuration.id === arm.configuration.id);
    if (pair === undefined) continue;
    const pace = arm.pacing === undefined ? undefined : paceOf(arm.pacing, tasks, { seed, round: plan.round, turn });
    const before = await pair.serverCpuMs();
    const calls = await pair.ask<Parameters<RoundLog["addBlock"]>[1]>({ ask: "block", armId: arm.id, tasks, pace });
    const after = await pair.serverCpuMs();
    const serverCpuMs = before === null || after === null ? null : after - before;
    log.addBlock({ armId: arm.id, block: index, tasks, serverCpuMs, server: undefined, tcp: undefined }, calls);
  }
}

/** An engine in which both generators run all blocks. @param onRound receives the log of each; the run itself keeps nothing. */
export function k6BesideNode(options: K6EngineOptions, onRound: (round: GeneratorRound) => void): Engine {
  const k6 = k6Engine(options);
  const of: Readonly<Record<GeneratorName, (part: EnginePart, log: RoundLog) => Promise<unknown>>> = {
    node: byNode,
    k6: (part, log) => k6.runBlocks({ ...part, log, control: noTurns }),
  };
  return {
    generators: k6.generators,
    blockTime: k6.blockTime,
    choose: (arms) => k6.choose(arms),
    async runBlocks(part) {
      const { round } = part.plan;
      const order: readonly GeneratorName[] = round % 2 === 0 ? ["node", "k6"] : ["k6", "node"];
      for (const generator of order) {
        const log = new RoundLog(round, 0);
        await of[generator](part, log);
        onRound({ generator, log });
      }
      return true;
    },
  };
}
