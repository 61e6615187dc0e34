// The cost of interpreting a contract: server CPU per call, our server over one written by hand for the same contract, by the gate's own comparison.
import type { ComparedCell, VersionComparison } from "@roundtrip/analysis";
import { temporaryFolder } from "@roundtrip/runner/lifetime";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { documentRatios } from "../document-ratios.ts";
import { handWrittenStacks } from "../hand-written/serve.ts";
import type { Figure, Measure, MeasureOptions } from "../measure.ts";

const root = join(import.meta.dirname, "../../..");
const roundtrip = "packages/cli/bin/roundtrip.js";

/** The stacks that `--only` names; all without it. Throws an Error for a stack without a hand-written server. */
function chosenStacks({ only }: MeasureOptions): readonly string[] {
  const unknown = only.find((stack) => !handWrittenStacks.some((known) => known === stack));
  if (unknown !== undefined) throw new Error(`no hand-written server of ${unknown}: ${handWrittenStacks.join(", ")}`);
  return only.length === 0 ? handWrittenStacks : only;
}

function comparedCells(stack: string, { rounds, seed }: MeasureOptions): readonly ComparedCell[] {
  using folder = temporaryFolder("interpreter-tax");
  const handWritten = `cmd=${process.execPath} bench/self/hand-written/serve.ts ${stack} {port}`;
  const flags = {
    "--stack": stack,
    // Compiling code is no part of the tax.
    "--warm-up": "10s",
    "--metric": "serverCpuMsPerTask",
    "--tolerate": "4%",
    "--detect": "5%",
    "--rounds": String(rounds),
    "--seed": String(seed),
    "--out": join(folder.path, "run"),
  };
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      roundtrip,
      "compare",
      handWritten,
      `${handWritten} interpreted`,
      ...Object.entries(flags).flat(),
      "--quiet",
      "--json",
    ],
    { cwd: root, encoding: "utf8", maxBuffer: 2 ** 28 },
  );
  // 1 is a verdict: the tax is too high.
  if (status !== 0 && status !== 1) throw new Error(`${stack}: compare ended with ${status}: ${stderr}`);
  return (JSON.parse(stdout) as VersionComparison).cells;
}

/** The stack with a hand-written server of edges. */
const linkedStack = "graphql-apollo";

async function run(options: MeasureOptions): Promise<readonly Figure[]> {
  const stacks = chosenStacks(options);
  const calls = stacks.flatMap((stack): readonly Figure[] => {
    options.onProgress(stack);
    return comparedCells(stack, options).map(({ task, stack: name, ratio, low, high }) => ({
      of: `${name}, ${task}`,
      value: ratio,
      interval: low === null || high === null ? null : { low, high },
      unit: "×",
      atMost: 1.05,
    }));
  });
  const documents = stacks.includes(linkedStack) ? await documentRatios(linkedStack, options) : [];
  return [...calls, ...documents];
}

export const measure: Measure = {
  name: "interpreter-tax",
  title: "server CPU per call, and a document over edges, interpreting the contract over written by hand",
  rounds: 30,
  run,
};
