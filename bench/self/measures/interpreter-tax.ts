// The cost of interpreting a contract: server CPU per call, our server over one written by hand for the same contract.
import { join } from "node:path";
import { handWrittenStacks } from "../hand-written/hand-written.ts";
import type { Measure } from "../measure.ts";
import { rivalPlans } from "../rival-plans.ts";
import { rivalRatios } from "../rival-ratios.ts";
import { servedHere } from "../rivals.ts";
import { realContractAndService } from "../served.ts";

const file = join(import.meta.dirname, "..", "hand-written", "hand-written-process.ts");

export const measure: Measure = {
  name: "interpreter-tax",
  title: "server CPU per call, interpreting the contract over written by hand",
  rounds: 10,
  run: (options) =>
    rivalRatios(
      {
        stacks: handWrittenStacks,
        plans: rivalPlans,
        server: servedHere(realContractAndService.service),
        baseline: { file, service: realContractAndService.service },
        areAlike: true,
        atMost: 1.05,
      },
      options,
    ),
};
