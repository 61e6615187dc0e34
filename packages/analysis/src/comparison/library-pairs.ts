// What the choice of a library changes: stacks of one style that differ in their server or in their client, and styles without server libraries.
import { inverted } from "./compare-run.ts";
import type { Comparison, Ratio } from "./comparison.ts";
import { taskCells } from "./leading-cell.ts";
import type { Arm } from "@roundtrip/runs";

/** What a user chooses. */
export type LibraryChoice = "server" | "client" | "style";

/** `numerator` takes `ratio` times as long as `denominator`, called by or calling the same library. The numerator is the slower. */
export interface LibraryPair extends Ratio {
  readonly choice: LibraryChoice;
  /** The style whose libraries are compared; for styles themselves the numerator. */
  readonly style: string;
  /** Ids of servers, clients or styles. */
  readonly numerator: string;
  readonly denominator: string;
  readonly numeratorId: string;
  readonly denominatorId: string;
  /** Whether one of the two is no library but the modules of Node.js, so that nobody chooses it. Of styles, both are. */
  readonly isOfBound: boolean;
}

/** What two arms of one comparison differ in; null for stacks that differ in both ends. */
function choiceOf(kind: Comparison["kind"], one: Arm, other: Arm): LibraryChoice | null {
  if (kind === "bound") return "style";
  if (kind !== "stack" || one.style !== other.style) return null;
  if (one.client === other.client) return "server";
  return one.server === other.server ? "client" : null;
}

/** The pairs of one task at its largest, in the order of the comparisons. */
export function libraryPairs(
  { arms, comparisons }: { readonly arms: readonly Arm[]; readonly comparisons: readonly Comparison[] },
  study: string,
  task: string,
): readonly LibraryPair[] {
  const ofTask = arms.filter((arm) => arm.study === study && arm.task === task);
  const cell = new Map(taskCells(ofTask).flatMap((alike) => alike.map((arm) => [arm.id, arm])));
  return comparisons.flatMap((comparison): readonly LibraryPair[] => {
    const {
      kind,
      numeratorId,
      denominatorId,
      verdict: _,
      family: _family,
      familySize: _size,
      ...ratio
    } = comparison.ratio < 1 ? inverted(comparison) : comparison;
    const [slower, faster] = [cell.get(numeratorId), cell.get(denominatorId)];
    if (slower === undefined || faster === undefined) return [];
    const choice = choiceOf(kind, slower, faster);
    if (choice === null) return [];
    const isOfBound = choice !== "style" && [slower, faster].some(({ bounds }) => bounds?.includes(choice));
    const [numerator, denominator] = [slower[choice], faster[choice]];
    const { style } = slower;
    return [{ choice, style, numerator, denominator, numeratorId, denominatorId, isOfBound, ...ratio }];
  });
}
