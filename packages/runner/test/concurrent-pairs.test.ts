// Which pairs may work at the same time, and how they avoid disturbing each other.
import { describe, expect, it, test } from "vitest";
import { limitConcurrency } from "../src/basics/concurrency.ts";
import {
  companyOf,
  gapBetween,
  mayTransferConcurrently,
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
    expect([20, 50, 200].map((rttMs) => companyOf(armAt(rttMs)))).toEqual(["waiting", "waiting", "waiting"]);
    expect([undefined, 0, 1, 19].map((rttMs) => companyOf(armAt(rttMs)))).toEqual(["none", "none", "none", "none"]);
  });

  test.each([["cold connections"], ["bulk"]] as const)("are, apart from them, those of %s that go very far", (need) => {
    expect([undefined, 1, 50, 99].map((rttMs) => companyOf(armAt(rttMs, [need])))).toEqual(Array(4).fill("none"));
    expect([100, 200].map((rttMs) => companyOf(armAt(rttMs, [need])))).toEqual(["transferring", "transferring"]);
    const arm = armAt(200, [need]);
    const narrow = { ...linkDefaults, rttMs: 200, bandwidthMbps: 10 };
    expect(companyOf({ ...arm, configuration: { ...arm.configuration, link: narrow } })).toBe("none");
  });

  test("are warmed up beside others also where connections are measured, and never where much is moved", () => {
    expect(mayWarmUpConcurrently(armAt(50, ["cold connections"]))).toBe(true);
    expect(mayWarmUpConcurrently(armAt(50, ["bulk"]))).toBe(false);
    expect(mayWarmUpConcurrently(armAt(1))).toBe(false);
  });

  test("are also those that wait between transfers: they wait together, and transfer one at a time", () => {
    const arm = armAt(10, ["bulk"]);
    const waiting = { ...arm, plan: { ...arm.plan, idleMs: 1000 } };
    expect([waiting, arm].map(companyOf)).toEqual(["waiting", "none"]);
    expect([waiting, arm].map(mayWarmUpConcurrently)).toEqual([true, false]);
  });

  test("begin one after the other within the shortest round trip, so that they do not call together ever after", () => {
    expect(gapBetween([armAt(50), armAt(100), armAt(200), armAt(200)])).toBe(12.5);
    expect(gapBetween([])).toBe(0);
  });
});

interface Line {
  readonly rttMs: number;
  readonly bandwidthMbps?: number;
  readonly hasSmallBuffers?: boolean;
}

function pairAt(name: string, line: Line | undefined, ...needs: readonly PlannedArm["needs"][]) {
  const { hasSmallBuffers = false, ...settings } = line ?? {};
  const link = line === undefined ? undefined : { ...linkDefaults, ...settings };
  const arms = needs.map((needed) => {
    const arm = anArm({ stack: name, variant: "single", attributes: 1 });
    return { ...arm, needs: needed, configuration: { ...arm.configuration, link } };
  });
  return { name, arms, hasSmallBuffers };
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

function transferring(...lines: readonly (Line | undefined)[]) {
  return lines.map((line, at) => pairAt("abc"[at] ?? "", line, ["bulk"]));
}

describe("pairs that move bulk data", () => {
  const narrow = { rttMs: 50, bandwidthMbps: 100 };
  const weak = { rttMs: 50, hasSmallBuffers: true };
  const near = { rttMs: 1 };
  const wide = { rttMs: 50 };

  test.each([
    ["of limited bandwidth", narrow],
    ["of small buffers, which they would overflow", weak],
    ["near by, where they do not wait", near],
  ])("take turns over a link %s", async (_, line) => {
    expect(await seenTogether(transferring(line, line, line))).toEqual(["a", "b", "c"]);
  });

  test("need not wait over any other link, nor on lines of their own, nor do those that move little", async () => {
    expect(await seenTogether(transferring(wide, wide, undefined))).toEqual(["a", "a+b", "a+b+c"]);
    const small = pairAt("c", narrow, []);
    const pairs = [...transferring(narrow, { ...narrow, rttMs: 1 }), small, pairAt("d", undefined, [])];
    expect(await seenTogether(pairs)).toEqual(["a", "a+b", "a+b+c", "a+b+c+d"]);
  });

  test("may do so while others start where they only wait for a far network", () => {
    const lines = [wide, narrow, weak, near, undefined];
    expect(transferring(...lines).map(mayTransferConcurrently)).toEqual([true, false, false, false, false]);
  });
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
