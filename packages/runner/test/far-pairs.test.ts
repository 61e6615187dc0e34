// Which pairs may wait at the same time, and how they avoid disturbing each other.
import { describe, expect, test } from "vitest";
import { gapBetween, mayMeasureConcurrently, mayWarmUpConcurrently } from "../src/rounds/concurrent-pairs.ts";
import { linkDefaults } from "../src/study/link-settings.ts";
import type { PlannedArm } from "../src/study/planned-arm.ts";
import { anArm } from "./support/an-arm.ts";

function armAt(rttMs: number | undefined, needs: PlannedArm["needs"] = []): PlannedArm {
  const arm = anArm({ stack: "rest", variant: "single", attributes: 1 });
  const link = rttMs === undefined ? undefined : { ...linkDefaults, rttMs };
  return { ...arm, needs, configuration: { ...arm.configuration, link } };
}

describe("pairs that are measured at the same time", () => {
  test("are those of small calls that go far: their processors are idle nine tenths of the time", () => {
    expect([20, 50, 200].map((rttMs) => mayMeasureConcurrently(armAt(rttMs)))).toEqual([true, true, true]);
    expect([undefined, 0, 1, 19].map((rttMs) => mayMeasureConcurrently(armAt(rttMs)))).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  test("are never those that move much or open connections, however far", () => {
    expect(mayMeasureConcurrently(armAt(200, ["bulk"]))).toBe(false);
    expect(mayMeasureConcurrently(armAt(200, ["cold connections"]))).toBe(false);
  });

  test("are warmed up beside others also where connections are measured, and never where much is moved", () => {
    expect(mayWarmUpConcurrently(armAt(50, ["cold connections"]))).toBe(true);
    expect(mayWarmUpConcurrently(armAt(50, ["bulk"]))).toBe(false);
    expect(mayWarmUpConcurrently(armAt(1))).toBe(false);
  });

  test("are also those that wait between transfers: they wait together, and transfer one at a time", () => {
    const arm = armAt(10, ["bulk"]);
    const waiting = { ...arm, plan: { ...arm.plan, idleMs: 1000 } };
    expect([
      mayMeasureConcurrently(waiting),
      mayWarmUpConcurrently(waiting),
      mayMeasureConcurrently(arm),
      mayWarmUpConcurrently(arm),
    ]).toEqual([true, true, false, false]);
  });

  test("begin one after the other within the shortest round trip, so that they do not call together ever after", () => {
    expect(gapBetween([armAt(50), armAt(100), armAt(200), armAt(200)])).toBe(12.5);
    expect(gapBetween([])).toBe(0);
  });
});
