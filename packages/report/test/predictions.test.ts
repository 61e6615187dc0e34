// Predictions as tables and pictures: what they say, and what foreign names do to them.
import {
  exactMva,
  mm1,
  readClosedNetwork,
  type ClosedNetwork,
  type OpenPrediction,
  type Simulation,
} from "@roundtrip/analysis/models";
import { describe, expect, it } from "vitest";
import {
  closedCharts,
  closedTable,
  openCharts,
  openTable,
  renderChart,
  type ClosedSweep,
  type OpenSweep,
} from "../src/predictions.ts";
import { inks, textTable, type Table } from "../src/text/text-table.ts";

const simulated: Simulation = {
  roundTrips: 10_000,
  throughputHz: 50,
  responseMs: 20,
  responseLowMs: 19.5,
  responseHighMs: 20.5,
  percentilesMs: { p50: 14, p90: 46, p95: 60, p99: 92 },
  stations: [],
};

function stableAt(rateHz: number): OpenPrediction | null {
  return rateHz < 100 ? mm1({ rateHz, serviceMs: 10 }) : null;
}

function openSweep(ratesHz: readonly number[], source: Simulation | null = null): OpenSweep {
  return {
    model: "M/M/1",
    setting: "10 ms",
    capacityHz: 100,
    points: ratesHz.map((rateHz) => ({
      rateHz,
      utilisation: rateHz / 100,
      prediction: stableAt(rateHz),
      simulated: source,
    })),
    curve: ratesHz.flatMap((rateHz) => stableAt(rateHz) ?? []),
  };
}

const network = readClosedNetwork({
  population: 4,
  thinkMs: 30,
  stations: [
    { name: "CPU", demandMs: 5 },
    { name: "wire", kind: "delay", demandMs: 3 },
  ],
});

function closedSweep(given: ClosedNetwork, populations: readonly number[]): ClosedSweep {
  const points = populations.map((population) => ({
    at: population,
    population,
    thinkMs: given.thinkMs,
    prediction: exactMva({ ...given, population }),
    simulated: null,
  }));
  const bounds = { bottleneck: "CPU", ceilingHz: 200, knee: 7.6 };
  return { factor: "population", points, curve: points, bounds };
}

function lines(table: Table | undefined): string {
  return table === undefined ? "" : textTable(table, 100, inks("")).join("\n");
}

describe("the table of an open queue", () => {
  it("omits figures that the model does not have", () => {
    const [headings] = [openTable(openSweep([50])).columns.map(({ heading }) => heading)];
    expect(headings).not.toContain("simulated response");
    expect(headings).toContain("p99");
  });

  it("shows a simulated mean with half its interval, and says what the sign means", () => {
    const text = lines(openTable(openSweep([50], simulated)));
    expect(text).toContain("20.0 ± 0.500");
    expect(text).toMatch(/±: half a 95 % interval/);
  });

  it("has a row without times for a load above capacity", () => {
    expect(openTable(openSweep([50, 100])).rows[1]?.cells).toEqual([
      "100",
      "100 %",
      ...Array.from({ length: 7 }, () => "–"),
    ]);
  });
});

describe("the table of a closed network", () => {
  it("names the busiest station, and the ceiling that it sets", () => {
    const text = lines(closedTable(closedSweep(network, [200])));
    expect(text).toContain("CPU 100 %");
    expect(text).toContain("No more than 200 round trips per second: CPU can serve no more.");
  });

  it("says whether the figures are exact", () => {
    const constant = readClosedNetwork({
      population: 4,
      stations: [{ name: "CPU", demandMs: 5, service: "constant" }],
    });
    expect(lines(closedTable(closedSweep(network, [4])))).toContain("Exact for this network.");
    expect(lines(closedTable(closedSweep(constant, [4])))).toContain("Approximate: constant service times");
  });
});

describe("the pictures", () => {
  const charts = [
    ...openCharts(openSweep([20, 50, 80, 120], simulated)),
    ...closedCharts(closedSweep(network, [1, 4, 16])),
  ];

  it.each(charts)("$name is one described image", (chart) => {
    const { svg, alt } = renderChart(chart);
    expect(svg.match(/<title /g)).toHaveLength(1);
    expect(svg).toContain(`<desc id="${chart.name}-desc">`);
    expect(alt.length).toBeGreaterThan(40);
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  });

  it("state where curves begin and end, and where capacity is", () => {
    expect(renderChart(charts[0] as (typeof charts)[number]).alt).toBe(
      "response time, ms over arrivals per second: mean from 12.5 at 20.0 to 50.0 at 80.0; p50 from 8.66 at 20.0 to 34.7 at 80.0; " +
        "p99 from 57.6 at 20.0 to 230 at 80.0; capacity at 100.",
    );
  });

  it("draw what is asked for on the curve, and the knee where it is in sight", () => {
    expect(closedCharts(closedSweep(network, [1, 4, 16])).map(({ limitLines }) => limitLines)).toEqual([
      [{ at: 7.6, label: "knee" }],
    ]);
    expect(closedCharts(closedSweep(network, [1, 4]))[0]?.limitLines).toEqual([]);
    expect(closedCharts(closedSweep(network, [1, 4]))[0]?.curves[0]?.asked).toHaveLength(2);
  });

  it("hold foreign names as text", () => {
    // A program may pass what no file may contain.
    const name = "<script>alert(1)</script>\u001B[31mred";
    const [chart] = closedCharts(closedSweep(network, [1, 3]));
    const [curve] = chart?.curves ?? [];
    if (chart === undefined || curve === undefined) throw new Error("no curve");
    const { svg } = renderChart({ ...chart, curves: [{ ...curve, label: name }] });
    expect(svg).not.toContain("<script");
    expect(svg).not.toContain("\u001B");
    expect(svg).toContain("&lt;script&gt;");
    const hostile = { ...network, stations: network.stations.map((station) => ({ ...station, name })) };
    expect(lines(closedTable(closedSweep(hostile, [1, 3])))).not.toContain("\u001B");
  });
});
