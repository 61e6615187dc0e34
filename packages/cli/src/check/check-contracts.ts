// Compares two contracts for callers of the earlier one: a row per change, with a judgement per style.
import type { Contract, Operation } from "@roundtrip/contract";
import {
  contractChanges,
  keyOf,
  operationPairs,
  renamedPackages,
  type Change,
  type PackageRenaming,
  type RenamedPackages,
} from "@roundtrip/contract/changes";
import { safe, type ComparedContracts, type Judgement, type ToolFinding } from "@roundtrip/styles";
import type { StyleJudge } from "./judges.ts";
import { bufBreaking } from "./tools/buf-breaking.ts";

/** A change with its judgements, by name of the judge. */
export interface CheckedChange {
  /** Such as `field-renamed`; `found-by-buf` or `found-by-graphql` for a tool's finding that no change explains. */
  readonly kind: Change["kind"] | `found-by-${ToolFinding["tool"]}`;
  readonly where: string;
  readonly what: string;
  readonly styles: Readonly<Record<string, Judgement>>;
  /** The renaming that causes it; undefined for an independent change. */
  readonly renaming: PackageRenaming | undefined;
}

interface Judging {
  readonly judge: StyleJudge;
  readonly findings: readonly ToolFinding[];
  readonly carried: ReadonlyMap<string, Change>;
}

/** The operations that earlier callers of a style can call, as they are before and after, and new ones that it carries. */
function carriedBy({ notCarried }: StyleJudge, before: Contract, after: Contract): readonly [Contract, Contract] {
  const isCarried = ({ kind }: Operation): boolean => !notCarried.includes(kind);
  const earlier = new Map(operationPairs(before, after).map(([older, newer]) => [newer, older]));
  return [
    { ...before, operations: before.operations.filter(isCarried) },
    { ...after, operations: after.operations.filter((operation) => isCarried(earlier.get(operation) ?? operation)) },
  ];
}

async function judgingsOf(
  before: Contract,
  after: Contract,
  judges: readonly StyleJudge[],
): Promise<readonly Judging[]> {
  const buf = judges.some(({ usesBuf }) => usesBuf) ? await bufBreaking(before, after) : [];
  return Promise.all(
    judges.map(async (judge) => ({
      judge,
      findings: await judge.findings({ before, after }, judge.usesBuf ? buf : []),
      carried: new Map(
        contractChanges(...carriedBy(judge, before, after)).map((change) => [keyOf(change), change] as const),
      ),
    })),
  );
}

function judgementOf(change: Change, { judge, findings, carried }: Judging, contracts: ComparedContracts): Judgement {
  const seen = carried.get(keyOf(change));
  if (seen === undefined) return safe(`${judge.title} does not carry it`);
  return judge.judge(
    seen,
    findings.filter((finding) => finding.isAbout(seen)),
    contracts,
  );
}

const removedFile = /^Previously present file "([^"]+)" was deleted/;

function renamingOf({ rule, text }: ToolFinding, renamed: RenamedPackages): PackageRenaming | undefined {
  const [, name] = removedFile.exec(text) ?? [];
  return rule === "FILE_NO_DELETE" && name !== undefined ? renamed.ofFile(name) : undefined;
}

/** A row for each finding of one judge that no change explains. Other judges rate it safe. */
function unexplained(
  { judge, findings }: Judging,
  changes: readonly Change[],
  judgings: readonly Judging[],
  renamed: RenamedPackages,
): readonly CheckedChange[] {
  const left = findings.filter((finding) => !finding.isDerived && !changes.some((change) => finding.isAbout(change)));
  return left.flatMap((finding) => {
    const judgement = judge.judgeFinding(finding);
    if (judgement.verdict === "safe") return [];
    return {
      kind: `found-by-${finding.tool}` as const,
      where: finding.where,
      what: `${finding.text} (${finding.rule})`,
      styles: Object.fromEntries(
        judgings.map(({ judge: { name } }) => [name, name === judge.name ? judgement : safe("not affected")]),
      ),
      renaming: renamingOf(finding, renamed),
    };
  });
}

/** Every change between two contracts, with each judge's judgement. Rejects with a CliError if buf cannot run. */
export async function checkContracts(
  before: Contract,
  after: Contract,
  judges: readonly StyleJudge[],
): Promise<readonly CheckedChange[]> {
  const judgings = await judgingsOf(before, after, judges);
  const changes = contractChanges(before, after);
  const renamed = renamedPackages(changes, before, after);
  const rows = changes.map((change): CheckedChange => {
    const { kind, where, what } = change;
    const styles = judgings.map(
      (judging) => [judging.judge.name, judgementOf(change, judging, { before, after })] as const,
    );
    return { kind, where, what, styles: Object.fromEntries(styles), renaming: renamed.of(change) };
  });
  return [...rows, ...judgings.flatMap((judging) => unexplained(judging, changes, judgings, renamed))];
}
