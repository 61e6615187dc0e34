// The action of `roundtrip compare`: compares two run directories, or measures two versions in the same rounds and gives a verdict.
import { CliError, exitStatus } from "../basics/cli-error.ts";
import { requireNoRevision } from "../basics/git.ts";
import { compareRunDirectories, isRunDirectory } from "../compare/run-directories.ts";
import { compareSideBySide, type SideBySideFlags } from "../compare/side-by-side.ts";
import { comparisonFormat, showComparison } from "../compare/write-comparison.ts";
import { typedVersions, type TypedVersions } from "../compare/versions.ts";
import { servesFake } from "../targets/served-command.ts";
import { interruptible, reportStop } from "../basics/interruption.ts";
import { roundLimits } from "@roundtrip/analysis/gate";
import type { Command } from "commander";

export interface CompareFlags extends SideBySideFlags {
  readonly format?: string;
  readonly strict: boolean;
}

const nothingCompared = "Nothing had been compared yet.\n";

/** Whether both are run directories. Rejects with a usage error if only one is, or if one is also a commit, because either could be meant. */
async function areRunDirectories({ base, head }: TypedVersions & { readonly kind: "names" }): Promise<boolean> {
  const runs = [base, head].filter(isRunDirectory);
  for (const name of runs) {
    // oxlint-disable-next-line no-await-in-loop
    await requireNoRevision(name, "run directory");
  }
  if (runs.length !== 1) return runs.length === 2;
  const other = runs[0] === base ? head : base;
  throw new CliError(
    "usage",
    `${runs.join("")} is a run directory and ${other} is not: give two run directories or two revisions`,
  );
}

/** The flags with their origin: what is typed, or in the environment, wins over a version's configuration, of which only its kind's apply. */
function knownFlags(flags: CompareFlags, { kind }: TypedVersions, command: Command): CompareFlags & SideBySideFlags {
  const isFrom = (name: keyof CompareFlags, ...from: readonly string[]): boolean =>
    from.includes(command.getOptionValueSource(name) ?? "");
  const isTyped = (name: keyof CompareFlags): boolean => isFrom(name, "cli", "env");
  const idle: readonly (keyof CompareFlags)[] =
    kind === "targets" ? ["build", "serve", "stack"] : kind === "commands" ? ["build", "serve"] : [];
  const isFake = isFrom("serve", "cli") && servesFake(flags.serve);
  const dropped = [...idle, ...(isFake ? (["build"] as const) : [])].filter((name) => !isFrom(name, "cli"));
  const known = Object.fromEntries(
    Object.entries(flags).filter(([name]) => !dropped.some((one) => one === name)),
  ) as unknown as CompareFlags;
  const configured = (["build", "serve"] as const).filter((name) => known[name] !== undefined && !isTyped(name));
  const { rounds, ...others } = known;
  // In a configuration, rounds are those of `bench`.
  const typed = isTyped("rounds") ? rounds : undefined;
  const { least, most } = roundLimits;
  if (typed !== undefined && (typed < least || typed > most)) {
    const why = typed < least ? ": fewer decide nothing" : "";
    throw new CliError("usage", `--rounds must be from ${least} to ${most}, got ${typed}${why}`);
  }
  return { ...others, configured, ...(typed === undefined ? {} : { rounds: typed }) };
}

export async function compare(
  base: string | undefined,
  head: string | undefined,
  typed: CompareFlags,
  command: Command,
): Promise<void> {
  const versions = typedVersions(base, head);
  const flags = knownFlags(typed, versions, command);
  comparisonFormat(flags);
  if (versions.kind === "names" && (await areRunDirectories(versions))) {
    await showComparison(await compareRunDirectories(versions.base, versions.head, flags), flags, flags.out);
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
    compareSideBySide(versions, flags, { signal, onMeasuring }).catch((thrown: unknown) => {
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
