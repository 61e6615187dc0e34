// How far two figures are from each other: as a share of the second, or as they are where that is nothing.

/** NaN when one of them is missing, which is below no limit. */
export function apart(actual: number | null | undefined, expected: number | null | undefined): number {
  const [a, b] = [actual ?? Number.NaN, expected ?? Number.NaN];
  return Math.abs(a - b) / Math.max(Math.abs(b), 1e-9);
}
