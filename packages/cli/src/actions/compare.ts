// The action of `roundtrip compare`: compares two run directories, or measures two versions in the same rounds and gives a verdict.
import { requireNoRevision } from "../basics/ambiguous-name.ts";
import { CliError, exitStatus } from "../basics/cli-error.ts";
import { compareRunDirectories, isRunDirectory } from "../compare/run-directories.ts";
import { compareSideBySide, type SideBySideFlags } from "../compare/side-by-side.ts";
import { comparisonFormat, showComparison } from "../compare/write-comparison.ts";
import { interruptible, reportStop } from "../basics/interruption.ts";
import { roundLimits } from "@roundtrip/analysis/gate";
import type { Command } from "commander";

export interface CompareFlags extends SideBySideFlags {
  readonly format?: string;
  readonly strict: boolean;
}

const nothingCompared = "Nothing had been compared yet.\n";

/** Whether both are run directories. Rejects with a usage error if only one is, or if one is also a commit, because either could be meant. */
async function areRunDirectories(names: readonly string[]): Promise<boolean> {
  const runs = names.filter(isRunDirectory);
  for (const name of runs) {
    // oxlint-disable-next-line no-await-in-loop
    await requireNoRevision(name, "run directory");
  }
  if (names.length !== 2 || runs.length !== 1) return runs.length === 2;
  const other = names.find((name) => !runs.includes(name)) ?? "";
  throw new CliError(
    "usage",
    `${runs.join("")} is a run directory and ${other} is not: give two run directories or two revisions`,
  );
}

/** The flags with where they come from: what is typed, or in the environment, wins over the configuration of a version. */
function knownFlags(flags: CompareFlags, command: Command): CompareFlags & SideBySideFlags {
  const isTyped = (name: "rounds" | "build" | "serve"): boolean =>
    ["cli", "env"].includes(command.getOptionValueSource(name) ?? "");
  const configured = (["build", "serve"] as const).filter((name) => flags[name] !== undefined && !isTyped(name));
  const { rounds, ...others } = flags;
  // In a configuration, rounds are those of `bench`.
  const typed = isTyped("rounds") ? rounds : undefined;
  const { least, most } = roundLimits;
  if (typed !== undefined && (typed < least || typed > most)) {
    const why = typed < least ? ": fewer decide nothing" : "";
    throw new CliError("usage", `--rounds must be from ${least} to ${most}, got ${typed}${why}`);
  }
  return { ...others, configured, ...(typed === undefined ? {} : { rounds: typed }) };
}

/** Runs the command. Rejects with an error that states what to do. */
export async function compare(
  base: string | undefined,
  head: string | undefined,
  given: CompareFlags,
  command: Command,
): Promise<void> {
  const flags = knownFlags(given, command);
  comparisonFormat(flags);
  const named = [base, head].filter((one) => one !== undefined);
  const [first, second] = named;
  if (first !== undefined && second !== undefined && (await areRunDirectories(named))) {
    await showComparison(await compareRunDirectories(first, second, flags), flags, flags.out);
    return;
  }
  let isMeasuring = false;
  const onMeasuring = (): void => void (isMeasuring = true);
  const onFirst = (): void => {
    if (isMeasuring) {
      reportStop();
      return;
    }
    // What prepares ends with the program.
    process.stderr.write(nothingCompared);
    process.exit(exitStatus.interrupted);
  };
  const compared = await interruptible(onFirst, (signal) =>
    compareSideBySide(named, flags, { signal, onMeasuring }).catch((thrown: unknown) => {
      if (signal.aborted) return undefined;
      throw thrown;
    }),
  );
  if (compared === undefined) {
    process.stderr.write(nothingCompared);
    process.exitCode = exitStatus.interrupted;
    return;
  }
  const { comparison, directory, isInterrupted } = compared;
  await showComparison(comparison, flags, directory);
  if (isInterrupted) process.exitCode = exitStatus.interrupted;
  else if (comparison.verdict === "fail") process.exitCode = exitStatus.failed;
  else if (comparison.verdict === "inconclusive" && flags.strict) process.exitCode = exitStatus.inconclusive;
}
