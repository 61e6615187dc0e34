// Compares two contracts for callers that were built with the first: one row for each change, with what every style says of it.
import type { Contract } from "@roundtrip/contract";
import type { Change } from "./change.ts";
import { carriedBy } from "./carried.ts";
import { contractChanges, keyOf } from "./changes/contract-changes.ts";
import { renamedPackages, type PackageRenaming, type RenamedPackages } from "./changes/renamed-packages.ts";
import { breaks, mayBreak, safe, styleTitles, type CheckStyle, type Judgement } from "./judgement.ts";
import { judgeCode } from "./judges/code.ts";
import { judgeGraphql } from "./judges/graphql.ts";
import { judgeGrpc } from "./judges/grpc.ts";
import { judgeRest } from "./judges/rest.ts";
import { bufBreaking } from "./tools/buf-breaking.ts";
import { isOfCode, isOfWire } from "./tools/buf-finding.ts";
import type { Finding } from "./tools/finding.ts";
import { graphqlBreaking, isBreaking } from "./tools/graphql-breaking.ts";

/** A change with its judgements, in the order of the styles asked for. */
export interface CheckedChange {
  /** Such as `field-renamed`; `found-by-buf` or `found-by-graphql` for what a tool found and no change of ours explains. */
  readonly kind: Change["kind"] | "found-by-buf" | "found-by-graphql";
  readonly where: string;
  readonly what: string;
  readonly styles: Readonly<Partial<Record<CheckStyle, Judgement>>>;
  /** What it follows from; undefined for a change of its own. */
  readonly renaming: PackageRenaming | undefined;
}

type Judge = (change: Change, findings: readonly Finding[]) => Judgement;

const judges: Readonly<Record<CheckStyle, Judge>> = {
  grpc: judgeGrpc,
  rest: judgeRest,
  graphql: judgeGraphql,
  code: judgeCode,
};

/** Rules of buf that speak of the same as changes of other names: those are told of each operation and type. */
const toldOtherwise: ReadonlySet<string> = new Set([
  "FILE_SAME_PACKAGE",
  "PACKAGE_SERVICE_NO_DELETE",
  "SERVICE_NO_DELETE",
]);

/** Rules of graphql-js that follow from others: a type goes when each field of that type went or changed, which is told of the field. */
const followsFromOthers: ReadonlySet<string> = new Set(["TYPE_REMOVED", "TYPE_REMOVED_FROM_UNION"]);

/** What one style says of a finding; the others are not touched by it. */
interface LeftJudgement {
  readonly kind: CheckedChange["kind"];
  readonly judged: CheckStyle;
  readonly judgement: Judgement;
}

function leftRow(
  { rule, where, text }: Finding,
  styles: readonly CheckStyle[],
  { kind, judged, judgement }: LeftJudgement,
): CheckedChange {
  const entries = styles.map((style) => [style, style === judged ? judgement : safe("not touched")] as const);
  const what = `${text} (${rule})`;
  return { kind, where, what, styles: Object.fromEntries(entries), renaming: undefined };
}

const goneFile = /^Previously present file "([^"]+)" was deleted/;

/** A file that went because its package has another name. */
function renamingOf({ rule, text }: Finding, renamed: RenamedPackages): PackageRenaming | undefined {
  const [, name] = goneFile.exec(text) ?? [];
  return rule === "FILE_NO_DELETE" && name !== undefined ? renamed.ofFile(name) : undefined;
}

interface Found {
  readonly wire: readonly Finding[];
  readonly code: readonly Finding[];
  readonly graphql: readonly Finding[];
}

/** What tools found that belongs to none of the changes: nothing that a tool says is lost. */
function leftRows(
  changes: readonly Change[],
  found: Found,
  styles: readonly CheckStyle[],
  renamed: RenamedPackages,
): readonly CheckedChange[] {
  const isLeft = (finding: Finding): boolean => !changes.some((change) => finding.isAbout(change));
  const wire = found.wire.filter((finding) => isLeft(finding) && !toldOtherwise.has(finding.rule));
  const code = found.code.filter(
    (finding) => isLeft(finding) && !isOfWire(finding) && !toldOtherwise.has(finding.rule),
  );
  const graphql = found.graphql.filter((finding) => isLeft(finding) && !followsFromOthers.has(finding.rule));
  return [
    ...wire.map((finding) => {
      const judgement = mayBreak(finding.text);
      return leftRow(finding, styles, { kind: "found-by-buf", judged: "grpc", judgement });
    }),
    ...code.map((finding) => {
      const judgement = breaks(finding.text);
      const row = leftRow(finding, styles, { kind: "found-by-buf", judged: "code", judgement });
      return { ...row, renaming: renamingOf(finding, renamed) };
    }),
    ...graphql.map((finding) => {
      const judgement = (isBreaking(finding) ? breaks : mayBreak)(finding.text);
      return leftRow(finding, styles, { kind: "found-by-graphql", judged: "graphql", judgement });
    }),
  ].filter(({ styles: judged }) => Object.values(judged).some(({ verdict }) => verdict !== "safe"));
}

/** Every change from one contract to another, judged by each of the styles. Rejects with a CliError when buf cannot be run. */
export async function checkContracts(
  before: Contract,
  after: Contract,
  styles: readonly CheckStyle[],
): Promise<readonly CheckedChange[]> {
  const asksBuf = styles.includes("grpc") || styles.includes("code");
  const [bufs, graphql] = await Promise.all([
    asksBuf ? bufBreaking(before, after) : [],
    styles.includes("graphql") ? graphqlBreaking(before, after) : [],
  ]);
  const wire = styles.includes("grpc") ? bufs.filter((finding) => isOfWire(finding)) : [];
  const code = styles.includes("code") ? bufs.filter((finding) => isOfCode(finding)) : [];
  const findingsOf = { grpc: wire, rest: [], graphql, code };
  const changes = contractChanges(before, after);
  const renamed = renamedPackages(changes, before, after);
  const changesOn = new Map(
    styles.map((style) => {
      const seen = contractChanges(...carriedBy(style, before, after));
      return [style, new Map(seen.map((change) => [keyOf(change), change]))] as const;
    }),
  );
  const judge = (change: Change, style: CheckStyle): Judgement => {
    const seen = changesOn.get(style)?.get(keyOf(change));
    if (seen === undefined) return safe(`${styleTitles[style]} does not carry it`);
    const about = findingsOf[style].filter((finding) => finding.isAbout(seen));
    return judges[style](seen, about);
  };
  return [
    ...changes.map((change) => ({
      kind: change.kind,
      where: change.where,
      what: change.what,
      styles: Object.fromEntries(styles.map((style) => [style, judge(change, style)])),
      renaming: renamed.of(change),
    })),
    ...leftRows(changes, { wire, code, graphql }, styles, renamed),
  ];
}
