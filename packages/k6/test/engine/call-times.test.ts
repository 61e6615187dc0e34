// How much time cells are given: what an arm was last seen to take at most, with a reserve.
import { expect, it } from "vitest";
import { CallTimes } from "../../src/engine/k6-engine.ts";
import type { ScheduledBlock } from "@roundtrip/runner/parts";

const arm = { id: "a", callsPerTask: 4 } as ScheduledBlock["arm"];

it("is more than what was seen, and for more tasks more", () => {
  const times = new CallTimes();
  expect(times.knows("a")).toBe(false);
  times.note("a", 5, 50);
  expect(times.knows("a")).toBe(true);
  expect(times.callsMsOf({ arm, tasks: 10 })).toBeGreaterThan(100);
  expect(times.callsMsOf({ arm, tasks: 20 })).toBeGreaterThan(times.callsMsOf({ arm, tasks: 10 }));
  // A call of four to a task.
  expect(times.callMsOf({ arm })).toBeGreaterThan(2.5);
  expect(times.callMsOf({ arm })).toBeLessThan(times.callsMsOf({ arm, tasks: 1 }));
});

it("never shrinks: a cell that is too short is lost", () => {
  const times = new CallTimes();
  times.note("a", 1, 30);
  const before = times.callsMsOf({ arm, tasks: 3 });
  times.note("a", 10, 10);
  expect(times.callsMsOf({ arm, tasks: 3 })).toBe(before);
  times.note("a", 1, 60);
  expect(times.callsMsOf({ arm, tasks: 3 })).toBeGreaterThan(before);
});
