// Runs one suite against its own servers. Prints a line per deviation and finally `NAME: N of M`, and returns the outcome.
import { temporaryFolder } from "../../packages/runner/src/lifetime/ends-with-us.ts";
import { allStacks } from "../../packages/stacks/src/index.ts";
import { allowancesOn, judge } from "./judge.ts";
import { servedStacks } from "./served-stacks.ts";
import type { SuiteEnvironment, Suite, SuiteResult } from "./suite.ts";
import { isRequired, missingTools } from "./tools.ts";

/** The outcome of a suite. Without a run, the figures are missing. */
export interface SuiteOutcome extends Partial<SuiteResult> {
  readonly name: string;
  readonly about: string;
  /** The stacks whose servers the suite tests. */
  readonly stacks: readonly string[];
  readonly verdict: "passed" | "failed" | "skipped";
  readonly seconds: number;
  readonly allowed: number;
}

export interface RunSuiteOptions extends Pick<SuiteEnvironment, "seed" | "requests"> {
  /** Stacks to serve instead of the default one of their style. */
  readonly stacks: readonly string[];
  readonly say: (line: string) => void;
}

function stackFor(style: string, asked: readonly string[]): string {
  const ofStyle = allStacks().filter((one) => one.style === style);
  const found = ofStyle.find(({ name }) => asked.includes(name)) ?? ofStyle.find(({ isDefault }) => isDefault);
  if (found === undefined) throw new Error(`there is no stack of ${style}`);
  return found.name;
}

async function resultOf(suite: Suite, { seed, requests, stacks }: RunSuiteOptions): Promise<SuiteResult> {
  using directory = temporaryFolder("outside");
  const stack = (style: string): string => stackFor(style, stacks);
  const { url, close } = await servedStacks(suite.styles.map(stack));
  try {
    return await suite.run({ seed, requests, directory: directory.path, stack, url: (style) => url(stack(style)) });
  } finally {
    await close();
  }
}

/** Runs a suite. A missing tool skips it; in continuous integration that is a failure, unless it may be missing there. */
export async function runSuite(name: string, suite: Suite, options: RunSuiteOptions): Promise<SuiteOutcome> {
  const print = (label: string, text: string): void => options.say(`${name}: ${label.padEnd(9)} ${text}`);
  const start = performance.now();
  const stacks = suite.styles.map((style) => stackFor(style, options.stacks));
  const allowances = allowancesOn(stacks, suite.allowed);
  const outcome = (verdict: SuiteOutcome["verdict"], result: Partial<SuiteResult>): SuiteOutcome => ({
    name,
    about: suite.about,
    stacks,
    verdict,
    seconds: (performance.now() - start) / 1000,
    allowed: allowances.length,
    ...result,
  });

  const missing = suite.tools.flatMap((tool) => missingTools([tool]).map((what) => ({ tool, what })));
  if (missing.length > 0) {
    const failing = missing.filter(({ tool }) => process.env["CI"] !== undefined && isRequired(tool));
    for (const one of missing) print(failing.includes(one) ? "FAILED" : "skipped", one.what);
    return outcome(failing.length > 0 ? "failed" : "skipped", {});
  }
  try {
    const result = await resultOf(suite, options);
    if (suite.size !== undefined && result.checked !== suite.size) {
      throw new Error(`it checked ${result.checked} ${result.unit} where there are ${suite.size}`);
    }
    const { faults, allowed, obsolete } = judge(result.findings, allowances);
    for (const { id, kinds, reason } of allowed) {
      if (kinds > 0) print("allowed", `${id}${kinds > 1 ? ` (${kinds} kinds)` : ""}: ${reason}`);
    }
    for (const { id, text } of faults) print("FAILED", `${id}: ${text}`);
    for (const { id } of obsolete) print("FAILED", `${id} is allowed, and no longer occurs: take it off the list`);
    options.say(`${name}: ${result.passed} of ${result.checked}`);
    return outcome(faults.length + obsolete.length > 0 ? "failed" : "passed", result);
  } catch (thrown) {
    print("FAILED", thrown instanceof Error ? thrown.message : String(thrown));
    return outcome("failed", {});
  }
}
