// A limit to calls under way shows in several cells of a series: what thinking leaves under way, or a cell that was disturbed, is no limit.
import { describe, expect, it } from "vitest";
import { asksForMore, ceilingOf, type InFlight } from "../../src/anomalies/model-cells.ts";

function cell(callers: number, predicted: number, measured: number): InFlight {
  return { callers, predicted, measured };
}

describe("a ceiling", () => {
  it("is the number of calls at which all cells stop that ask for more", () => {
    const series = [cell(2, 1.3, 1.3), cell(4, 3.9, 2), cell(8, 7.4, 2.02), cell(8, 4.8, 1.9)];
    expect(ceilingOf(series)).toBe(2.02);
    expect(series.map((one) => asksForMore(one, 2.02))).toEqual([false, true, true, true]);
  });

  it("is absent where callers who think have no more under way than was to be expected", () => {
    expect(ceilingOf([cell(3, 0.7, 0.6), cell(6, 1.3, 1.2), cell(9, 1.9, 1.7)])).toBeNull();
  });

  it("is absent where cells that ask for more get different numbers through", () => {
    expect(ceilingOf([cell(4, 3.9, 1.2), cell(8, 7.4, 2), cell(8, 4.8, 1.9)])).toBeNull();
  });

  it("is absent where few cells show it, or all have as many callers", () => {
    expect(ceilingOf([cell(4, 3.9, 2), cell(8, 7.4, 2)])).toBeNull();
    expect(ceilingOf([cell(8, 3.9, 2), cell(8, 7.4, 2), cell(8, 4.8, 1.95)])).toBeNull();
  });
});
