// What becomes of a round when time is short.
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { shareOfRound } from "../src/rounds/share-of-round.ts";

it("makes all calls of every round when there is time for all", () => {
  expect(shareOfRound({ roundsLeft: 5, leftMs: 60_000, startUpMs: 3_000, blocksMs: 6_000 })).toBe(1);
});

it("keeps all rounds by making fewer calls in each when a little time is lacking", () => {
  const share = shareOfRound({ roundsLeft: 5, leftMs: 40_000, startUpMs: 3_000, blocksMs: 6_000 });
  expect(share).toBeCloseTo((7_840 - 3_000) / 6_000);
});

it("makes whole rounds, as many as there is time for, when a lot is lacking", () => {
  expect(shareOfRound({ roundsLeft: 5, leftMs: 24_000, startUpMs: 3_000, blocksMs: 6_000 })).toBe(1);
  expect(shareOfRound({ roundsLeft: 4, leftMs: 8_999, startUpMs: 3_000, blocksMs: 6_000 })).toBe(0);
});

it("never plans more than there is time for, as long as rounds take what the last one took", () => {
  const ms = fc.double({ min: 1, max: 1e5, noNaN: true });
  const rounds = fc.integer({ min: 1, max: 50 });
  fc.assert(
    fc.property(rounds, ms, ms, ms, (roundsLeft, budgetMs, startUpMs, blocksMs) => {
      let leftMs = budgetMs;
      for (let left = roundsLeft; left > 0; left -= 1) {
        const share = shareOfRound({ roundsLeft: left, leftMs, startUpMs, blocksMs });
        if (share === 0) break;
        leftMs -= startUpMs + share * blocksMs;
      }
      expect(leftMs).toBeGreaterThanOrEqual(-1e-6);
    }),
  );
});
