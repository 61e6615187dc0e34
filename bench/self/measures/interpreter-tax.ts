// The cost of interpreting a contract: server CPU per call, our server over one written by hand for the same contract.
import { join } from "node:path";
import { handWrittenStacks } from "../hand-written/hand-written.ts";
import type { Measure, MeasureOptions } from "../measure.ts";
import { realContractAndService } from "../probe.ts";
import { rivalRatios } from "../rivals.ts";
import { processFile } from "@roundtrip/runner/parts";
import type { Plan } from "@roundtrip/runner";

const file = join(import.meta.dirname, "..", "hand-written", "hand-written-process.ts");

/** The stacks that `--only` names; all without it. Throws an Error for a stack without a hand-written server. */
function chosenStacks({ only }: MeasureOptions): readonly string[] {
  const unknown = only.find((stack) => !handWrittenStacks.some((known) => known === stack));
  if (unknown !== undefined) throw new Error(`no hand-written server of ${unknown}: ${handWrittenStacks.join(", ")}`);
  return only.length === 0 ? handWrittenStacks : only;
}

const attributes = ["id", "name", "address", "vatIdentificationNumber", "mail", "phoneNumber"];

function plan(operation: string, request: Plan["steps"][number]["request"]): Plan {
  return { order: "sequential", driver: "own", steps: [{ operation, request }] };
}

/** The smallest call, and one with a message of six attributes. */
const plans: Readonly<Record<string, Plan>> = {
  hello: plan("roundtrip.v1.HelloService.SayHello", { name: "World" }),
  "customer with six attributes": plan("roundtrip.v1.CustomerService.GetCustomer", {
    id: 1,
    readMask: attributes.join(","),
  }),
};

const { service } = realContractAndService;

export const measure: Measure = {
  name: "interpreter-tax",
  title: "server CPU per call, interpreting the contract over written by hand",
  rounds: 10,
  run: (options) =>
    rivalRatios(
      {
        stacks: chosenStacks(options),
        plans,
        server: { file: processFile("server"), service },
        baseline: { file, service },
        atMost: 1.05,
      },
      options,
    ),
};
