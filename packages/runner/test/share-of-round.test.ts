// What becomes of a round when time is short.
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { leastShare, shareOfRound } from "../src/rounds/share-of-round.ts";

/** A round of which all but its start shrinks with its calls. */
const shrinking = (share: number): number => 3_000 + share * 6_000;
/** One in which next to nothing does. */
const stiff = (share: number): number => 47_000 + share * 1_000;

it("makes all calls of every round when there is time for all", () => {
  expect(shareOfRound({ roundsLeft: 5, leftMs: 60_000, roundMs: shrinking })).toBe(1);
});

it("keeps all rounds by making fewer calls in each when a little time is lacking", () => {
  const share = shareOfRound({ roundsLeft: 5, leftMs: 40_000, roundMs: shrinking });
  expect(share).toBeCloseTo((7_840 - 3_000) / 6_000, 6);
});

it("makes whole rounds, as many as there is time for, when a lot is lacking, and of one more what there is time for", () => {
  expect(shareOfRound({ roundsLeft: 5, leftMs: 20_000, roundMs: shrinking })).toBe(1);
  expect(shareOfRound({ roundsLeft: 4, leftMs: 9_000, roundMs: shrinking })).toBe(1);
  expect(shareOfRound({ roundsLeft: 4, leftMs: 6_000, roundMs: shrinking })).toBeCloseTo(0.5, 6);
  expect(shareOfRound({ roundsLeft: 4, leftMs: 4_199, roundMs: shrinking })).toBe(0);
});

it("gives up no calls for time that this does not save", () => {
  expect(shareOfRound({ roundsLeft: 5, leftMs: 230_000, roundMs: stiff })).toBe(1);
  expect(shareOfRound({ roundsLeft: 1, leftMs: 43_000, roundMs: stiff })).toBe(0);
});

/** Arms with a time for each task, of which those with one task a round do not shrink: the steps are those of whole tasks. */
const rounds = fc
  .record({
    startMs: fc.double({ min: 1, max: 1e4, noNaN: true }),
    arms: fc.array(
      fc.record({ tasks: fc.integer({ min: 1, max: 100 }), taskMs: fc.double({ min: 0.1, max: 1e3, noNaN: true }) }),
      { minLength: 1, maxLength: 5 },
    ),
  })
  .map(
    ({ startMs, arms }) =>
      (share: number): number =>
        arms.reduce((sum, { tasks, taskMs }) => sum + Math.ceil(tasks * share) * taskMs, startMs),
  );
const roundsLefts = fc.integer({ min: 1, max: 50 });
/** The time that is left, in whole rounds. */
const times = fc.double({ min: 0.01, max: 60, noNaN: true });

it("never plans more than there is time for, as long as rounds take what the last one took", () => {
  fc.assert(
    fc.property(roundsLefts, times, rounds, (roundsLeft, wholeRounds, roundMs) => {
      let leftMs = wholeRounds * roundMs(1);
      for (let left = roundsLeft; left > 0; left -= 1) {
        const share = shareOfRound({ roundsLeft: left, leftMs, roundMs });
        if (share === 0) break;
        leftMs -= roundMs(share);
      }
      expect(leftMs).toBeGreaterThanOrEqual(-1e-6);
    }),
  );
});

it("never gives up a call more than it must: with one more of any arm the rounds that are left would not fit", () => {
  fc.assert(
    fc.property(roundsLefts, times, rounds, (roundsLeft, wholeRounds, roundMs) => {
      const leftMs = wholeRounds * roundMs(1);
      const share = shareOfRound({ roundsLeft, leftMs, roundMs });
      fc.pre(share < 1);
      const limitMs = (0.98 * leftMs) / roundsLeft;
      const isOneOfAll = share > 0 && roundMs(share) <= limitMs;
      // Where there is time for none, one more is one with the least share.
      const more = share === 0 ? leastShare : share + 1e-6;
      expect(more).toBeGreaterThanOrEqual(leastShare);
      expect(roundMs(more)).toBeGreaterThan(isOneOfAll ? limitMs : leftMs);
    }),
  );
});

it("makes all the rounds that are left where they fit with the least share, whatever it takes", () => {
  fc.assert(
    fc.property(roundsLefts, times, rounds, (roundsLeft, wholeRounds, roundMs) => {
      let leftMs = wholeRounds * roundMs(1);
      fc.pre(roundMs(leastShare) * roundsLeft <= 0.98 * leftMs);
      for (let left = roundsLeft; left > 0; left -= 1) {
        const share = shareOfRound({ roundsLeft: left, leftMs, roundMs });
        expect(share).toBeGreaterThanOrEqual(leastShare);
        leftMs -= roundMs(share);
      }
    }),
  );
});

it("gives no round fewer calls for more time, as long as all that are left fit", () => {
  fc.assert(
    fc.property(roundsLefts, times, times, rounds, (roundsLeft, one, other, roundMs) => {
      const shareIn = (wholeRounds: number): number =>
        shareOfRound({ roundsLeft, leftMs: wholeRounds * roundMs(1), roundMs });
      const [less, more] = [Math.min(one, other), Math.max(one, other)];
      fc.pre(roundMs(leastShare) * roundsLeft <= 0.98 * less * roundMs(1));
      expect(shareIn(more)).toBeGreaterThanOrEqual(shareIn(less));
    }),
  );
});
