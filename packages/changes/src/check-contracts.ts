// Compares two contracts for callers of the earlier one: a row per change, with a judgement by each style that has a judge, and for generated code.
import type { Contract, Operation, OperationKind } from "@roundtrip/contract";
import type { Change } from "./diff/change.ts";
import { contractChanges, keyOf } from "./diff/contract-changes.ts";
import { operationPairs } from "./diff/operation-changes.ts";
import { ofGeneratedCode } from "./generated-code.ts";
import { type BreakingChanges, safe, type Judgement } from "./judgement.ts";
import { extension, generatedCode, judgeNames } from "./names.ts";
import { loadStyle, StyleError } from "@roundtrip/styles";

export interface StyleJudge extends BreakingChanges {
  readonly name: string;
  readonly title: string;
}

/** Loads a judge by its name. Rejects with a StyleError for an unknown one. */
export async function loadJudge(name: string): Promise<StyleJudge> {
  const known = judgeNames();
  if (!known.includes(name)) {
    throw new StyleError("unknown-style", `no style "${name}" judges contract changes (${known.join(", ")} do)`);
  }
  if (name === generatedCode) return { ...ofGeneratedCode, name, title: "Generated code" };
  const file = new URL(`./styles/${name}${extension}`, import.meta.url).href;
  const [{ breakingChanges }, { title }] = await Promise.all([
    import(file) as Promise<{ readonly breakingChanges: BreakingChanges }>,
    loadStyle(name),
  ]);
  return { ...breakingChanges, name, title };
}

/** A change with its judgements, by name of the judge. */
export interface CheckedChange {
  /** Such as `field-renamed`; `found-by-graphql` for what a style finds and no change explains. */
  readonly kind: Change["kind"] | `found-by-${string}`;
  readonly where: string;
  readonly what: string;
  readonly styles: Readonly<Record<string, Judgement>>;
}

/** The changes that callers of a style can see, by their keys: those of operations that it carries. */
function carriedBy(
  notCarried: readonly OperationKind[],
  before: Contract,
  after: Contract,
): ReadonlyMap<string, Change> {
  const isCarried = ({ kind }: Operation): boolean => !notCarried.includes(kind);
  const earlier = new Map(operationPairs(before, after).map(([older, newer]) => [newer, older]));
  const changes = contractChanges(
    { ...before, operations: before.operations.filter(isCarried) },
    { ...after, operations: after.operations.filter((operation) => isCarried(earlier.get(operation) ?? operation)) },
  );
  return new Map(changes.map((change) => [keyOf(change), change]));
}

/** By judge, the changes of what its style carries. Compares once for all styles that carry the same operations. */
function carriedByEach(
  judges: readonly StyleJudge[],
  before: Contract,
  after: Contract,
): ReadonlyMap<StyleJudge, ReadonlyMap<string, Change>> {
  const kinds = new Set([...before.operations, ...after.operations].map(({ kind }) => kind));
  const groups = Map.groupBy(judges, ({ notCarried }) => [...kinds].filter((kind) => notCarried.includes(kind)).join());
  return new Map(
    [...groups.values()].flatMap((group) => {
      const carried = carriedBy(group[0]?.notCarried ?? [], before, after);
      return group.map((judge) => [judge, carried] as const);
    }),
  );
}

/** Every change between two contracts, with each judge's judgement. */
export function checkContracts(
  before: Contract,
  after: Contract,
  judges: readonly StyleJudge[],
): readonly CheckedChange[] {
  const contracts = { before, after };
  const changes = contractChanges(before, after);
  const carried = carriedByEach(judges, before, after);
  const rows = changes.map((change): CheckedChange => {
    const { kind, where, what } = change;
    const styles = judges.map((judge): readonly [string, Judgement] => {
      const seen = carried.get(judge)?.get(keyOf(change));
      return [judge.name, seen === undefined ? safe(`${judge.title} does not carry it`) : judge.judge(seen, contracts)];
    });
    return { kind, where, what, styles: Object.fromEntries(styles) };
  });
  const others = judges.flatMap((finder) =>
    finder.leftOver(changes, contracts).map(({ where, what, judgement }): CheckedChange => {
      const styles = judges.map(({ name }) => [name, name === finder.name ? judgement : safe("not affected")]);
      return {
        kind: `found-by-${finder.name}`,
        where,
        what,
        styles: Object.fromEntries(styles) as Readonly<Record<string, Judgement>>,
      };
    }),
  );
  return [...rows, ...others];
}
