// Grouping, for code that needs the first of each group.

/** The items of each key, in the order in which keys appear; no group is empty. */
export function groupsOf<T>(items: Iterable<T>, keyOf: (item: T) => unknown): readonly (readonly [T, ...T[]])[] {
  return [...Map.groupBy(items, keyOf).values()] as unknown as readonly (readonly [T, ...T[]])[];
}
