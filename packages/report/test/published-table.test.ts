// The table of a publication beside a run: ratios to a row that both have, first calls, and bytes per second.
import type { PublishedRow } from "@roundtrip/runs";
import { expect, test } from "vitest";
import { reportTable as countsTable } from "../src/tables/published-counts.ts";
import { reportTable } from "../src/tables/published.ts";
import { viewStudies } from "../src/view/run-view.ts";
import { djurhuus2020, rablou2010 } from "./support/published.ts";
import { defaultInput } from "./support/fixture.ts";

const input = defaultInput();

function tableOf(published: typeof rablou2010): ReturnType<typeof reportTable.tables>[number]["table"] | undefined {
  const of = { ...input, published: [published] };
  const study = viewStudies(of).find((view) => view.study === published.study);
  return study && reportTable.tables(of, study, "all")[0]?.table;
}

test("ratios are to the first row that has an arm here, theirs and ours", () => {
  const [rpc, ...others] = djurhuus2020.rows;
  if (rpc === undefined) throw new Error("there are three");
  const table = tableOf({ ...djurhuus2020, rows: [{ ...rpc, style: "json-rpc" }, ...others] });
  const ratios = table?.rows.map(({ cells }) => [cells[0], cells[3], cells[6]]);
  expect(ratios).toEqual([
    ["RPC", "0.92×", "–"],
    ["REST", "1.00×", "1.00×"],
    ["GraphQL", "1.04×", expect.stringMatching(/^[\d.]+×$/)],
  ]);
  expect(table?.note).toMatch(/to the row REST\.$/);
});

test("standard deviations stand beside ours where the source has any", () => {
  const table = tableOf(djurhuus2020);
  expect(table?.columns.map(({ heading }) => heading)).toEqual([
    "row",
    "theirs, ms",
    "std dev",
    "ratio",
    expect.stringMatching(/^here, /),
    "std dev",
    "ratio",
  ]);
  const deviations = table?.rows.map(({ cells }) => [cells[2], cells[5]]);
  const number = expect.stringMatching(/^[\d.,]+$/);
  expect(deviations).toEqual([
    ["1.19", number],
    ["1.58", number],
    ["2.52", number],
  ]);
  expect(tableOf(rablou2010)?.columns.map(({ heading }) => heading)).not.toContain("std dev");
  const predicted = tableOf({ ...djurhuus2020, rows: djurhuus2020.rows.map((row) => ({ ...row, predictedMs: 2 })) });
  expect(predicted?.columns.filter(({ heading }) => heading.endsWith("std dev"))).toHaveLength(2);
  expect(predicted?.rows.map(({ cells }) => cells.slice(3, 5))).toEqual([
    ["1.00×", "1.19"],
    ["1.08×", "1.58"],
    ["1.13×", "2.52"],
  ]);
});

test("a first call stands beside ours and not beside later calls, and a payload gives bytes per second", () => {
  const [first] = rablou2010.rows;
  if (first === undefined) throw new Error("there are twelve");
  const firstCall = { ...first, task: "read", label: "first call, most", firstCall: "max", meanMs: 600 } as const;
  const table = tableOf({ ...rablou2010, rows: [{ ...first, payloadBytes: 4 }, firstCall] });
  expect(table?.columns.map(({ heading }) => heading).slice(0, 4)).toEqual(["row", "theirs, ms", "ratio", "KB/s"]);
  expect(table?.rows.map(({ cells }) => cells.slice(1, 4))).toEqual([
    ["0.995", "1.00×", "4.02"],
    ["600", "603×", "–"],
  ]);
  const ours = table?.columns.findIndex(({ heading }) => heading.startsWith("REST")) ?? -1;
  const [later, most] = table?.rows.map(({ cells }) => Number(cells[ours]?.replaceAll(/[^\d.]/g, ""))) ?? [];
  expect(most).toBeGreaterThan(10 * (later ?? Infinity));
});

function countedRow(of: PublishedRow, value: number): PublishedRow {
  return { ...of, meanMs: null, stddevMs: null, counted: { metric: "callsPerSecond", value } };
}

test("what a source counted stands apart, as multiples of the first row that has an arm here", () => {
  const [rpc, rest] = djurhuus2020.rows;
  if (rpc === undefined || rest === undefined) throw new Error("there are three");
  const rows = [
    { ...countedRow(rpc, 0.7), style: "soap" },
    countedRow(rest, 1.4),
    { ...countedRow(rest, 3.2), label: "REST again" },
    { ...rest, meanMs: null, stddevMs: null, counted: { metric: "serverCpuShare", value: null }, label: "drawn there" },
  ];
  const published = { ...djurhuus2020, rows };
  expect(tableOf(published)).toBeUndefined();
  const { summaries } = input.analysis;
  const counted = summaries
    .filter(({ metric }) => metric === "latencyMs")
    .map((summary) => ({ ...summary, metric: "callsPerSecond", mean: 200, meanLow: 150, meanHigh: 250 }) as const);
  const shares = counted.map((summary) => ({ ...summary, metric: "serverCpuShare", mean: 0.5 }) as const);
  const others = summaries.filter(({ metric }) => metric !== "callsPerSecond" && metric !== "serverCpuShare");
  const analysis = { ...input.analysis, summaries: [...others, ...counted, ...shares] };
  const of = { ...input, analysis, published: [published] };
  const study = viewStudies(of).find((view) => view.study === published.study);
  const table = study && countsTable.tables(of, study, "all")[0]?.table;
  expect(table?.rows.map(({ cells }) => cells.slice(0, 3))).toEqual([
    [rpc.label, "0.700", "0.50×"],
    [rest.label, "1.40", "1.00×"],
    ["REST again", "3.20", "2.29×"],
    ["drawn there", "–", "–"],
  ]);
  const [, ofRest] = table?.rows ?? [];
  expect(ofRest?.cells.slice(3)).toEqual(["200", "1.00×", "150 to 250"]);
  // The only row of its metric is no multiple of another.
  expect(table?.rows.at(-1)?.cells.slice(3, 5)).toEqual(["0.500", "–"]);
  expect(table?.note).toMatch(/to the row REST\.$/);
});
