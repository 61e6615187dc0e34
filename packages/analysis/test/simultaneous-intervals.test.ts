// Intervals of one table's mean log ratios: Student's t from three to five rounds, max-T from six on.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maxTIntervals, simultaneousIntervals, type BasedInterval } from "../src/statistics/simultaneous-intervals.ts";
import { randomFrom } from "../src/statistics/random.ts";
import { tInterval } from "../src/statistics/student-t.ts";

const intervalsOf = (family: readonly (readonly number[])[]) => simultaneousIntervals(family, randomFrom(1, "test"));

/** Four rounds of ln(REST / gRPC). */
const fourRounds = [-0.71, -0.62, -0.8, -0.66];

/** Half the width in standard errors: rounds −1, 0, …, with the standard error 1, whatever their number. */
function criticalValue(rounds: number, comparisons: number): number {
  const steps = Array.from({ length: rounds }, (_, round) => round - (rounds - 1) / 2);
  const squares = steps.reduce((sum, step) => sum + step ** 2, 0);
  const scaled = steps.map((step) => step * Math.sqrt((rounds * (rounds - 1)) / squares));
  const [interval] = intervalsOf(Array.from({ length: comparisons }, () => scaled));
  return interval?.high ?? Number.NaN;
}

function contains(outer: BasedInterval, inner: BasedInterval): boolean {
  return outer.low <= inner.low + 1e-12 && outer.high >= inner.high - 1e-12;
}

describe("intervals from three to five rounds", () => {
  // scipy 1.17.1: stats.t.interval(1 - 0.05 / m, 3, loc=np.mean(x), scale=stats.sem(x)) for m = 1 and 3.
  it("are Student's t at a level that the comparisons of a table share", () => {
    const [alone] = intervalsOf([fourRounds]);
    expect(alone?.basis).toBe("student-t");
    expect(alone?.low).toBeCloseTo(-0.8210121310117289, 12);
    expect(alone?.high).toBeCloseTo(-0.5739878689882711, 12);
    const [ofThree] = intervalsOf([fourRounds, [1, 2, 3, 4], [5, 2, 9, 1]]);
    expect(ofThree?.low).toBeCloseTo(-0.8859889898558182, 12);
    expect(ofThree?.high).toBeCloseTo(-0.5090110101441814, 12);
  });

  // scipy 1.17.1: stats.t.ppf(1 - 0.05 / m / 2, n - 1).
  it.each([
    [3, [4.302652729749462, 7.648803937915553, 10.885866619163108]],
    [4, [3.1824463052837078, 4.856657272768983, 6.231543473366502]],
    [5, [2.7764451051977934, 3.9607864827701835, 4.851008443097864]],
  ])("of %i rounds reach as many standard errors as t has at 0.05 / 1, 3 and 6", (rounds, published) => {
    [1, 3, 6].forEach((comparisons, index) => {
      expect(criticalValue(rounds, comparisons)).toBeCloseTo(published[index] ?? Number.NaN, 10);
    });
  });

  const value = fc.double({ min: -2, max: 2, noNaN: true });
  const someRounds = fc.array(value, { minLength: 3, maxLength: 5 });

  it("hold the mean, and widen with every comparison beside them", () => {
    fc.assert(
      fc.property(someRounds, fc.integer({ min: 1, max: 12 }), (rounds, size) => {
        const family = Array.from({ length: size }, () => rounds);
        const [narrow] = intervalsOf(family);
        const [wide] = intervalsOf([...family, rounds]);
        if (narrow === undefined || wide === undefined || narrow === null || wide === null) return false;
        const mean = rounds.reduce((sum, one) => sum + one, 0) / rounds.length;
        expect(narrow.low).toBeLessThanOrEqual(mean + 1e-12);
        expect(narrow.high).toBeGreaterThanOrEqual(mean - 1e-12);
        return contains(wide, narrow) && (narrow.high - narrow.low < 1e-9 || wide.high > narrow.high);
      }),
    );
  });

  it("move with their values and change their sides with their signs", () => {
    fc.assert(
      fc.property(someRounds, value, (rounds, shift) => {
        const [interval] = intervalsOf([rounds]);
        const [moved] = intervalsOf([rounds.map((one) => one + shift)]);
        const [turned] = intervalsOf([rounds.map((one) => -one)]);
        expect(moved?.low).toBeCloseTo((interval?.low ?? Number.NaN) + shift, 9);
        expect(turned?.low).toBeCloseTo(-(interval?.high ?? Number.NaN), 9);
      }),
    );
  });
});

describe("a family of any rounds", () => {
  const sixRounds = [0.1, 0.2, 0.1, 0.3, 0.2, 0.1];
  const missing = Number.NaN;

  it("is max-T's alone from six rounds on", () => {
    const other = [0.3, 0.1, 0.2, 0.4, 0.1, 0.2];
    const expected = maxTIntervals([sixRounds, other], randomFrom(1, "test"));
    expect(intervalsOf([sixRounds, other])).toEqual(expected.map((interval) => ({ ...interval, basis: "max-t" })));
  });

  it("shares the error rate between long and short series", () => {
    const five = [0.1, 0.2, 0.1, 0.3, 0.2, missing];
    const [long, short] = intervalsOf([sixRounds, five]);
    const [alone] = intervalsOf([sixRounds]);
    const half = maxTIntervals([sixRounds], randomFrom(1, "test"), { errorRate: 0.025 })[0];
    expect(long).toEqual({ ...half, basis: "max-t" });
    expect((long?.high ?? 0) - (long?.low ?? 0)).toBeGreaterThan((alone?.high ?? 0) - (alone?.low ?? 0));
    expect(short).toEqual({ ...tInterval(five.slice(0, 5), 0.975, 3), basis: "student-t" });
  });
});
