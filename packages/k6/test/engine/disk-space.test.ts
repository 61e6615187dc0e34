// Samples have to fit on the disk before the first is made.
import { expect, test } from "vitest";
import { diskSpaceError } from "../../src/engine/run-plan.ts";
import { armWith, cellOf } from "../support/plans.ts";

const arm = armWith("hello");
const chatty = { ...armWith("chatty", 4), facts: { ...arm.facts, id: "chatty", callsPerTask: 4 } };
const cells = [
  cellOf(0, { armId: "hello", tasks: 99_990, callers: 10 }),
  cellOf(1, { armId: "chatty", tasks: 74_999, callers: 1 }),
];
const plan = { arms: [arm, chatty], cells };

test("accepts enough disk space for every call of a round", () => {
  expect(diskSpaceError(plan, "/tmp", 1e9)).toBeUndefined();
});

test("reports how much space is missing, and what to do", () => {
  expect(diskSpaceError(plan, "/tmp", 999_999_999)).toBe(
    "k6 would write 1,000 MB of samples to /tmp, which has 999 MB free; set TMPDIR to a folder with more space, or make fewer calls (--calls)",
  );
  expect(diskSpaceError(plan, "/mnt/small", 20_500_000)).toContain("to /mnt/small, which has 20 MB free");
});
