// A real but short run by k6: two variants of hello over two stacks, one caller and Poisson arrivals.
import { poisson, type MeasureOptions } from "@roundtrip/runner";
import { shortRun, shortStudies, single } from "../../../runner/test/support/short-run.ts";
import { k6Engine } from "../../src/engine/k6-engine.ts";
import { contractImage } from "../../src/plan/contract-image.ts";
import { k6Here } from "./script-runs.ts";

const common = { takesFirstCalls: false, onFloor: false };
const load = { pacer: poisson({ rateHz: 200 }) };
const arrivals = { name: "arrivals", variants: { single }, load, callers: 8, tasksPerRound: 40, tasksPerBlock: 40 };

export async function shortK6Run(
  instances: number,
  changes: Parameters<typeof shortRun>[0] = {},
): Promise<MeasureOptions> {
  if (k6Here === undefined) throw new Error("there is no k6");
  return shortRun({
    studies: shortStudies(common, { ...common, ...arrivals }),
    stackNames: ["rest-express", "grpc-js"],
    serviceDefaults: {},
    rounds: 1,
    budgetMs: 120_000,
    command: "roundtrip bench short --engine k6",
    engine: k6Engine({ k6: k6Here, instances, image: contractImage({ kind: "built-in" }) }),
    ...changes,
  });
}
