// How much of its level a job may have spent by a look.
import { describe, expect, it } from "vitest";
import { failSpent, failSpending, spentLevel } from "../../src/gate/sign-flip-tests.ts";

const looks = [8, 10, 20, 30];

describe("what the looks of a FAIL may spend", () => {
  it("is the part of the planned rounds, squared, as long as all cells are measured", () => {
    const spent = failSpent(looks, 30, 12, () => true);
    for (const [index, look] of looks.entries())
      expect(spent[index]).toBeCloseTo(spentLevel(1, look, 30, failSpending));
    expect(spent.at(-1)).toBeCloseTo(1);
  });

  it("grows by a third as much once two of three stacks are left out, and by nothing without any", () => {
    const spent = failSpent(looks, 30, 12, (cell, from) => from < 8 || cell < 4);
    expect(spent[0]).toBeCloseTo((8 / 30) ** 2);
    expect((spent[1] ?? 0) - (spent[0] ?? 0)).toBeCloseTo(((10 / 30) ** 2 - (8 / 30) ** 2) / 3);
    const none = failSpent(looks, 30, 12, (_, from) => from < 8);
    expect(none).toEqual([none[0], none[0], none[0], none[0]]);
  });
});
