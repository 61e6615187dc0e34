// Which block of an arm stands against which block of another: the first of a round against the first, the second against the second.

/** A block by its place: its arm, round and position in that round. */
export interface BlockPosition {
  readonly armId: string;
  readonly round: number;
  readonly block: number;
}

/**
 * The turn of each of these blocks: how many blocks its arm had in that round before, 0-based. Every block that ran must be among
 * `blocks` (a block twice is once), also one in which nothing was answered: else the turns behind it would shift. Neighbours in the
 * schedule, the variants of one task on one stack, have the same turn because each of them runs once in a neighbourhood.
 */
export function turnsOf(blocks: readonly BlockPosition[]): (place: BlockPosition) => number {
  const positions = new Map<string, Set<number>>();
  for (const { armId, round, block } of blocks) {
    const key = `${round} ${armId}`;
    const known = positions.get(key);
    if (known === undefined) positions.set(key, new Set([block]));
    else known.add(block);
  }
  const ordered = new Map([...positions].map(([key, known]) => [key, [...known].toSorted((a, b) => a - b)]));
  return ({ armId, round, block }) => ordered.get(`${round} ${armId}`)?.indexOf(block) ?? -1;
}
