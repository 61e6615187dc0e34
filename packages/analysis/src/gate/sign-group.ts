// The sign flips of a gate: a group of sign patterns over rounds, the same through all looks of a job.
import { randomFrom, type Random } from "../statistics/random.ts";

/**
 * A path gives every round a sign. Path 0 leaves all as they are; after n rounds, as long as 2^n is within the group, its paths are all
 * patterns there are, each once.
 *
 * A test over a group of transformations that keeps what was seen as one of them has exactly its level, however small the group
 * (Hemerik and Goeman, "Exact Testing with Random Permutations", TEST 27 (2018), theorem 1). This one is a linear code of 2^m words:
 * round r of path b is flipped when b and the round's pattern share an odd number of bits. All patterns have an odd number of bits, so with
 * each path its opposite is there; where there are enough paths, no four patterns cancel, and any five rounds' signs are independent of each
 * other: sums over paths have the first five moments of all 2^n (Rao's orthogonal arrays of strength 5).
 */
export interface SignGroup {
  /** How many paths differ after so many rounds. */
  readonly pathsAfter: (rounds: number) => number;
  /** The signs (1 or −1) of this round, counted from 0, on each of `pathsAfter(round + 1)` paths; not to be written to. */
  readonly signsOf: (round: number) => Int8Array;
}

function isOdd(bits: number): boolean {
  let odd = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) odd ^= 1;
  return odd === 1;
}

/** Draws a pattern of odd weight that is not there yet and not the sum of three that are; after many vain draws the last condition is given up. */
function freePattern(taken: readonly number[], sums: ReadonlySet<number>, bits: number, random: Random): number {
  const size = 2 ** bits;
  const start = Math.floor(random() * size);
  const free = (pattern: number): boolean => isOdd(pattern) && !taken.includes(pattern);
  let distinct: number | undefined;
  for (let step = 0; step < size; step += 1) {
    // A walk through all patterns in steps of an odd number visits each once.
    const pattern = (start + step * 0x9e5) % size;
    if (!free(pattern)) continue;
    distinct ??= pattern;
    if (!taken.some((other) => sums.has(pattern ^ other))) return pattern;
  }
  return distinct ?? 1 << (taken.length % bits);
}

function patternsOf(bits: number, rounds: number, random: Random): readonly number[] {
  const patterns: number[] = [];
  const sums = new Set<number>();
  for (let round = 0; round < rounds; round += 1) {
    const pattern = round < bits ? 1 << round : freePattern(patterns, sums, bits, random);
    for (const other of patterns) sums.add(other ^ pattern);
    patterns.push(pattern);
  }
  return patterns;
}

/** −1 for each path that shares an odd number of bits with the pattern. */
function signsBy(pattern: number, paths: number): Int8Array {
  const signs = new Int8Array(paths).fill(1, 0, 1);
  for (let half = 1; half < paths; half *= 2) {
    const sign = (pattern & half) === 0 ? 1 : -1;
    for (let path = 0; path < half; path += 1) signs[half + path] = sign * (signs[path] as number);
  }
  return signs;
}

/** The group for jobs of up to `rounds` rounds, with the largest power of two of paths that is within `flips`. */
export function signGroup(flips: number, rounds: number, seed: number): SignGroup {
  const bits = Math.floor(Math.log2(flips));
  const patterns = patternsOf(bits, rounds, randomFrom(seed, `sign flips ${bits}`));
  const pathsAfter = (done: number): number => 2 ** Math.min(done, bits);
  const known: (Int8Array | undefined)[] = [];
  return {
    pathsAfter,
    signsOf: (round) => (known[round] ??= signsBy(patterns[round] ?? 0, pathsAfter(round + 1))),
  };
}
