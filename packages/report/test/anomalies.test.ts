// What cells that left their model look like in every document: how far, what was seen, and why, most likely.
import type { Anomaly } from "@roundtrip/analysis";
import { describe, expect, test } from "vitest";
import { calm, suspect } from "../../analysis/test/anomalies/suspect.ts";
import { loadFormat } from "../src/index.ts";
import { defaultInput } from "./support/fixture.ts";

const client = { ...calm, loopDelayMaxMs: 3.2, gcShare: 0.012 };
const server = { ...client, loopDelayMaxMs: 4.5 };
const strange = suspect({ connectionsPerCall: 0.82, client, server, latenessMs: 0.02 }, 23.9);

function anomaly(changes: Partial<Anomaly>): Anomaly {
  return {
    ...strange,
    study: "hello",
    name: "hello over REST, 6 callers who think 10 ms",
    low: 22.1,
    high: 26,
    predictedLeast: 17.4,
    predictedMost: 17.4,
    ratio: 23.9 / 17.4,
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
  const page = { columns: 80, introducer: "" };
  return (await loadFormat(name)).render({ ...input, analysis: { ...input.analysis, anomalies }, page });
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
