// What a run on another machine must get right: the comparisons behind its headline, held against those of a long quiet run.
import type { Analysis, Arm, Comparison } from "@roundtrip/analysis";

/** A comparison of a run's headline by what it compares, whichever run it is of. */
export interface Leading {
  readonly name: string;
  readonly ratio: number;
  /** Whether the run says that they differ. */
  readonly isClear: boolean;
}

/** How one run's headline stands against the reference. */
export interface HeadlineStanding {
  /** Comparisons that differ by the factor that matters in the reference. */
  readonly expected: number;
  /** Those of them that the run does not call different in the same direction. */
  readonly unclear: readonly string[];
  /** Those, of any size, that the run calls different in the other direction. */
  readonly wrong: readonly string[];
}

/** Differences of this factor in the reference have to be found. */
const factorThatMatters = 1.3;

/** Stacks at hello, and at the façade read of the fewest and the most attributes. */
function isLeading({ kind }: Comparison, arm: Arm): boolean {
  if (kind !== "stack") return false;
  const { task, variant, factors } = arm;
  return (
    task === "hello" || (task === "read" && variant === "facade" && [1, 6].includes(Number(factors["attributes"])))
  );
}

/** The leading comparisons of an analysed run. */
export function leadingOf({ arms, comparisons }: Pick<Analysis, "arms" | "comparisons">): readonly Leading[] {
  const armOf = new Map(arms.map((arm) => [arm.id, arm]));
  return comparisons.flatMap((comparison) => {
    const { numeratorId, denominatorId, ratio, verdict } = comparison;
    const arm = armOf.get(numeratorId);
    if (arm === undefined || !isLeading(comparison, arm)) return [];
    return [{ name: `${numeratorId} / ${denominatorId}`, ratio, isClear: verdict === "different" }];
  });
}

function isSame(one: number, other: number): boolean {
  return one > 1 === other > 1;
}

/** Holds a run against the reference. */
export function standingAgainst(reference: readonly Leading[], run: readonly Leading[]): HeadlineStanding {
  const found = new Map(run.map((one) => [one.name, one]));
  const expected = reference.filter(({ ratio }) => Math.max(ratio, 1 / ratio) >= factorThatMatters);
  const unclear = expected.filter(({ name, ratio }) => {
    const one = found.get(name);
    return one === undefined || !one.isClear || !isSame(one.ratio, ratio);
  });
  const wrong = reference.filter(({ name, ratio, isClear }) => {
    const one = found.get(name);
    return isClear && one?.isClear === true && !isSame(one.ratio, ratio);
  });
  return { expected: expected.length, unclear: unclear.map(({ name }) => name), wrong: wrong.map(({ name }) => name) };
}
