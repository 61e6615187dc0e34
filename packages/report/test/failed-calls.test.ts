// Calls that failed under a load, as a table: how many of each cell, by how they ended.
import type { ArmLoad } from "@roundtrip/runs";
import { expect, test } from "vitest";
import { loadFormat } from "../src/index.ts";
import { costedArm, type CostedArm } from "./support/arms.ts";
import { inputFrom } from "./support/fixture.ts";

const load: ArmLoad = { loop: "open", pacer: "poisson" };

function armOf(rateHz: number): CostedArm {
  const about = { study: "load-rates", task: "power", stack: "grpc-js", title: "gRPC", variant: "single" };
  return costedArm({ id: `load-rates/${rateHz}`, ...about, factors: { arrivals: "poisson", rateHz }, load });
}

const input = inputFrom([100, 200, 1_300].map(armOf), 60);

test("cells of which calls failed have a row with the calls of each outcome; others have none", async () => {
  const callFailures = [
    { armId: "load-rates/200", calls: 1_200, counts: { RESOURCE_EXHAUSTED: 7 } },
    { armId: "load-rates/1300", calls: 1_200, counts: { RESOURCE_EXHAUSTED: 1_010, UNAVAILABLE: 4 } },
  ];
  const text = await (await loadFormat("markdown")).render({ ...input, analysis: { ...input.analysis, callFailures } });
  const rows = text
    .slice(text.indexOf("calls that failed, by outcome"))
    .split("\n")
    .filter((line) => line.startsWith("| "));
  expect(
    rows.slice(0, 4).map((row) =>
      row
        .split("|")
        .map((cell) => cell.trim())
        .slice(1, -1),
    ),
  ).toEqual([
    ["arm", "calls", "RESOURCE\\_EXHAUSTED", "UNAVAILABLE"],
    [expect.any(String), expect.any(String), expect.any(String), expect.any(String)],
    ["gRPC, 200 per second", "1,200", "7", "0"],
    ["gRPC, 1,300 per second", "1,200", "1,010", "4"],
  ]);
});
