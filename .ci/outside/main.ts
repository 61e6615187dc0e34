// `pnpm outside`: runs all or some third-party suites against servers started as users start them.
import {
  count,
  exitStatus,
  jsonOption,
  namesArgument,
  printJson,
  programNamed,
  run,
  seedOption,
  stackOption,
} from "../../bench/program.ts";
import { stackNames } from "../../packages/stacks/src/index.ts";
import { runSuite, type SuiteOutcome } from "./run-suite.ts";
import { loadSuite, suiteNames } from "./suite.ts";

interface Options {
  readonly stack?: readonly string[];
  readonly requests?: number;
  readonly seed?: number;
  readonly json?: true;
}

/** The default seed, so that deviations are the same in every run. */
const usualSeed = 2010;

async function runAll(given: readonly string[], options: Options): Promise<void> {
  const { requests, seed = usualSeed, json, stack: stacks = [] } = options;
  const say = (line: string): void => void (json === true ? process.stderr : process.stdout).write(`${line}\n`);
  const outcomes: SuiteOutcome[] = [];
  for (const name of given.length > 0 ? given : suiteNames()) {
    outcomes.push(await runSuite(name, await loadSuite(name), { seed, requests, stacks, say }));
  }
  if (json === true) printJson({ seed, stacks, suites: outcomes });
  if (outcomes.some(({ verdict }) => verdict === "failed")) process.exitCode = exitStatus.found;
}

await run(
  programNamed("outside", "Runs suites that nobody here wrote against the servers as a user starts them.")
    .addArgument(namesArgument("[name...]", "which suites; all unless named", suiteNames()))
    .addOption(stackOption(stackNames()))
    .option("--requests <n>", "what suites that make requests up send at least", count)
    .addOption(seedOption(String(usualSeed)))
    .addOption(jsonOption())
    .action(runAll),
);
