// The operations of a mix as a table.
import { type OperationFigures } from "@roundtrip/analysis";
import { expect, test } from "vitest";
import { loadFormat } from "../src/index.ts";
import { costedArm } from "./support/arms.ts";
import { inputFrom } from "./support/fixture.ts";

function figures(armId: string, operation: string, share: number, p50Ms: number): OperationFigures {
  const latency = {
    meanMs: p50Ms,
    p50Ms,
    p50LowMs: p50Ms - 1,
    p50HighMs: p50Ms + 1,
    p90Ms: 2 * p50Ms,
    p99Ms: null,
    maxMs: 9,
  };
  return { armId, operation, share, calls: 1_000 * share, failedCalls: share < 0.5 ? 3 : 0, latency };
}

const work = { study: "day", task: "mix", variant: "mix" };
const arms = [
  costedArm({ ...work, stack: "grpc-js", title: "gRPC" }),
  costedArm({ ...work, stack: "rest-express", title: "REST" }),
];
const input = inputFrom(arms, 60);

test("has a row for each operation and stack, the most frequent operation first", async () => {
  const operations = arms.flatMap(({ arm: { id } }, index) => [
    figures(id, "shop.v1.Shop.ListThings", 0.2, 4 + index),
    figures(id, "shop.v1.Shop.GetThing", 0.8, 2 + index),
  ]);
  const text = await (await loadFormat("markdown")).render({ ...input, analysis: { ...input.analysis, operations } });
  const rows = text
    .slice(text.indexOf("each operation of the mix"))
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((row) =>
      row
        .split("|")
        .map((cell) => cell.trim())
        .slice(1, -1),
    );
  expect(rows[0]).toEqual([
    "operation and stack",
    "share",
    "calls",
    "failed",
    "median",
    "95 % interval",
    "p90",
    "longest",
  ]);
  expect(rows.slice(2, 6).map((row) => row.slice(0, 5))).toEqual([
    ["GetThing, gRPC", "80.0 %", "800", "–", "2.00"],
    ["GetThing, REST", "80.0 %", "800", "–", "3.00"],
    ["ListThings, gRPC", "20.0 %", "200", "3", "4.00"],
    ["ListThings, REST", "20.0 %", "200", "3", "5.00"],
  ]);
});
