// What a run over distance looks like in every document: round trips per call, crossovers, and the charts over distance.
import { type Crossover, type RoundTrips } from "@roundtrip/analysis";
import { idsFromName, type PublishedFigures } from "@roundtrip/runs";
import { describe, expect, test } from "vitest";
import { loadFormat, renderPlots } from "../src/index.ts";
import type { ReportInput } from "../src/view/report-input.ts";
import { costedArm, type CostedArm } from "./support/arms.ts";
import { inputFrom } from "./support/fixture.ts";

const distances = [1, 50, 100, 200];

function armsOf(stack: string, title: string, variant: string, callsPerTask: number): readonly CostedArm[] {
  const work = { study: "network-distance", stack, title, variant, callsPerTask };
  return distances.map((rttMs) =>
    costedArm({ ...work, factors: { rttMs } }, { latencyMs: callsPerTask * (rttMs + 1) }),
  );
}

const arms = [
  ...armsOf("grpc-js", "gRPC", "facade", 1),
  ...armsOf("grpc-js", "gRPC", "chatty", 6),
  ...armsOf("rest-express", "REST", "facade", 1),
];

function waited(given: Partial<RoundTrips>): RoundTrips {
  return {
    study: "network-distance",
    task: "read",
    ...idsFromName("grpc-js"),
    title: "gRPC",
    stackTitle: "gRPC",
    settings: {},
    variant: "facade",
    factors: {},
    armIds: arms.slice(0, 4).map(({ arm }) => arm.id),
    isFirstCall: false,
    callsInSequence: 1,
    opensConnections: false,
    tls: false,
    bytesPerCall: 512,
    perCall: 1.0123,
    low: 0.99,
    high: 1.03,
    predicted: 1,
    predictedMost: 1,
    asPredicted: true,
    interceptMs: 1.75,
    rounds: 6,
    ...given,
  };
}

const crossover: Crossover = {
  study: "network-distance",
  task: "read",
  variant: "chatty",
  ...idsFromName("grpc-js"),
  title: "gRPC",
  stackTitle: "gRPC",
  settings: {},
  facade: { ...idsFromName("rest-express"), title: "REST", stackTitle: "REST", settings: {} },
  aboveMs: 4.25,
  low: 3.75,
  high: 4.75,
  always: null,
  isClear: true,
  nearestMs: 1.02,
  farthestMs: 200.5,
  rounds: 6,
  armIds: [],
};

const wcf: PublishedFigures = {
  study: "network-distance",
  name: "WCF 2009",
  source: "Somebody",
  setting: "There.",
  caveats: [],
  claims: [],
  rows: [
    { label: "binary TCP", trips: 1.02, connection: {} },
    { label: "HTTPS", trips: 3.82, connection: { keepAlive: false, tls: true } },
  ].flatMap(({ label, trips, connection }) =>
    distances.map((rttMs) => ({
      label,
      task: "read",
      style: null,
      variant: "single",
      factors: { rttMs, ...connection },
      meanMs: 3 + trips * rttMs,
      stddevMs: null,
    })),
  ),
};

function distanceInput(): ReportInput {
  const input = inputFrom(arms, 50);
  const { facts, analysis } = input;
  const links = distances.map((rttMs) => ({ kind: "kernel", rttMs, mtuBytes: 1_500, asked: { rttMs } }));
  return {
    ...input,
    facts: { ...facts, environment: { ...facts.environment, links } },
    analysis: {
      ...analysis,
      breakEvens: [],
      memory: [],
      roundTrips: [
        waited({}),
        waited({ variant: "chatty", perCall: 1.2, low: 1.15, high: 1.25, asPredicted: false, callsInSequence: 6 }),
        waited({ isFirstCall: true, opensConnections: true, tls: true, perCall: 3.98, predicted: 4, predictedMost: 4 }),
      ],
      crossovers: [crossover],
    },
    published: [wcf],
  };
}

const input = distanceInput();
const render = async (name: string): Promise<string> => (await loadFormat(name)).render(input);

describe("a run over distance", () => {
  // The summary has one table, and the verdict has round trips.
  test.each(["csv", "html", "json", "markdown", "terminal"])("%s holds round trips per call", async (name) => {
    expect(await render(name)).toMatch(/1\.01/);
  });

  test("says in a table what was measured and what must be, the published by the same estimator, and marks what differs", async () => {
    const text = await render("terminal");
    expect(text).toMatch(/gRPC read, façade +kept +512 +1\.01 +0\.99 to 1\.03 +1 /);
    expect(text).toMatch(/gRPC read, chatty +kept +512 +1\.20 ≠ +1\.15 to 1\.25 +1 /);
    expect(text).toMatch(/gRPC read, façade +new, first call, TLS +– +3\.98 +0\.99 to 1\.03 +4 /);
    expect(text).toMatch(/read, binary TCP, WCF 2009 +kept +– +1\.02 /);
    expect(text).toMatch(/read, HTTPS, WCF 2009 +new for each call, TLS +– +3\.82 /);
  });

  test("names the links that were measured, and no growth since the nearest distance", async () => {
    const text = await render("terminal");
    expect(text).toContain("link kernel with round trips of 1 ms, 50 ms, 100 ms and 200 ms");
    expect(await render("markdown")).not.toContain("growth");
  });

  test("is drawn on a linear axis: round trips are straight lines", async () => {
    const curve = (await renderPlots(input)).find(({ name }) => name === "curve-network-distance-read");
    expect(curve?.alt).toContain("from 1 to 200");
    expect(curve?.svg).not.toContain("logarithmic");
  });
});
