// The action of `roundtrip check`: compares the contract with an earlier one, and reports breaking changes for each style.
import { checkContracts, loadJudge } from "@roundtrip/changes";
import { judgeNames } from "@roundtrip/changes/names";
import { existsSync } from "node:fs";
import { allStacks, defaultStyleNames } from "@roundtrip/stacks/names";
import { CliError, exitStatus } from "../basics/cli-error.ts";
import { parentCommit } from "../basics/git.ts";
import { readAllowList } from "../check/allow-list.ts";
import { checkReport, type CheckReport } from "../check/check-report.ts";
import { contractBefore } from "../check/contract-before.ts";
import { renderMarkdown, renderText, type StyleTitles } from "../check/render-check.ts";
import { stacksNamed, type StackFlags } from "../stacks/selected-stacks.ts";
import { loadContractFrom, type ContractFlags, type LoadedContract } from "../contract/contract-source.ts";

interface CheckFlags extends ContractFlags, StackFlags {
  readonly against?: string;
  readonly allow?: string;
  readonly format: string;
  readonly json: boolean;
}

const usualFolder = "proto";

function chosenStyles(names: readonly string[] | undefined): readonly string[] {
  const known = judgeNames();
  if (names === undefined) return defaultStyleNames().filter((style) => known.includes(style));
  const asked = names.flatMap((name) =>
    known.includes(name) ? [name] : stacksNamed(name, allStacks()).map(({ style }) => style),
  );
  const styles = known.filter((style) => asked.includes(style));
  if (styles.length > 0) return styles;
  throw new CliError("usage", `--stack ${names.join(",")}: changes are judged for ${known.join(", ")}`);
}

async function contractAfter(paths: readonly string[] | undefined): Promise<LoadedContract> {
  try {
    return await loadContractFrom(paths);
  } catch (thrown) {
    if (!(thrown instanceof CliError)) throw thrown;
    throw new CliError(thrown.code, `after (--contract): ${thrown.message}`, { cause: thrown });
  }
}

function rendered(report: CheckReport, titles: StyleTitles, { json, format }: CheckFlags): string {
  if (json || format === "json") return `${JSON.stringify(report, null, 2)}\n`;
  return (format === "markdown" ? renderMarkdown : renderText)(report, titles);
}

export async function check(flags: CheckFlags): Promise<void> {
  const { against = parentCommit } = flags;
  const styles = chosenStyles(flags.stack);
  const allowed = flags.allow === undefined ? [] : await readAllowList(flags.allow);
  const paths = flags.contract ?? (existsSync(usualFolder) ? [usualFolder] : undefined);
  await using after = await contractAfter(paths);
  const before = await contractBefore(against, paths);
  const judges = await Promise.all(styles.map(loadJudge));
  const report = checkReport(against, styles, checkContracts(before, after.contract, judges), allowed);
  const titles = new Map(judges.map(({ name, title }) => [name, title]));
  process.stdout.write(rendered(report, titles, flags));
  for (const entry of report.unused) {
    process.stderr.write(`roundtrip: ${flags.allow}: entry ${entry} matches no breaking change; remove it\n`);
  }
  if (Object.values(report.breaking).some((count) => count > 0)) process.exitCode = exitStatus.failed;
}
