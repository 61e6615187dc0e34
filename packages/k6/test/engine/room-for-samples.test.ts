// Samples have to fit on the disk before the first is made.
import { expect, test } from "vitest";
import { faultOfRoom } from "../../src/engine/room-for-samples.ts";
import { armWith, cellOf } from "../support/plans.ts";

const arm = armWith("hello");
const chatty = { ...armWith("chatty", 4), facts: { ...arm.facts, id: "chatty", callsPerTask: 4 } };
const cells = [
  cellOf(0, { armId: "hello", tasks: 99_990, callers: 10 }),
  cellOf(1, { armId: "chatty", tasks: 74_999, callers: 1 }),
];
const plan = { arms: [arm, chatty], cells };

test("where there is room for every call of a round, nothing is said", () => {
  expect(faultOfRoom(plan, "/tmp", 1e9)).toBeUndefined();
});

test("where there is not, how much there would have to be and what helps is told", () => {
  expect(faultOfRoom(plan, "/tmp", 999_999_999)).toBe(
    "k6 would write 1,000 MB of samples to /tmp, where 999 MB are free: let TMPDIR name a folder with more room, or make fewer calls (--calls)",
  );
  expect(faultOfRoom(plan, "/mnt/small", 20_500_000)).toContain("to /mnt/small, where 20 MB are free");
});
