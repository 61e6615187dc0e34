// Claims about ratios: styles against the fastest, stacks within a style, settings against their default, variants against the façade, libraries.
import { comparableArms, type Cell } from "../comparison/leading-cell.ts";
import type { Comparison } from "../comparison/comparison.ts";
import { byStyle, pairsWithin, styleReferences } from "../comparison/stack-pairs.ts";
import type { Arm } from "@roundtrip/runs";
import { libraryPairs } from "../comparison/library-pairs.ts";
import { strengthOf, strengthOfClaim, type LibraryClaim, type RatioClaim, type Evidence } from "./claim.ts";

function claimOf(kind: RatioClaim["kind"], arm: Arm, comparison: Comparison): RatioClaim {
  const { ratio, low, high, basis, hodgesLehmann, rounds, numeratorId, denominatorId } = comparison;
  return {
    kind,
    study: arm.study,
    task: arm.task,
    strength: strengthOf(comparison),
    armIds: [numeratorId, denominatorId],
    ratio,
    low,
    high,
    basis,
    hodgesLehmann,
    rounds,
  };
}

function between(
  kind: RatioClaim["kind"],
  numerator: Arm,
  denominator: Arm,
  evidence: Evidence,
): readonly RatioClaim[] {
  const comparison = evidence.comparison(numerator.id, denominator.id);
  return comparison === undefined ? [] : [claimOf(kind, numerator, comparison)];
}

/** One stack of each style against the same call in process. */
export function ofLoopback(cell: Cell, { measured }: Evidence): readonly RatioClaim[] {
  return styleReferences(comparableArms(cell)).flatMap((arm) =>
    measured.comparisons
      .filter(({ kind, numeratorId }) => kind === "in-process" && numeratorId === arm.id)
      .map((row) => claimOf("in-process", arm, row)),
  );
}

export function ofMemory(study: string, { measured: { arms, memory } }: Evidence): readonly RatioClaim[] {
  return memory.flatMap((row) =>
    arms.filter((arm) => arm.id === row.numeratorId && arm.study === study).map((arm) => claimOf("memory", arm, row)),
  );
}

/** The arms with a latency, by their means, fastest first. */
export function ranked(arms: readonly Arm[], evidence: Evidence): readonly Arm[] {
  return arms
    .flatMap((arm) => {
      const latency = evidence.summary(arm.id, "latencyMs");
      return latency === undefined ? [] : [{ arm, mean: latency.mean }];
    })
    .toSorted((one, other) => one.mean - other.mean)
    .map(({ arm }) => arm);
}

/** The fastest style of a cell by its first stack; the first style where the fastest was not compared with all others, as in imported samples. */
function referenceOf(arms: readonly Arm[], evidence: Evidence): Arm | undefined {
  const order = ranked(arms, evidence);
  const isCompared = (arm: Arm): boolean =>
    order.every((other) => other === arm || evidence.comparison(other.id, arm.id) !== undefined);
  return order.find((arm) => isCompared(arm)) ?? order[0];
}

/** Each other style against the fastest, by the first stack of each; then the other servers and clients of each style. */
export function ofStacks(cell: Cell, evidence: Evidence): readonly RatioClaim[] {
  const compared = comparableArms(cell);
  const styles = styleReferences(compared);
  const reference = referenceOf(styles, evidence);
  return [
    ...ranked(styles, evidence).flatMap((arm) =>
      reference === undefined || arm === reference ? [] : between("style", arm, reference, evidence),
    ),
    ...byStyle(compared).flatMap((ofStyle) =>
      pairsWithin(ofStyle).flatMap(([base, arm]) => between("stack", arm, base, evidence)),
    ),
  ];
}

export function ofSettings({ arms }: Cell, evidence: Evidence): readonly RatioClaim[] {
  return arms.flatMap((base) =>
    evidence.measured.arms.flatMap((level) =>
      evidence.comparison(level.id, base.id)?.kind === "setting" ? between("setting", level, base, evidence) : [],
    ),
  );
}

/** What the façade saves: every other variant of a task against one call, at its most attributes. */
export function ofVariants({ arms }: Cell, evidence: Evidence): readonly RatioClaim[] {
  return arms.flatMap((arm) =>
    evidence.measured.comparisons
      .filter(({ kind, numeratorId }) => kind === "variant" && numeratorId === arm.id)
      .map((comparison) => claimOf("variant", arm, comparison)),
  );
}

/** For a task with several libraries of a style: the largest difference of each choice. */
export function ofLibraries(study: string, task: string, { measured }: Evidence): readonly LibraryClaim[] {
  const rows = libraryPairs(measured, study, task).filter(({ isOfBound }) => !isOfBound);
  if (rows.every(({ choice }) => choice === "style")) return [];
  return (["server", "client", "style"] as const).flatMap((choice): readonly LibraryClaim[] => {
    const [largest] = rows.filter((row) => row.choice === choice).toSorted((left, right) => right.ratio - left.ratio);
    if (largest === undefined) return [];
    const { numeratorId, denominatorId, isOfBound: _, ...row } = largest;
    const strength = row.low !== null && row.low > 1 ? strengthOfClaim(row) : "open";
    return [{ kind: "library", study, task, strength, armIds: [numeratorId, denominatorId], ...row }];
  });
}
