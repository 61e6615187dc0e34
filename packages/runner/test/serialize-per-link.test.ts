// Who may use a link at the same time as others, before anything is measured.
import { expect, test } from "vitest";
import type { PlannedArm } from "../src/study/planned-arm.ts";
import { serializePerLink, onlyMovesBulk } from "../src/rounds/concurrent-pairs.ts";
import { linkDefaults } from "../src/study/link-settings.ts";
import { anArm } from "./support/an-arm.ts";

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

test("a failure is reported", async () => {
  const failing = serializePerLink([pairAt("a", 50, ["bulk"])], () => Promise.reject(new Error("gone")));
  await expect(failing).rejects.toThrow("gone");
});

test("a pair that has small calls too is warmed up for them", () => {
  expect(onlyMovesBulk(pairAt("a", 50, ["bulk"], ["cold connections", "bulk"]))).toBe(true);
  expect(onlyMovesBulk(pairAt("a", 50, ["bulk"], []))).toBe(false);
});
