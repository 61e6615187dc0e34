// The verdict of a whole job and nothing else, computed fast enough for tens of thousands of simulated jobs.
import {
  createCellTest,
  createFlipSums,
  createJobTest,
  failSpending,
  failSpent,
  passSpending,
  spentLevel,
  tie,
  type CellTest,
  type FlipSums,
  type GateSettings,
  type GateState,
  type JobTest,
  type SignGroup,
} from "@roundtrip/analysis/gate";

export interface QuickVerdict {
  readonly state: GateState;
  /** Rounds at the look that ended the job. */
  readonly rounds: number;
  /** The cells that were worse at that look. */
  readonly worse: readonly number[];
}

const firstStretch = 64;

/** The boundary for a cell. */
interface Crossing {
  readonly centre: number;
  readonly direction: 1 | -1;
  /** The maximum number of paths whose sign flips give a sum as large as the one seen. */
  readonly allowed: number;
}

/**
 * Whether at most `allowed` paths flip these values to a sum as large as the one seen. If not, the cell crosses nothing at this look, whatever other
 * cells and earlier looks did, so that most looks end after a few paths. `lost` has space for a number per path.
 */
function mayCross(
  values: readonly number[],
  group: SignGroup,
  { centre, direction, allowed }: Crossing,
  lost: Float64Array,
): boolean {
  const shifted = values.map((value) => (Number.isFinite(value) ? direction * (value - centre) : 0));
  const paths = group.pathsAfter(shifted.length);
  // At least half of all paths reach a sum that is not above 0.
  if (allowed < paths / 2 && shifted.reduce((sum, value) => sum + value, 0) <= 0) return false;
  // Statistics that differ by less are equal for a boundary too.
  const tied = (tie / 2) * Math.hypot(...shifted);
  // What each path flips: round by round while rounds double the paths, in the order of paths.
  lost[0] = 0;
  let count = 0;
  let enumerated = 0;
  for (let half = 1; half < paths; half *= 2, enumerated += 1) {
    const value = shifted[enumerated] as number;
    for (let path = 0; path < half; path += 1) lost[half + path] = (lost[path] as number) + value;
  }
  const laterSigns = shifted.slice(enumerated).map((_, index) => group.signsOf(enumerated + index));
  // In stretches, because most looks end after a few paths. Each round covers all paths of a stretch, because signs are unpredictable branches.
  for (let begin = 0, end = Math.min(firstStretch, paths); begin < paths; begin = end, end = Math.min(4 * end, paths)) {
    laterSigns.forEach((signs, index) => {
      const half = (shifted[enumerated + index] as number) / 2;
      for (let path = begin; path < end; path += 1) {
        lost[path] = (lost[path] as number) + half * (1 - (signs[path] as number));
      }
    });
    for (let path = begin; path < end; path += 1) {
      // A flip reduces a sum by twice the flipped value.
      if ((lost[path] as number) <= tied) count += 1;
    }
    if (count > allowed + 1e-9) return false;
  }
  return true;
}

type Columns = readonly (readonly number[])[];

interface Caught<Test> {
  readonly paths: number;
  readonly sums: FlipSums;
  readonly test: Test;
  /** Looks that the test has seen. */
  looks: number;
  rounds: number;
}

/** Creates a test only when it may matter, and again while rounds double the paths: earlier work is then small beside the later. */
function begun<Test>(
  caught: Caught<Test> | undefined,
  { group, rounds, cells }: { readonly group: SignGroup; readonly rounds: number; readonly cells: Columns },
  create: (sums: FlipSums, mostPaths: number) => Test,
): Caught<Test> {
  const paths = group.pathsAfter(rounds);
  if (caught !== undefined && caught.paths === paths) return caught;
  const sums = createFlipSums(group, cells.length, rounds);
  return { paths, sums, test: create(sums, paths), looks: 0, rounds: 0 };
}

/** Advances the test to the last of these looks. */
function takeLooks<Test>(
  caught: Caught<Test>,
  looks: readonly number[],
  cells: Columns,
  take: (test: Test, look: number) => void,
) {
  for (; caught.looks < looks.length; caught.looks += 1) {
    const look = looks[caught.looks] as number;
    for (; caught.rounds < look; caught.rounds += 1) {
      caught.sums.add(cells.map((column) => column[caught.rounds] ?? Number.NaN));
    }
    take(caught.test, look);
  }
}

/** The input of a quick job: one column per cell, and space for a number per path. */
interface QuickJob {
  readonly columns: Columns;
  readonly settings: GateSettings;
  readonly group: SignGroup;
  readonly lost: Float64Array;
}

/** The cells that are worse, look by look. */
function failing({ columns, settings, group, lost }: QuickJob): (index: number, rounds: number) => readonly number[] {
  const { looks, alpha } = settings;
  const planned = looks.at(-1) as number;
  const centre = Math.log1p(settings.tolerate);
  let job: Caught<JobTest> | undefined;
  return (index, rounds) => {
    const allowed = spentLevel(alpha, rounds, planned, failSpending) * group.pathsAfter(rounds);
    const crossing = { centre, direction: 1, allowed } as const;
    if (!columns.some((column) => mayCross(column.slice(0, rounds), group, crossing, lost))) return [];
    job = begun(job, { group, rounds, cells: columns }, (sums, mostPaths) =>
      createJobTest(sums, { cells: columns.length, mostPaths, centre, level: alpha }),
    );
    const spent = failSpent(looks, planned, columns.length, (cell, from, to) =>
      (columns[cell] ?? []).slice(from, to).some(Number.isFinite),
    );
    takeLooks(job, looks.slice(0, index + 1), columns, (test, look) => test.look(spent[looks.indexOf(look)] ?? 0));
    const last = job.test.looks.at(-1);
    return columns.flatMap((_, cell) => ((last?.seen[cell] ?? 0) > (last?.critical ?? Infinity) ? [cell] : []));
  };
}

/** Whether a cell passes, look by look. */
function passing({
  columns,
  settings,
  group,
  lost,
}: QuickJob): (index: number, rounds: number, cell: number) => boolean {
  const { looks, passAlpha } = settings;
  const planned = looks.at(-1) as number;
  const centre = Math.log1p(settings.detect);
  const tests: (Caught<CellTest> | undefined)[] = Array.from({ length: columns.length });
  return (index, rounds, cell) => {
    const column = columns[cell] ?? [];
    const allowed = spentLevel(passAlpha, rounds, planned, passSpending) * group.pathsAfter(rounds);
    if (!mayCross(column.slice(0, rounds), group, { centre, direction: -1, allowed }, lost)) return false;
    // No earlier look has crossed a boundary, so a cell that may cross does.
    if (index === 0) return true;
    const caught = begun(tests[cell], { group, rounds, cells: [column] }, (sums, mostPaths) =>
      createCellTest(sums, { cell: 0, mostPaths, centre, level: passAlpha }),
    );
    tests[cell] = caught;
    let atMost = Infinity;
    takeLooks(caught, looks.slice(0, index + 1), [column], (test, look) => {
      atMost = test.look(spentLevel(1, look, planned, passSpending));
    });
    return atMost < centre;
  };
}

/**
 * The state, rounds and failed cells at the end of a job that is judged at every look: the same as those of `judge`. `values` has all planned rounds;
 * the group belongs to these settings.
 * @param stacks the stack of each cell, if the job leaves stacks that have passed out of later rounds ({@link passedStacks}); otherwise empty
 */
export function quickVerdict(
  values: readonly (readonly number[])[],
  settings: GateSettings,
  group: SignGroup,
  stacks: readonly string[] = [],
): QuickVerdict {
  const planned = settings.looks.at(-1) as number;
  const columns = (values[0] ?? []).map((_, cell) => values.map((round) => round[cell] ?? Number.NaN));
  const job = { columns, settings, group, lost: new Float64Array(group.pathsAfter(planned)) };
  const [worseAt, passesAt] = [failing(job), passing(job)];
  const passed = columns.map(() => false);
  for (const [index, rounds] of settings.looks.entries()) {
    const worse = worseAt(index, rounds);
    if (worse.length > 0) return { state: "fail", rounds, worse };
    columns.forEach((_, cell) => (passed[cell] ||= passesAt(index, rounds, cell)));
    if (passed.every(Boolean)) return { state: "pass", rounds, worse: [] };
    for (const [cell, stack] of stacks.entries()) {
      if (stacks.every((other, one) => other !== stack || passed[one])) columns[cell]?.fill(Number.NaN, rounds);
    }
  }
  return { state: "inconclusive", rounds: planned, worse: [] };
}
