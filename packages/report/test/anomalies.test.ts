// What cells that left their model look like in every document: how far, what was seen, and why, most likely.
import type { Anomaly, CellEvidence, ProcessShare } from "@roundtrip/analysis";
import { describe, expect, test } from "vitest";
import { loadFormat, type ReportInput } from "../src/index.ts";
import { defaultInput } from "./support/fixture.ts";

const share: ProcessShare = { loopDelayMeanMs: 1, loopDelayMaxMs: 3.2, stallMs: 0, gcShare: 0.012, gcMsPerCall: 0.01 };

const evidence: CellEvidence = {
  calls: 600,
  failedCalls: 0,
  connectionsPerCall: 0.82,
  connectionsPerCallAlone: 0,
  closedByServerShare: 0,
  callsAtOnce: 6,
  streams: null,
  ceiling: null,
  client: share,
  server: { ...share, loopDelayMaxMs: 4.5 },
  clientAlone: share,
  serverAlone: share,
  clientBusy: 0.3,
  serverBusy: 0.2,
  latenessMs: 0.02,
  clientDemandRatio: 1,
  serverDemandRatio: 1,
  bytesPerCall: 400,
  receiveWindowBytes: null,
  tcp: null,
};

function anomaly(changes: Partial<Anomaly>): Anomaly {
  return {
    armIds: [],
    study: "hello",
    name: "hello over REST, 6 callers who think 10 ms",
    model: "mean value analysis",
    unit: "ms",
    measured: 23.9,
    low: 22.1,
    high: 26,
    predictedLeast: 17.4,
    predictedMost: 17.4,
    ratio: 23.9 / 17.4,
    evidence,
    causes: [{ code: "connections-opened", text: "the client's pool closes connections and opens others" }],
    look: "",
    ...changes,
  };
}

const rounds = anomaly({
  name: "the first hello over gRPC",
  model: "round trips",
  unit: "round trips",
  measured: 3.1,
  low: 3.02,
  high: 3.18,
  predictedLeast: 2,
  predictedMost: 2,
  ratio: 1.55,
  causes: [],
  look: "look at windows",
});

async function rendered(name: string, anomalies: readonly Anomaly[]): Promise<string> {
  const input = defaultInput();
  const strange: ReportInput = { ...input, analysis: { ...input.analysis, anomalies } };
  return (await loadFormat(name)).render({ ...strange, page: { columns: 80, introducer: "" } });
}

describe("cells that left their model", () => {
  test("are a table of 80 columns in a terminal: figures first, then what was seen", async () => {
    const lines = (await rendered("terminal", [anomaly({})])).split("\n");
    const begin = lines.findIndex((line) => line.includes("cells that left their model, in ms"));
    const table = lines.slice(begin, begin + 20);
    expect(table.join("\n")).toMatch(/17\.4 +23\.9 +22\.1 to 26\.0 +\+37 %/);
    expect(table.join("\n")).toContain("connections opened");
    expect(table.join("\n")).toMatch(/ 0\.82 +0\.0200 +4\.50 +1\.2 %/);
    expect(Math.max(...table.map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  test("leave out in a terminal what does not fit, and say so", async () => {
    const many = Array.from({ length: 11 }, (_, index) => anomaly({ name: `cell ${index + 1}` }));
    const text = await rendered("terminal", many);
    expect(text).toContain("cell 8");
    expect(text).not.toContain("cell 9");
    expect(text.replaceAll(/\s+/g, " ")).toContain("3 more in the other formats.");
  });

  test.each(["html", "markdown", "json"])("describe what was seen in %s", async (name) => {
    expect(await rendered(name, [anomaly({})])).toMatch(/pool closes connections and opens others/);
  });

  test.each(["html", "markdown"])("of round trips are a table of their own in %s, with where to look", async (name) => {
    const text = await rendered(name, [anomaly({}), rounds]);
    expect(text).toContain("cells that left their model, in round trips per call");
    expect(text).toContain("look at windows");
    expect(text).toContain("3.02 to 3.18");
  });
});
