// Pairs the fields or enum values of a type before and after.

interface NumberedMember {
  readonly name: string;
  readonly number: number;
}

export interface PairedMembers<T> {
  readonly pairs: readonly (readonly [before: T, after: T])[];
  readonly removed: readonly T[];
  readonly added: readonly T[];
}

/**
 * Pairs members with the same name and number, then those with one of the two: the same number is a renaming (if the name is no longer used and
 * `couldBe` accepts the pair), the same name a renumbering.
 */
export function pairMembers<T extends NumberedMember>(
  before: readonly T[],
  after: readonly T[],
  couldBe: (before: T, after: T) => boolean,
): PairedMembers<T> {
  const pairs: (readonly [T, T])[] = [];
  const removed = new Set(before);
  const added = new Set(after);
  const pairUp = (isOne: (older: T, newer: T) => boolean): void => {
    for (const older of removed) {
      const found = [...added].find((newer) => isOne(older, newer));
      if (found === undefined) continue;
      pairs.push([older, found]);
      removed.delete(older);
      added.delete(found);
    }
  };
  pairUp((older, newer) => older.number === newer.number && older.name === newer.name);
  const isNameLeft = (name: string): boolean => [...added].some((newer) => newer.name === name);
  const wasName = (name: string): boolean => [...removed].some((older) => older.name === name);
  pairUp(
    (older, newer) =>
      older.number === newer.number && !isNameLeft(older.name) && !wasName(newer.name) && couldBe(older, newer),
  );
  pairUp((older, newer) => older.name === newer.name);
  return { pairs, removed: [...removed], added: [...added] };
}
