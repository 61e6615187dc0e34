// What `roundtrip check` does: holds the contract against what it was, and says for each style what that breaks.
import { existsSync } from "node:fs";
import { CliError } from "../basics/cli-error.ts";
import { readAllowList } from "../check/allow-list.ts";
import { checkContracts } from "../check/check-contracts.ts";
import { checkReport, type CheckReport } from "../check/check-report.ts";
import { contractBefore } from "../check/contract-before.ts";
import { checkStyles, type CheckStyle } from "../check/judgement.ts";
import { renderMarkdown } from "../check/render-markdown.ts";
import { renderText } from "../check/render-text.ts";
import { loadContractFrom, type ContractFlags, type LoadedContract } from "../contract/contract-source.ts";
import { exitStatus } from "../basics/exit-status.ts";
import { requireKnown } from "../basics/require-known.ts";

interface CheckFlags extends ContractFlags {
  readonly against?: string;
  readonly style?: readonly string[];
  readonly allow?: string;
  readonly markdown: boolean;
  readonly json: boolean;
}

/** Styles that are judged unless others are named: those that callers who run already can meet. */
const usualStyles = ["grpc", "rest", "graphql"] as const satisfies readonly CheckStyle[];

/** Where projects keep their contract, this one too. */
const usualFolder = "proto";

function chosenStyles(names: readonly string[] | undefined): readonly CheckStyle[] {
  if (names === undefined) return usualStyles;
  for (const name of names) requireKnown("style", name, checkStyles);
  return checkStyles.filter((style) => names.includes(style));
}

async function contractAfter(path: string | undefined, flags: ContractFlags): Promise<LoadedContract> {
  try {
    return await loadContractFrom(path, flags);
  } catch (thrown) {
    if (!(thrown instanceof CliError)) throw thrown;
    throw new CliError(thrown.code, `after (--contract): ${thrown.message}`, { cause: thrown });
  }
}

function rendered(report: CheckReport, { json, markdown }: CheckFlags): string {
  if (json) return `${JSON.stringify(report, null, 2)}\n`;
  return markdown ? renderMarkdown(report) : renderText(report);
}

/** Runs the command. Rejects with an error that says what a user can do. */
export async function check(flags: CheckFlags): Promise<void> {
  const { against } = flags;
  if (against === undefined) {
    throw new CliError(
      "usage",
      "say with --against what to compare with: a git revision, a folder or a descriptor set",
    );
  }
  if (flags.json && flags.markdown)
    throw new CliError("usage", "--json and --markdown are two forms of one report: give one");
  const styles = chosenStyles(flags.style);
  const allowed = flags.allow === undefined ? [] : await readAllowList(flags.allow);
  const path = flags.contract ?? (existsSync(usualFolder) ? usualFolder : undefined);
  await using after = await contractAfter(path, flags);
  const before = await contractBefore(against, path, flags);
  const report = checkReport(against, styles, await checkContracts(before, after.contract, styles), allowed);
  process.stdout.write(rendered(report, flags));
  for (const entry of report.unused) {
    process.stderr.write(`roundtrip: ${flags.allow}: entry ${entry} allows nothing that breaks; remove it\n`);
  }
  if (Object.values(report.breaking).some((count) => count > 0)) process.exitCode = exitStatus.failed;
}
