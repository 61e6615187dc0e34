// What is drawn of many samples: few enough to draw, with both ends and the tail.
import { describe, expect, it } from "vitest";
import { describeSamples } from "../../src/statistics/describe-samples.ts";
import { distributionOf, type Summary } from "../../src/metrics/summarise.ts";

function drawn(sorted: Float64Array) {
  const summary = { armId: "arm", ...describeSamples(sorted) } as Summary;
  return distributionOf(summary, sorted);
}

/** 1, 2, 3, … */
const upTo = (length: number): Float64Array => Float64Array.from({ length }, (_, index) => index + 1);

describe("a distribution as it is drawn", () => {
  it("has letter values from 1,000 samples on", () => {
    expect(drawn(upTo(999)).letterValues).toEqual([]);
    expect(drawn(upTo(1_000)).letterValues.map(({ depth }) => depth)).toEqual([2, 3, 4, 5, 6, 7, 8]);
  });

  it("has the outliers of both sides, thinned to 200 with the farthest", () => {
    const few = Float64Array.of(-50, 10, 10, 11, 11, 12, 12, 70, 80);
    expect(drawn(few).outliersDrawn).toEqual([-50, 70, 80]);
    const many = Float64Array.from({ length: 5_000 }, (_, index) => (index < 4_000 ? 1 + index / 1e6 : index));
    const { outliersDrawn } = drawn(many);
    expect(outliersDrawn).toHaveLength(200);
    expect([outliersDrawn[0], outliersDrawn.at(-1)]).toEqual([4_000, 4_999]);
  });
});
