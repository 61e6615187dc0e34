// What becomes of rounds when time is short: cells of low priority go, then calls, and rounds only where somebody gave the time.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  effortForAll,
  effortForMost,
  leastEffort,
  leastShare,
  type Effort,
  type TimeForRounds,
} from "../src/rounds/effort.ts";

/** 3 s of start, and 2 s of calls for each priority. */
const roundMs = ({ lowestPriority, share }: Effort): number => 3_000 + lowestPriority * share * 2_000;
const time = (leftMs: number, changes: Partial<TimeForRounds> = {}): TimeForRounds => ({
  roundsLeft: 5,
  roundsNeeded: 5,
  leftMs,
  priorities: [1, 2, 3],
  mayLeaveOut: true,
  roundsMs: (rounds, effort) => rounds * roundMs(effort),
  ...changes,
});

describe("the effort for all rounds that are left", () => {
  it("is everything when there is time for everything", () => {
    expect(effortForAll(time(50_000))).toEqual({ lowestPriority: 3, share: 1 });
  });

  it("gives up a few calls before it gives up a cell", () => {
    const effort = effortForAll(time(42_000));
    expect(effort?.lowestPriority).toBe(3);
    expect(effort?.share).toBeCloseTo((0.98 * 8_400 - 3_000) / 6_000, 6);
  });

  it("gives up the lowest priorities before many calls, and gives the others all of theirs", () => {
    expect(effortForAll(time(37_000))).toEqual({ lowestPriority: 2, share: 1 });
    expect(effortForAll(time(28_000))).toEqual({ lowestPriority: 1, share: 1 });
  });

  it("gives up calls of the first priority at last, down to a tenth", () => {
    const effort = effortForAll(time(20_000));
    expect(effort?.lowestPriority).toBe(1);
    expect(effort?.share).toBeCloseTo((0.98 * 4_000 - 3_000) / 2_000, 6);
    expect(effortForAll(time(16_000))).toBeUndefined();
  });

  it("gives up no cell that has been measured in a round, but calls of all of them", () => {
    const effort = effortForAll(time(28_000, { mayLeaveOut: false }));
    expect(effort?.lowestPriority).toBe(3);
    expect(effort?.share).toBeCloseTo((0.98 * 5_600 - 3_000) / 6_000, 6);
    expect(leastEffort(time(1, { mayLeaveOut: false }))).toEqual({ lowestPriority: 3, share: leastShare });
  });
});

describe("a limit", () => {
  it("that is just kept is kept: all calls in all of the time but the reserve, a tenth in the least", () => {
    const just = { roundsLeft: 1, roundsNeeded: 1, priorities: [1] };
    expect(effortForAll(time(50, { ...just, roundsMs: (_, { share }) => 49 * share }))?.share).toBe(1);
    expect(effortForMost(time(3_200, just))?.share).toBeCloseTo(0.1, 6);
    expect(effortForMost(time(3_199, just))).toBeUndefined();
    expect(leastShare).toBe(0.1);
  });
});

describe("the effort for as many rounds as fit", () => {
  it("is that for all where all fit", () => {
    expect(effortForMost(time(37_000))).toEqual(effortForAll(time(37_000)));
  });

  it("gives up rounds where all of them do not fit at the least", () => {
    const effort = effortForMost(time(11_000));
    expect(effort?.lowestPriority).toBe(1);
    // 3 rounds.
    expect(effort?.share).toBeCloseTo((11_000 / 3 - 3_000) / 2_000, 6);
  });

  it("is that for as many as an interval needs, where more were wanted than fit", () => {
    expect(effortForMost(time(46_000, { roundsLeft: 100 }))).toEqual({ lowestPriority: 3, share: 1 });
    expect(effortForMost(time(9_100, { roundsLeft: 100, roundsNeeded: 0 }))).toEqual({ lowestPriority: 3, share: 1 });
  });

  it("is undefined if not even one fits", () => {
    expect(effortForMost(time(3_100))).toBeUndefined();
  });
});

/** Arms of some priorities with a time for each task; those with one task a round do not shrink. */
const rounds = fc
  .record({
    startMs: fc.double({ min: 1, max: 1e4, noNaN: true }),
    arms: fc.array(
      fc.record({
        priority: fc.integer({ min: 1, max: 4 }),
        tasks: fc.integer({ min: 1, max: 100 }),
        taskMs: fc.double({ min: 0.1, max: 1e3, noNaN: true }),
      }),
      { minLength: 1, maxLength: 6 },
    ),
  })
  .map(({ startMs, arms }) => ({
    priorities: [...new Set(arms.map(({ priority }) => priority))].toSorted((one, other) => one - other),
    roundMs: ({ lowestPriority, share }: Effort): number =>
      arms
        .filter(({ priority }) => priority <= lowestPriority)
        .reduce((sum, { tasks, taskMs }) => sum + Math.ceil(tasks * share) * taskMs, startMs),
  }));
const everything = { lowestPriority: Infinity, share: 1 };

it("never plans more than there is time for, as long as rounds take what the last one took", () => {
  const roundsLefts = fc.integer({ min: 1, max: 30 });
  const wholeRounds = fc.double({ min: 0.01, max: 40, noNaN: true });
  fc.assert(
    fc.property(roundsLefts, wholeRounds, fc.boolean(), rounds, (roundsLeft, whole, mayLeaveOut, one) => {
      let leftMs = whole * one.roundMs(everything);
      let { priorities } = one;
      for (let left = roundsLeft; left > 0; left -= 1) {
        const roundsMs: TimeForRounds["roundsMs"] = (count, effort) => count * one.roundMs(effort);
        const effort = effortForMost({
          roundsLeft: left,
          roundsNeeded: left,
          leftMs,
          priorities,
          mayLeaveOut,
          roundsMs,
        });
        if (effort === undefined) break;
        expect(effort.share).toBeGreaterThanOrEqual(leastShare);
        priorities = priorities.filter((priority) => priority <= effort.lowestPriority);
        expect(priorities.length).toBeGreaterThan(0);
        leftMs -= one.roundMs(effort);
      }
      expect(leftMs).toBeGreaterThanOrEqual(-1e-6);
    }),
  );
});

/** Cells count before calls. */
function rank({ lowestPriority, share }: Effort): number {
  return lowestPriority + share;
}

it("gives no round less for more time", () => {
  const times = fc.double({ min: 0.01, max: 40, noNaN: true });
  fc.assert(
    fc.property(times, times, rounds, (one, other, { priorities, roundMs: of }) => {
      const effortIn = (whole: number): Effort | undefined =>
        effortForAll({
          ...time(whole * of(everything)),
          priorities,
          roundsMs: (count, effort) => count * of(effort),
        });
      const [less, more] = [effortIn(Math.min(one, other)), effortIn(Math.max(one, other))];
      if (less === undefined) return;
      expect(more).toBeDefined();
      expect(rank(more ?? less)).toBeGreaterThanOrEqual(rank(less));
    }),
  );
});
