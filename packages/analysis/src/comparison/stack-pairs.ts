// Which stacks are compared with each other: styles by one stack each, servers and clients within their style.
import { groupsOf } from "../basics/groups-of.ts";
import type { Arm } from "../run/run-facts.ts";

/** Two arms of different stacks that do the same work. */
export type StackPair = readonly [numerator: Arm, denominator: Arm];

/** By style, in the order of the run. */
export function byStyle(arms: readonly Arm[]): readonly (readonly [Arm, ...Arm[]])[] {
  return groupsOf(arms, ({ style }) => style);
}

/**
 * The stack that represents its style: the first of these arms. Runs list stacks as `--stack` names them; otherwise a style's default comes first.
 */
export function styleReferences(arms: readonly Arm[]): readonly Arm[] {
  return byStyle(arms).map(([first]) => first);
}

/**
 * What a stack is compared with in its style: stacks that differ from it in the server alone or in the client alone and have the reference's there; the
 * reference itself where the run has neither.
 */
function partnersOf(arm: Arm, reference: Arm, ofStyle: readonly Arm[]): readonly Arm[] {
  const partners = ofStyle.filter(
    ({ server, client }) =>
      (server === arm.server && client === reference.client && client !== arm.client) ||
      (client === arm.client && server === reference.server && server !== arm.server),
  );
  return partners.length > 0 ? partners : [reference];
}

/** The pairs of stacks of one style to compare, each with the stack that it is compared with first. */
export function pairsWithin(ofStyle: readonly Arm[]): readonly StackPair[] {
  const [reference, ...others] = ofStyle;
  if (reference === undefined) return [];
  return others.flatMap((arm) => partnersOf(arm, reference, ofStyle).map((partner): StackPair => [partner, arm]));
}

/** The pairs of stacks to compare. @param arms of stacks that do the same, one for each stack */
export function stackPairs(arms: readonly Arm[]): readonly StackPair[] {
  const references = styleReferences(arms);
  const across = references.flatMap((one, index) =>
    references.slice(index + 1).map((other): StackPair => [one, other]),
  );
  return [...across, ...byStyle(arms).flatMap(pairsWithin)];
}
