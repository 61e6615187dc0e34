// The coarse variant of a task: one call for all of it.
import { expect, it } from "vitest";
import { coarseVariant } from "../../src/comparison/leading-cell.ts";
import { armFor } from "../synthetic-run.ts";

const arm = (variant: string, task = "read") => armFor({ stack: "rest", task, variant });

it("is the façade if there is one, otherwise the first variant of that task", () => {
  expect(coarseVariant([arm("chatty"), arm("facade")], "facade", "read")).toBe("facade");
  expect(coarseVariant([arm("single"), arm("own-driver")], "facade", "read")).toBe("single");
  expect(coarseVariant([arm("other", "write"), arm("own-driver"), arm("single")], "facade", "read")).toBe("own-driver");
  expect(coarseVariant([], "facade", "read")).toBe("single");
});
