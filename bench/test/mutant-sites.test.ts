import { describe, expect, it } from "vitest";
import { changed, sitesIn } from "../mutants/sites.ts";

const variantsOf = (text: string): readonly string[] => sitesIn("a.ts", text).map((site) => changed(text, site));

describe("places to change", () => {
  it("are comparisons, sums, conditions, numbers, methods and calls", () => {
    expect(variantsOf("x = a < b;")).toEqual(["x = a <= b;"]);
    expect(variantsOf("x = a - b;")).toEqual(["x = a + b;"]);
    expect(variantsOf("x = !a && b;")).toEqual(["x = a && b;", "x = !a || b;"]);
    expect(variantsOf("if (a) b = c;")).toEqual(["if (!(a)) b = c;"]);
    expect(variantsOf("x = 0.5;")).toEqual(["x = 0.45;"]);
    expect(variantsOf("x = 3;")).toEqual(["x = 4;"]);
    expect(variantsOf("x = 1_000;")).toEqual(["x = 900;"]);
    expect(variantsOf("x = 0;")).toEqual(["x = 1;"]);
    expect(variantsOf("x = Math.max(a, b);")).toEqual(["x = Math.min(a, b);"]);
    expect(variantsOf("await stop();")).toEqual([";"]);
  });

  it("are not numbers that only keep rounding from deciding", () => {
    expect(variantsOf("x = 1e-9;")).toEqual([]);
  });

  it("are not methods that every object has", () => {
    expect(variantsOf("x = a.toString() + b.constructor;")).toEqual(["x = a.toString() - b.constructor;"]);
  });

  it("are not in text, types, errors and imports", () => {
    expect(variantsOf("x = `${a - 1}`;")).toEqual([]);
    expect(variantsOf("x = 'a' + b;")).toEqual([]);
    expect(variantsOf("let x: 1 | 2;")).toEqual([]);
    expect(variantsOf("throw new Fault(a + 1);")).toEqual([]);
    expect(variantsOf("x = new RunnerError(1);")).toEqual([]);
  });
});
