// What `roundtrip compare` does: two run directories beside each other, or two versions side by side in the same rounds, with a verdict.
import { CliError } from "../cli-error.ts";
import { compareRunDirectories, isRunDirectory } from "../compare/run-directories.ts";
import { compareSideBySide, type SideBySideFlags } from "../compare/side-by-side.ts";
import { comparisonFormat, showComparison } from "../compare/write-comparison.ts";
import { exitStatus } from "../exit-status.ts";
import { interruptible } from "../interruption.ts";

export interface CompareFlags extends SideBySideFlags {
  readonly format?: string;
  readonly strict: boolean;
}

/** Whether both are run directories. Throws a usage error where one is, and the other not. */
function areRunDirectories(paths: readonly string[]): boolean {
  const [base = "", head = ""] = paths;
  if (paths.length !== 2) return false;
  const [ofBase, ofHead] = [isRunDirectory(base), isRunDirectory(head)];
  if (ofBase === ofHead) return ofBase;
  const [run, other] = ofBase ? [base, head] : [head, base];
  throw new CliError("usage", `${run} is a run directory and ${other} is none: two of a kind are compared`);
}

function onFirst(): void {
  process.stderr.write("Stopping; what was measured is kept. Ctrl-C again stops at once.\n");
}

/** Runs the command. Rejects with an error that says what a user can do. */
export async function compare(base: string | undefined, head: string | undefined, flags: CompareFlags): Promise<void> {
  // What cannot be shown is told before it is measured.
  comparisonFormat(flags);
  const named = [base, head].filter((one) => one !== undefined);
  const [first, second] = named;
  if (first !== undefined && second !== undefined && areRunDirectories(named)) {
    await showComparison(await compareRunDirectories(first, second, flags), flags, flags.out);
    return;
  }
  const compared = await interruptible(onFirst, (signal) =>
    compareSideBySide(named, flags, signal).catch((thrown: unknown) => {
      if (signal.aborted) return undefined;
      throw thrown;
    }),
  );
  if (compared === undefined) {
    process.stderr.write("Nothing had been compared yet.\n");
    process.exitCode = exitStatus.interrupted;
    return;
  }
  const { comparison, directory, isInterrupted } = compared;
  await showComparison(comparison, flags, directory);
  if (isInterrupted) process.exitCode = exitStatus.interrupted;
  else if (comparison.verdict === "fail") process.exitCode = exitStatus.failed;
  else if (comparison.verdict === "inconclusive" && flags.strict) process.exitCode = exitStatus.inconclusive;
}
