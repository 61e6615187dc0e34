// Numbers as they are typed: one, several, or a range.
import { assert, integer, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { classNumbers, numberList, oneNumber } from "../src/options/number-list.ts";

const above = { what: "numbers above 0", example: "1", least: 1e-9, most: 1e12, whole: false } as const;
const whole = { ...above, least: 1, whole: true } as const;

describe("a list of numbers", () => {
  const read = numberList(above);

  it("is one, several, or a range with its last, by a step of 1 or its own", () => {
    expect(read("80")).toEqual([80]);
    expect(read(" 10, 20 ,50")).toEqual([10, 20, 50]);
    expect(read("3..5")).toEqual([3, 4, 5]);
    expect(read("10..40..10")).toEqual([10, 20, 30, 40]);
    expect(read("10..45..10")).toEqual([10, 20, 30, 40]);
    expect(read("1e3,.5")).toEqual([0.5, 1000]);
  });

  it("has decimals as they were meant", () => {
    expect(read("0.1..0.5..0.1")).toEqual([0.1, 0.2, 0.3, 0.4, 0.5]);
  });

  it("is in order, and has each number once", () => {
    expect(read("5,1..3,2")).toEqual([1, 2, 3, 5]);
  });

  const strays = [
    "",
    ",",
    "0",
    "-1",
    "1..",
    "..1",
    "1..2..3..4",
    "2..1",
    "1..5..0",
    "1..5..-1",
    "1..500",
    "NaN",
    "0x10",
    "1e13",
    "1 2",
    "a=1",
  ];

  it.each(strays)('is not "%s"', (text) => {
    expect(() => read(text)).toThrow("must be up to 200 numbers above 0, such as 1");
  });

  it("of callers has whole ones only", () => {
    expect(numberList(whole)("1..4..2")).toEqual([1, 3]);
    for (const text of ["1.5", "1..2..0.5", "0..3"]) expect(() => numberList(whole)(text)).toThrow(/must be/);
  });

  it("of a range has as many as fit, equally far apart, the first of them first", () => {
    assert(
      property(
        integer({ min: 1, max: 1000 }),
        integer({ min: 0, max: 150 }),
        integer({ min: 1, max: 50 }),
        (from, steps, by) => {
          const numbers = numberList(whole)(`${from}..${from + steps * by}..${by}`);
          expect(numbers).toEqual(Array.from({ length: steps + 1 }, (_, index) => from + index * by));
        },
      ),
    );
  });
});

describe("numbers of a class", () => {
  it("may say whose they are, whatever the name", () => {
    const read = classNumbers(whole);
    expect(read("1..3")).toEqual({ className: null, numbers: [1, 2, 3] });
    expect(read("readers=4")).toEqual({ className: "readers", numbers: [4] });
    expect(read("a=b=4")).toEqual({ className: "a=b", numbers: [4] });
  });
});

describe("one number", () => {
  it("is one number in its range", () => {
    expect(oneNumber(above)("0.25")).toBe(0.25);
    for (const text of ["1,2", "1..2", "0", "ten", ""])
      expect(() => oneNumber(above)(text)).toThrow("must be numbers above 0, such as 1");
  });
});
