// How much the choice of a library changes, and how much the choice of a style.
import { isBound } from "../comparison/stack-pairs.ts";
import type { EffectRatio, LibraryChoice, LibraryEffects } from "../libraries/library-effects.ts";
import type { Arm } from "@roundtrip/runs";
import { strengthOfClaim, type LibraryClaim } from "./claim.ts";
import type { Evidence } from "./evidence.ts";

/** Whether nobody can choose one of the two: a bound is no library. */
function isOfBound({ choice, style, numerator, denominator }: EffectRatio, arms: readonly Arm[]): boolean {
  return choice !== "style" && [numerator, denominator].some((name) => isBound(arms, style, choice, name));
}

/** Styles without server libraries where possible: the mean over a style's libraries depends on which were measured. */
function ratiosOfStyles({ ratios, bounds, inseparable }: LibraryEffects, arms: readonly Arm[]): readonly EffectRatio[] {
  const isOfLibrary = ({ numerator, denominator }: EffectRatio): boolean =>
    [numerator, denominator].some((style) => inseparable.includes(style));
  if (bounds.length === 0) return ratios.filter((row) => row.choice === "style" && !isOfLibrary(row));
  const styleOf = new Map(arms.map(({ id, style }) => [id, style]));
  return bounds.map(({ numeratorId, denominatorId, ...ratio }) => {
    const [numerator = "", denominator = ""] = [numeratorId, denominatorId].map((id) => styleOf.get(id));
    return { choice: "style", style: numerator, numerator, denominator, ...ratio };
  });
}

function largest(rows: readonly EffectRatio[], choice: LibraryChoice): readonly EffectRatio[] {
  return rows
    .filter((row) => row.choice === choice)
    .toSorted((one, other) => other.ratio - one.ratio)
    .slice(0, 1);
}

/** For one task with several libraries of a style: the largest difference of each choice. */
export function ofLibraries(study: string, task: string, { measured }: Evidence): readonly LibraryClaim[] {
  const effects = measured.libraryEffects.find(
    (row) => row.study === study && row.task === task && row.metric === "latencyMs",
  );
  if (effects === undefined) return [];
  const arms = measured.arms.filter(({ id }) => effects.armIds.includes(id));
  const ofEnds = effects.ratios.filter((row) => row.choice !== "style" && !isOfBound(row, arms));
  const rows = [...ofEnds, ...ratiosOfStyles(effects, arms)];
  if (ofEnds.length === 0) return [];
  return (["server", "client", "style"] as const).flatMap((choice) =>
    largest(rows, choice).map((row) => ({
      kind: "library",
      study,
      task,
      strength: row.low !== null && row.low > 1 ? strengthOfClaim(row) : "open",
      armIds: effects.armIds,
      ...row,
    })),
  );
}
