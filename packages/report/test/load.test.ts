// What loads look like in every document: response times beside models, where the time goes, and callers who think, as tables and as a picture.
import { openResponses, type Analysis, type ArmLoad, type LoadSeries, type Scalar } from "@roundtrip/analysis";
import { describe, expect, test } from "vitest";
import { formatNames, loadFormat, renderPlots, type ReportInput } from "../src/index.ts";
import type { CostedArm } from "./support/arms.ts";
import { inputFrom } from "./support/fixture.ts";

interface Wish {
  readonly study: string;
  readonly factors: Readonly<Record<string, Scalar>>;
  readonly load?: ArmLoad;
  readonly latencyMs: number;
}

function armOf({ study, factors, load, latencyMs }: Wish): CostedArm {
  const about = { study, task: "power", stack: "grpc-js", title: "gRPC", role: "style", variant: "single" } as const;
  const arm = { id: `${study}/${JSON.stringify(factors)}`, ...about, factors, callsPerTask: 1 };
  return {
    arm: load === undefined ? arm : { ...arm, load },
    latencyMs,
    serverCpuMs: 4,
    clientCpuMs: 3,
    wireBytes: 3_000,
  };
}

const open: ArmLoad = { loop: "open", pacer: "poisson" };
const rates = [100, 200, 300];
const loaded = [
  armOf({ study: "load-rates", factors: {}, latencyMs: 6 }),
  ...rates.map((rateHz) =>
    armOf({ study: "load-rates", factors: { arrivals: "poisson", rateHz }, load: open, latencyMs: rateHz / 10 }),
  ),
];

const demand = { responseMs: 6, demandMs: 4, scv: 0.03, threads: 1, serviceMs: 3.5 };

/** What analysis says of them; the load of 200 a second was not kept. */
function loadInput(): ReportInput {
  const input = inputFrom(loaded, 60);
  const [alone, ...others] = input.analysis.arms;
  if (alone === undefined) throw new Error("no arm");
  const series: LoadSeries = {
    study: "load-rates",
    task: "power",
    alone,
    demand,
    points: others.map(({ id }, index) => {
      const rateHz = rates[index] ?? 0;
      const isVoid = rateHz === 200;
      const measured = { responseMs: isVoid ? null : rateHz / 10, low: isVoid ? null : 9, high: isVoid ? null : 31 };
      const voidFor = isVoid ? ["the generator fell behind"] : [];
      const offered = (rateHz * demand.demandMs) / 1_000;
      return {
        armId: id,
        rateHz,
        ...measured,
        percentiles: {
          p50Ms: isVoid ? null : rateHz / 12,
          p90Ms: isVoid ? null : rateHz / 5,
          p99Ms: isVoid ? null : rateHz / 2,
          p999Ms: null,
        },
        voidFor,
        offered,
        predicted: openResponses(demand, rateHz),
        replayedMs: 12,
      };
    }),
  };
  const analysis: Analysis = { ...input.analysis, loadSeries: [series] };
  return { ...input, analysis };
}

const closed: ArmLoad = { loop: "closed", pacer: "exponential-think" };
const thinking = [
  [1, 0],
  [3, 0],
  [3, 2],
].map(([callers = 1, thinkMs = 0]) =>
  armOf({ study: "concurrency", factors: { packets: 1, callers, thinkMs }, load: closed, latencyMs: 6 + 2 * callers }),
);

const rendered = async (input: ReportInput, name: string): Promise<string> =>
  (await loadFormat(name)).render({ ...input, page: { columns: 80, colour: false } });

/** The lines of a table in a terminal, from its caption on. */
function linesFrom(text: string, caption: string): readonly string[] {
  const lines = text.split("\n");
  const begin = lines.findIndex((line) => line.includes(caption));
  expect(begin).toBeGreaterThanOrEqual(0);
  return lines.slice(begin, begin + 12);
}

describe("a run at rates of arrival", () => {
  test("says in a terminal of 80 columns what was measured beside what models predict, and no line is wider", async () => {
    const lines = linesFrom(await rendered(loadInput(), "terminal"), "response time beside models");
    expect(lines.find((line) => line.includes("100 per second"))).toMatch(
      /40\.0 % +10\.0 +9\.00 to 31\.0 +8\.67 +7\.37 +12\.0$/,
    );
    expect(lines.find((line) => line.includes("300 per second"))).toMatch(/120 % +30\.0 +9\.00 to 31\.0 +– +– +12\.0$/);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  test("shows a load that was not kept as void, with its predictions", async () => {
    const lines = linesFrom(await rendered(loadInput(), "terminal"), "response time beside models");
    expect(lines.find((line) => line.includes("200 per second"))).toMatch(/80\.0 % +void +– +22\.0 +14\.2 +12\.0$/);
  });

  test.each(formatNames())("names each rate in %s", async (name) => {
    expect(await rendered(loadInput(), name)).toMatch(/300 per second|"rateHz": ?300|,300/);
  });

  test("is a picture with a curve for each model, and says in words what it shows", async () => {
    const [plot] = (await renderPlots(loadInput())).filter(({ name }) => name.startsWith("response-"));
    expect(plot?.alt).toBe("Mean response time in ms: gRPC from 10.0 at 100 a second to 30.0 at 300.");
    expect(plot?.svg).toContain("M/G/1");
    expect(plot?.svg).toContain("void");
    expect(plot?.svg).not.toMatch(/NaN|Infinity/);
  });

  test("says where the time went, and what share of a processor the server had work for", async () => {
    const lines = linesFrom(await rendered(loadInput(), "terminal"), "where the time goes");
    expect(lines.join("\n")).toContain("one caller");
  });
});

describe("a run of several callers who think", () => {
  test("is the table of 1996: predicted, measured, standard deviation and error", async () => {
    const text = await rendered(inputFrom(thinking, 60), "terminal");
    const lines = linesFrom(text, "round trips of several callers");
    expect(lines.find((line) => / 1 +0 /.test(line))).toMatch(/fed$/);
    expect(lines.find((line) => / 3 +0 /.test(line))).toMatch(/−?\d+\.\d %$/);
    expect(text).toContain("demands of a call when one caller calls alone");
    expect(text.replaceAll(/\s+/g, " ")).toMatch(
      /Median absolute error over all calls: [\d.]+ % over gRPC \(largest [\d.]+ %\)\./,
    );
  });

  test("shows beside the demands of one caller what the same calls take at once, and after a pause", async () => {
    const factors = { packets: 1, callers: 1, thinkMs: 0 };
    const burst = armOf({ study: "concurrency", factors, load: closed, latencyMs: 30 });
    const arms = [
      ...thinking,
      armOf({ study: "concurrency", factors: { ...factors, thinkMs: 8 }, load: closed, latencyMs: 9 }),
      { ...burst, arm: { ...burst.arm, id: "burst", variant: "burst", callsPerTask: 6 } },
    ];
    const lines = linesFrom(await rendered(inputFrom(arms, 60), "terminal"), "demands of a call");
    // Six calls take 3 and 4 ms of the processors together; one after a pause takes what one takes alone.
    expect(lines.find((line) => line.startsWith("gRPC"))).toMatch(
      /[23]\.\d\d +0\.(49|50)\d* +[34]\.\d\d +0\.6\d* +[34]\.\d\d/,
    );
  });

  test("is a picture of round trips over think time, and no curve for each combination", async () => {
    const plots = await renderPlots(inputFrom(thinking, 60));
    const plot = plots.find(({ name }) => name.startsWith("think-"));
    expect(plot?.alt).toMatch(/gRPC with 3 callers from 1\d\.\d at 0 ms of think time to 1\d\.\d at 2 ms/);
    expect(plot?.svg).toContain("3 callers");
    expect(plot?.svg).not.toMatch(/NaN|Infinity/);
    expect(plots.filter(({ name }) => name.startsWith("curve-"))).toEqual([]);
  });
});
