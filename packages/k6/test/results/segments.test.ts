// Execution segments: those of one round have to be the whole, once.
import { assert, boolean, integer, property } from "fast-check";
import { expect, test } from "vitest";
import { equalSegments, segmentsError, segmentOf } from "../../src/results/instance-of.ts";

test("equal segments are the whole, however many there are and in whatever order they come", () => {
  assert(
    property(integer({ min: 1, max: 64 }), boolean(), (count, isTurned) => {
      const { segments, sequence } = equalSegments(count);
      expect(segments).toHaveLength(count);
      expect(sequence.split(",")).toHaveLength(count + 1);
      expect(segmentsError(isTurned ? segments.toReversed() : segments)).toBeUndefined();
    }),
  );
});

test("a segment that is run twice is reported", () => {
  expect(segmentsError(["0:1/2", "1/2:1", "1/2:1"])).toBe("segment 1/2:1 overlaps another");
  expect(segmentsError(["0:2/3", "1/3:1"])).toBe("segment 1/3:1 overlaps another");
});

test("fractions are read as k6 writes them, and nothing else is", () => {
  expect(segmentOf("0:1")).toEqual({ from: 0, to: 1 });
  expect(segmentOf("0.25:3/4")).toEqual({ from: 0.25, to: 0.75 });
  for (const text of ["", "1:0", "1/2", "0:2", "a:b", "-1:1", "0:1/0", "1/2:1/2"])
    expect(segmentOf(text)).toBeUndefined();
  expect(segmentsError(["0:1/2", "rest"])).toBe('"rest" is not an execution segment');
});
