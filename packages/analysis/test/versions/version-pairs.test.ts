// Which arms are one thing in two versions.
import type { Arm, Scalar } from "@roundtrip/runs";
import { cellId, versionPairs } from "@roundtrip/analysis";
import { describe, expect, it } from "vitest";
import { armFor } from "../synthetic-run.ts";

function arm(stack: string, factors: Readonly<Record<string, Scalar>>): Arm {
  return armFor({ study: "gate", task: "hello", stack, variant: "single", factors });
}

describe("pairs of versions", () => {
  it("differ in their version alone, whatever the order of factors and arms", () => {
    const pairs = versionPairs([
      arm("rest-express", { version: "head", rateHz: 100 }),
      arm("grpc-js", { rateHz: 100, version: "base" }),
      arm("rest-express", { rateHz: 100, version: "base" }),
      arm("grpc-js", { version: "head", rateHz: 100 }),
      arm("rest-express", { rateHz: 200, version: "base" }),
      arm("rest-express", { rateHz: 200, version: "head" }),
    ]);
    expect(pairs.map(({ id, base, head }) => [id, base.factors["version"], head.factors["version"]])).toEqual([
      ["gate/hello/rest-express/single/rateHz=100", "base", "head"],
      ["gate/hello/grpc-js/single/rateHz=100", "base", "head"],
      ["gate/hello/rest-express/single/rateHz=200", "base", "head"],
    ]);
  });

  it("have cells that are called by arm and metric", () => {
    expect(cellId("gate/hello/grpc-js/single", "latencyMs")).toBe("gate/hello/grpc-js/single latencyMs");
  });
});
