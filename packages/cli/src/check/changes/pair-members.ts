// Which field or enum value of the contract after is which of the contract before.

/** What fields and enum values have in common. */
export interface Numbered {
  readonly name: string;
  readonly number: number;
}

export interface PairedMembers<T> {
  readonly pairs: readonly (readonly [before: T, after: T])[];
  readonly removed: readonly T[];
  readonly added: readonly T[];
}

/**
 * Pairs members that have both name and number in common, then those that have one of the two: a number in common is a renaming (if the name is
 * used no more, and `couldBe` agrees that it is the same thing), a name in common a renumbering.
 */
export function pairMembers<T extends Numbered>(
  before: readonly T[],
  after: readonly T[],
  couldBe: (before: T, after: T) => boolean,
): PairedMembers<T> {
  const pairs: (readonly [T, T])[] = [];
  const removed = new Set(before);
  const added = new Set(after);
  const pairUp = (isOne: (old: T, young: T) => boolean): void => {
    for (const old of removed) {
      const found = [...added].find((young) => isOne(old, young));
      if (found === undefined) continue;
      pairs.push([old, found]);
      removed.delete(old);
      added.delete(found);
    }
  };
  pairUp((old, young) => old.number === young.number && old.name === young.name);
  const isNameLeft = (name: string): boolean => [...added].some((young) => young.name === name);
  const wasName = (name: string): boolean => [...removed].some((old) => old.name === name);
  pairUp(
    (old, young) => old.number === young.number && !isNameLeft(old.name) && !wasName(young.name) && couldBe(old, young),
  );
  pairUp((old, young) => old.name === young.name);
  return { pairs, removed: [...removed], added: [...added] };
}
