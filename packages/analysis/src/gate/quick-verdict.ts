// The verdict of a whole job and nothing else, as fast as can be: what tens of thousands of simulated jobs need.
import { createCellTest, type CellTest } from "./cell-test.ts";
import { createFlipSums, type FlipSums } from "./flip-sums.ts";
import type { GateState } from "./gate-judgement.ts";
import type { GateSettings } from "./gate-settings.ts";
import { createJobTest, type JobTest } from "./job-test.ts";
import type { SignGroup } from "./sign-group.ts";
import { failSpending, passSpending, spentLevel } from "./spending.ts";

export interface QuickVerdict {
  readonly state: GateState;
  /** Rounds at the look that ended the job. */
  readonly rounds: number;
  /** The cells that were worse at it. */
  readonly worse: readonly number[];
}

/**
 * Whether at most `allowed` paths flip these values to a sum as large as the one seen. A cell that is not so at a look crosses nothing there,
 * whatever other cells and earlier looks did: so most looks are over after a few paths.
 */
function mayCross(
  values: readonly number[],
  group: SignGroup,
  centre: number,
  direction: 1 | -1,
  allowed: number,
): boolean {
  const shifted = Float64Array.from(values, (value) => (Number.isFinite(value) ? direction * (value - centre) : 0));
  const paths = group.pathsAfter(shifted.length);
  // Half of all paths are above a sum that is not above 0.
  if (allowed < paths / 2 && shifted.reduce((sum, value) => sum + value, 0) <= 0) return false;
  const signs = Array.from(shifted, (_, round) => group.signsOf(round));
  let count = 0;
  for (let path = 0; path < paths; path += 1) {
    let flipped = 0;
    for (let round = 0; round < shifted.length; round += 1) {
      const known = signs[round] as Int8Array;
      if (known[path & (known.length - 1)] === -1) flipped += shifted[round] as number;
    }
    // What the sum loses by the flips is twice what was flipped.
    if (flipped > 0) continue;
    count += 1;
    if (count > allowed + 1e-9) return false;
  }
  return true;
}

/** Tests that begin only where they may matter, and then take all looks before. */
function createCatchUp(columns: readonly (readonly number[])[], group: SignGroup, planned: number) {
  const sums = createFlipSums(group, columns.length, planned);
  let done = 0;
  return {
    sums,
    to(rounds: number): void {
      for (; done < rounds; done += 1) sums.add(columns.map((column) => column[done] ?? Number.NaN));
    },
  };
}

interface Lazy<Test> {
  readonly test: Test;
  readonly catchUp: { readonly sums: FlipSums; readonly to: (rounds: number) => void };
  looks: number;
}

/**
 * The state, the number of rounds and the failed cells that a job ends with if it is judged at every look: the same as those of `judge`. `values` has all
 * planned rounds; the group is that of these settings.
 */
export function quickVerdict(
  values: readonly (readonly number[])[],
  settings: GateSettings,
  group: SignGroup,
): QuickVerdict {
  const { looks, alpha, passAlpha } = settings;
  const planned = looks.at(-1) ?? 0;
  const room = group.pathsAfter(planned);
  const tolerated = Math.log1p(settings.tolerate);
  const detected = Math.log1p(settings.detect);
  const columns = (values[0] ?? []).map((_, cell) => values.map((round) => round[cell] ?? Number.NaN));
  const passing: (Lazy<CellTest> | undefined)[] = Array.from({ length: columns.length });
  const passed = columns.map(() => false);
  let job: Lazy<JobTest> | undefined;

  function worseAt(index: number, rounds: number): readonly number[] {
    const allowed = spentLevel(alpha, rounds, planned, failSpending) * group.pathsAfter(rounds);
    const suspects = columns.some((column) => mayCross(column.slice(0, rounds), group, tolerated, 1, allowed));
    if (!suspects) return [];
    if (job === undefined) {
      const catchUp = createCatchUp(columns, group, planned);
      job = { catchUp, looks: 0, test: createJobTest(catchUp.sums, columns.length, room, tolerated, alpha) };
    }
    for (; job.looks <= index; job.looks += 1) {
      const look = looks[job.looks] ?? planned;
      job.catchUp.to(look);
      job.test.look(spentLevel(1, look, planned, failSpending));
    }
    const last = job.test.looks.at(-1);
    return columns.flatMap((_, cell) => ((last?.seen[cell] ?? 0) > (last?.critical ?? Infinity) ? [cell] : []));
  }

  function passesAt(index: number, rounds: number, cell: number): boolean {
    const column = columns[cell] ?? [];
    const allowed = spentLevel(passAlpha, rounds, planned, passSpending) * group.pathsAfter(rounds);
    if (!mayCross(column.slice(0, rounds), group, detected, -1, allowed)) return false;
    let lazy = passing[cell];
    if (lazy === undefined) {
      const catchUp = createCatchUp([column], group, planned);
      lazy = { catchUp, looks: 0, test: createCellTest(catchUp.sums, 0, room, detected, passAlpha) };
      passing[cell] = lazy;
    }
    let atMost = Infinity;
    for (; lazy.looks <= index; lazy.looks += 1) {
      const look = looks[lazy.looks] ?? planned;
      lazy.catchUp.to(look);
      atMost = lazy.test.look(spentLevel(1, look, planned, passSpending));
    }
    return atMost < detected;
  }

  for (const [index, rounds] of looks.entries()) {
    const worse = worseAt(index, rounds);
    if (worse.length > 0) return { state: "fail", rounds, worse };
    columns.forEach((_, cell) => (passed[cell] ||= passesAt(index, rounds, cell)));
    if (passed.every(Boolean)) return { state: "pass", rounds, worse: [] };
  }
  return { state: "inconclusive", rounds: planned, worse: [] };
}
