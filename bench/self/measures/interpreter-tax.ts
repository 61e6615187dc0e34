// The cost of interpreting a contract: server CPU per call, our server over one written by hand for the same contract.
import { join } from "node:path";
import { handWrittenStacks } from "../hand-written/hand-written.ts";
import type { Measure, MeasureOptions } from "../measure.ts";
import { rivalPlans } from "../rival-plans.ts";
import { rivalRatios } from "../rival-ratios.ts";
import { servedHere } from "../rivals.ts";
import { realContractAndService } from "../served.ts";

const file = join(import.meta.dirname, "..", "hand-written", "hand-written-process.ts");

/** The stacks that `--only` names; all without it. Throws an Error for a stack without a hand-written server. */
function chosenStacks({ only }: MeasureOptions): readonly string[] {
  const unknown = only.find((stack) => !handWrittenStacks.some((known) => known === stack));
  if (unknown !== undefined) throw new Error(`no hand-written server of ${unknown}: ${handWrittenStacks.join(", ")}`);
  return only.length === 0 ? handWrittenStacks : only;
}

/** XML is read into generic elements before their types are known. */
const atMostOf = new Map([["soap-node-http", 1.15]]);

export const measure: Measure = {
  name: "interpreter-tax",
  title: "server CPU per call, interpreting the contract over written by hand",
  rounds: 10,
  run: (options) =>
    rivalRatios(
      {
        stacks: chosenStacks(options),
        plans: rivalPlans,
        server: servedHere(realContractAndService.service),
        baseline: { file, service: realContractAndService.service },
        areAlike: true,
        atMost: (stack) => atMostOf.get(stack) ?? 1.05,
      },
      options,
    ),
};
