// The sign flips of a gate: a group of sign patterns over rounds, the same for all looks of a job.
import { randomFrom, type Random } from "../statistics/random.ts";

/**
 * A path gives every round a sign; path 0 flips none. After n rounds, while 2^n is within the group, the paths are all patterns, each once. A test
 * over a group of transformations that includes the identity has exactly its level, however small the group (Hemerik and Goeman, "Exact Testing with
 * Random Permutations", TEST 27 (2018), theorem 1). This one is a linear code of 2^m words: path b flips round r when b and the round's pattern share
 * an odd number of bits. All patterns have an odd number of bits, so the opposite of each path is a path. With enough paths, no four patterns cancel,
 * and the signs of any five rounds are independent: sums over paths have the first five moments of all 2^n (Rao's orthogonal arrays of strength 5).
 */
export interface SignGroup {
  /** Number of distinct paths after this many rounds. */
  readonly pathsAfter: (rounds: number) => number;
  /** The signs (1 or −1) of this round, 0-based, on each of `pathsAfter(round + 1)` paths. Read-only. */
  readonly signsOf: (round: number) => Int8Array;
}

function isOdd(bits: number): boolean {
  let odd = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) odd ^= 1;
  return odd === 1;
}

/** Draws a new pattern of odd weight that is not the sum of three others. Drops the last condition if no such pattern is found. */
function freePattern(taken: readonly number[], sums: ReadonlySet<number>, bits: number, random: Random): number {
  const size = 2 ** bits;
  const start = Math.floor(random() * size);
  const free = (pattern: number): boolean => isOdd(pattern) && !taken.includes(pattern);
  let distinct: number | undefined;
  for (let step = 0; step < size; step += 1) {
    // A walk in odd steps visits each pattern once.
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

/** The group for jobs of up to `rounds` rounds. The number of paths is the largest power of two within `flips`. */
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
