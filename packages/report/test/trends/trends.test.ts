// Trends as tables and as a picture.
import { trendOf, type TrendPoint } from "@roundtrip/analysis";
import {
  historyCsv,
  mostPanels,
  renderTrends,
  revisionLabel,
  trendBreaksTable,
  trendChangesTable,
  trendTable,
  type TrendSeries,
} from "@roundtrip/report/trends";
import { parse } from "csv-parse/sync";
import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import { sparkline } from "../../src/trends/trend-tables.ts";

const environment = { cpuModel: "one", cores: 2, kernel: "6.1", runtime: "Node.js 24", link: "loopback" };

function pointsOf(means: readonly number[]): readonly TrendPoint[] {
  return means.map((mean, index) => ({
    runId: `run-${index}`,
    revision: `v${index}`,
    at: new Date(Date.UTC(2026, 0, 1 + index)).toISOString(),
    environment: index < 20 ? environment : { ...environment, cores: 4 },
    mean,
    low: null,
    high: null,
  }));
}

function seriesOf(stack: string, metric: string, means: readonly number[]): TrendSeries {
  const arm = { study: "hello", task: "hello", stack, title: stack.toUpperCase(), variant: "single", factors: {} };
  return { arm, metric, trend: trendOf(pointsOf(means)) };
}

const steady = Array.from({ length: 25 }, (_, index) => 2 + 0.01 * (index % 3));
const stepped = steady.map((value, index) => (index < 10 ? value : value * 1.5));
const series = [seriesOf("rest", "latencyMs", steady), seriesOf("grpc", "latencyMs", stepped)];
const runIds = pointsOf(steady).map(({ runId }) => runId);
const cells = (table: { readonly rows: readonly { readonly cells: readonly string[] }[] } | null) =>
  table?.rows.map((row) => row.cells);

function textsIn(svg: string): readonly string[] {
  return [...parseHTML(svg).document.querySelectorAll("text,tspan")].map(({ textContent }) => textContent ?? "");
}

describe("a table of trends", () => {
  it("has a line for each series: its last value, its course and its changes", () => {
    expect(cells(trendTable(series, "main"))).toEqual([
      ["REST hello: latency", "25", "2.00 ms", expect.stringMatching(/^[▁▄▅█]{24}$/), "none"],
      ["GRPC hello: latency", "25", "3.00 ms", expect.stringMatching(/^▁{9}[▇█]{15}$/), "+50 %"],
    ]);
  });

  it("has a line for each change: between which revisions, and how large", () => {
    expect(cells(trendChangesTable(series, "a note"))).toEqual([
      ["v10", "2026-01-11 00:00", "v9", "GRPC hello: latency", "+50 %", "2.01 → 3.01 ms", "0.001"],
    ]);
    expect(trendChangesTable([seriesOf("rest", "latencyMs", steady)], "a note")).toBeNull();
  });

  it("has each break of the environment once, however many series went through it", () => {
    expect(cells(trendBreaksTable(series))).toEqual([["v20", "2026-01-21 00:00", "cores: 2 → 4"]]);
    expect(trendBreaksTable([seriesOf("rest", "latencyMs", steady.slice(0, 20))])).toBeNull();
  });

  it("gives only the direction of a change from 0", () => {
    const counts = steady.map((_, index) => (index < 10 ? 0 : 1));
    const table = trendChangesTable([seriesOf("rest", "connectionsOpened", counts)], "");
    expect(cells(table)?.[0]?.slice(4, 6)).toEqual(["up", "0 → 1"]);
  });
});

describe("a picture of trends", () => {
  it("marks changes with their size and revision, and states the same in words", () => {
    const { svg, alt } = renderTrends(series, runIds, "Trends of main");
    expect(textsIn(svg)).toEqual(expect.arrayContaining(["+50 %", "v10", "REST hello: latency"]));
    expect(alt).toBe(
      "GRPC hello: latency is at 3.00 ms, changed by +50 % at v10; REST hello: latency is at 2.00 ms, without a change.",
    );
  });

  it("shows so many panels at most, those with changes first", () => {
    const many = Array.from({ length: mostPanels + 5 }, (_, index) =>
      seriesOf(`stack-${index}`, "latencyMs", index > mostPanels ? stepped : steady),
    );
    const { alt } = renderTrends(many, runIds, "Trends");
    expect(alt.split("; ")).toHaveLength(mostPanels);
    expect(alt).toMatch(/^STACK-25 hello: latency is at 3\.00 ms, changed by/);
  });

  it("keeps series apart whose names are alike", () => {
    const [one, other] = series;
    if (one === undefined || other === undefined) throw new Error("there are two");
    const alike = [one, { ...other, arm: { ...other.arm, title: "REST" } }];
    expect(cells(trendTable(alike, "main"))?.map(([name]) => name)).toEqual([
      "REST hello: latency (rest)",
      "REST hello: latency (grpc)",
    ]);
  });

  it("can be drawn of one run", () => {
    expect(renderTrends([seriesOf("rest", "latencyMs", [0])], ["run-0"], "Trends").svg).not.toContain("NaN");
  });
});

describe("small print of a history", () => {
  it("shortens commits and nothing else", () => {
    expect([revisionLabel("a".repeat(40)), revisionLabel("v1.4")]).toEqual(["a".repeat(10), "v1.4"]);
  });

  it("draws a line of text between the lowest and the highest value", () => {
    expect([sparkline([1, 2, 3], 9), sparkline([5, 1, 2, 3], 3), sparkline([4, 4], 9), sparkline([], 9)]).toEqual([
      "▁▅█",
      "▁▅█",
      "▄▄",
      "",
    ]);
  });

  it("writes CSV that comes back as it was, but for what a spreadsheet would run", () => {
    const lines = [
      { name: 'a "b", c', is: true, value: null },
      { name: "=1+1", is: false, value: 2.5 },
    ];
    const text = historyCsv(["name", "is", "value"], lines, true);
    expect(parse(text)).toEqual([
      ["name", "is", "value"],
      ['a "b", c', "true", ""],
      ["'=1+1", "false", "2.5"],
    ]);
  });
});
