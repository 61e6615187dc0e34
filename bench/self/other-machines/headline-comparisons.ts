// Compares the headline of a run on another machine with that of a long quiet run.
import type { Analysis, Comparison } from "@roundtrip/analysis";
import type { Arm } from "@roundtrip/runs";

/** A comparison of a headline, with a name that is the same in every run. */
export interface HeadlineComparison {
  readonly name: string;
  readonly ratio: number;
  readonly isClear: boolean;
}

/** How the headline of a run compares with the reference. */
export interface HeadlineStanding {
  /** Comparisons with a relevant difference in the reference. */
  readonly expected: number;
  /** Those that the run does not report as different in the same direction. */
  readonly unclear: readonly string[];
  /** Comparisons of any size that the run reports as different in the other direction. */
  readonly wrong: readonly string[];
}

/** A difference of this factor in the reference is relevant. */
const factorThatMatters = 1.3;

/** Stacks at hello, and at the façade read of the fewest and the most attributes. */
function isHeadline({ kind }: Comparison, arm: Arm): boolean {
  if (kind !== "stack") return false;
  const { task, variant, factors } = arm;
  return (
    task === "hello" || (task === "read" && variant === "facade" && [1, 6].includes(Number(factors["attributes"])))
  );
}

export function headlineComparisons({
  arms,
  comparisons,
}: Pick<Analysis, "arms" | "comparisons">): readonly HeadlineComparison[] {
  const armOf = new Map(arms.map((arm) => [arm.id, arm]));
  return comparisons.flatMap((comparison) => {
    const { numeratorId, denominatorId, ratio, verdict } = comparison;
    const arm = armOf.get(numeratorId);
    if (arm === undefined || !isHeadline(comparison, arm)) return [];
    return [{ name: `${numeratorId} / ${denominatorId}`, ratio, isClear: verdict === "different" }];
  });
}

function isSame(one: number, other: number): boolean {
  return one > 1 === other > 1;
}

export function compareHeadlines(
  reference: readonly HeadlineComparison[],
  run: readonly HeadlineComparison[],
): HeadlineStanding {
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
