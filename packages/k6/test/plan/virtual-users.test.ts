import { array, assert, double, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { virtualUsersFor } from "../../src/plan/plan-of.ts";

const schedules = array(double({ min: 0, max: 60_000, noNaN: true }), { minLength: 1, maxLength: 300 }).map((moments) =>
  moments.toSorted((a, b) => a - b),
);

describe("the virtual users of an open loop", () => {
  it("suffice for all that arrive within a quarter of a second", () => {
    assert(
      property(schedules, (arrivalsMs) => {
        const users = virtualUsersFor(arrivalsMs, 10_000);
        for (const from of arrivalsMs) {
          expect(users).toBeGreaterThanOrEqual(arrivalsMs.filter((at) => at >= from && at <= from + 250).length);
        }
      }),
    );
  });

  it("stay within what a machine has memory for, however many arrive", () => {
    expect(
      virtualUsersFor(
        Array.from({ length: 5_000 }, () => 1),
        10_000,
      ),
    ).toBe(500);
  });
});
