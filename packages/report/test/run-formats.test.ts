import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { loadFormat } from "../src/index.ts";
import { defaultInput } from "./support/fixture.ts";

const input = defaultInput();
const rendered = async (name: string): Promise<string> => (await loadFormat(name)).render(input);
const latencies = input.analysis.summaries.filter(({ metric }) => metric === "latencyMs");

describe("a run for dashboards that follow a branch", () => {
  test("Bencher gets each arm's median in nanoseconds with its bounds, mean and p99", async () => {
    const benchmarks = JSON.parse(await rendered("bencher")) as Record<string, Record<string, { value: number }>>;
    for (const { armId, p50, p50Low, p50High, mean, p99 } of latencies) {
      expect(benchmarks[armId]).toMatchObject({
        latency: {
          value: p50 * 1e6,
          ...(p50Low === null ? {} : { lower_value: p50Low * 1e6 }),
          ...(p50High === null ? {} : { upper_value: p50High * 1e6 }),
        },
        "latency-mean": { value: mean * 1e6 },
      });
      expect(benchmarks[armId]?.["latency-p99"]?.value).toBe(p99 === null ? undefined : p99 * 1e6);
    }
    expect(latencies.length).toBeGreaterThan(0);
  });

  test("github-action-benchmark gets one chart for each arm and metric", async () => {
    const entries = JSON.parse(await rendered("github-action-benchmark")) as { name: string; value: number }[];
    for (const { armId, p50 } of latencies) {
      expect(entries.find(({ name }) => name === `${armId} latencyMs`)).toMatchObject({ unit: "ms", value: p50 });
    }
    expect(new Set(entries.map(({ name }) => name)).size).toBe(entries.length);
  });

  test("Otava gets a header and one row that starts with the time", async () => {
    const rows: Record<string, string>[] = parse(await rendered("otava"), { columns: true });
    expect(rows).toHaveLength(1);
    expect(rows[0]?.["time"]).toBe(input.facts.startedAt);
    for (const { armId, p50 } of latencies) expect(Number(rows[0]?.[`${armId} latencyMs`])).toBe(p50);
  });
});
