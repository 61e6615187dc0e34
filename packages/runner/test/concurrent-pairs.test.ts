// Which pairs may work at the same time, and how they avoid disturbing each other.
import { describe, expect, it, test } from "vitest";
import { limitConcurrency } from "../src/basics/concurrency.ts";
import {
  gapBetween,
  mayMeasureConcurrently,
  mayWarmUpConcurrently,
  serializePerLink,
} from "../src/rounds/concurrent-pairs.ts";
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

function pairAt(name: string, rttMs: number | undefined, ...needs: readonly PlannedArm["needs"][]) {
  const link = rttMs === undefined ? undefined : { ...linkDefaults, rttMs };
  const arms = needs.map((needed) => {
    const arm = anArm({ stack: name, variant: "single", attributes: 1 });
    return { ...arm, needs: needed, configuration: { ...arm.configuration, link } };
  });
  return { name, arms };
}

/** Those that were at work together, in the order in which they began. */
async function seenTogether(pairs: readonly ReturnType<typeof pairAt>[]): Promise<readonly string[]> {
  const seen: string[] = [];
  const working = new Set<string>();
  await serializePerLink(pairs, async ({ name }) => {
    working.add(name);
    seen.push([...working].join("+"));
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
    working.delete(name);
  });
  return seen;
}

test("pairs that move bulk data over one link take turns", async () => {
  const bulky = ["a", "b", "c"].map((name) => pairAt(name, 50, ["bulk"]));
  expect(await seenTogether(bulky)).toEqual(["a", "b", "c"]);
});

test("pairs on lines of their own, and those that move little, need not wait", async () => {
  const pairs = [pairAt("a", 50, ["bulk"]), pairAt("b", 1, ["bulk"]), pairAt("c", 50, []), pairAt("d", undefined, [])];
  expect(await seenTogether(pairs)).toEqual(["a", "a+b", "a+b+c", "a+b+c+d"]);
});

it("runs so much at once and no more, in the order in which it was asked for, and a failure gives its place back", async () => {
  const place = limitConcurrency(2);
  const begun: number[] = [];
  const ends = [0, 1, 2, 3].map(() => Promise.withResolvers<void>());
  const works = ends.map(({ promise }, index) =>
    place(async () => {
      begun.push(index);
      await promise;
    }),
  );
  const ended = Promise.allSettled(works);
  await Promise.resolve();
  expect(begun).toEqual([0, 1]);
  ends[1]?.reject(new Error("no"));
  await works[1]?.catch(() => undefined);
  await Promise.resolve();
  expect(begun).toEqual([0, 1, 2]);
  for (const { resolve } of ends) resolve();
  expect((await ended).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
  expect(begun).toEqual([0, 1, 2, 3]);
});
