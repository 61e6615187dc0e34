// The stacks to compare: styles by one stack each, servers and clients within their style.
import type { Arm } from "@roundtrip/runs";

export type StackPair = readonly [numerator: Arm, denominator: Arm];

export function byStyle(arms: readonly Arm[]): readonly (readonly [Arm, ...Arm[]])[] {
  return groupsOf(arms, ({ style }) => style);
}

/** Returns the stack that represents each style: the first of these arms. Runs list stacks in the order of `--stack`, or a style's default first. */
export function styleReferences(arms: readonly Arm[]): readonly Arm[] {
  return byStyle(arms).map(([first]) => first);
}

function endsWithoutLibrary({ bounds = [] }: Arm): number {
  return bounds.length;
}

/** The stack of each style that has a server without a library: with a client without one if it was measured, otherwise with the first client. */
export function boundStacks(arms: readonly Arm[]): readonly Arm[] {
  return byStyle(arms).flatMap((ofStyle) =>
    ofStyle
      .filter(({ bounds }) => bounds?.includes("server"))
      .toSorted((one, other) => endsWithoutLibrary(other) - endsWithoutLibrary(one))
      .slice(0, 1),
  );
}

/** The stacks of a style that differ from `arm` in the server or the client only, and share it with the reference there; or else the reference. */
function partnersOf(arm: Arm, reference: Arm, ofStyle: readonly Arm[]): readonly Arm[] {
  const partners = ofStyle.filter(
    ({ server, client }) =>
      (server === arm.server && client === reference.client && client !== arm.client) ||
      (client === arm.client && server === reference.server && server !== arm.server),
  );
  return partners.length > 0 ? partners : [reference];
}

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

/** Gives a style's title by its id: a stack's title without the libraries that it names in brackets. */
export function styleTitles(arms: readonly Pick<Arm, "style" | "stackTitle">[]): (style: string) => string {
  const titles = new Map(arms.map(({ style, stackTitle }) => [style, stackTitle.replace(/ \(.*\)$/, "")]));
  return (style) => titles.get(style) ?? style;
}

/** The items of each key, in the order in which keys appear; no group is empty. */
export function groupsOf<T>(items: Iterable<T>, keyOf: (item: T) => unknown): readonly (readonly [T, ...T[]])[] {
  return [...Map.groupBy(items, keyOf).values()] as unknown as readonly (readonly [T, ...T[]])[];
}
