// What loads look like in every document: response times beside models, where the time goes, and callers who think, as tables and as a picture.
import { openResponses, type Analysis, type LoadSeries } from "@roundtrip/analysis";
import { idsFromName, type ArmLoad, type Scalar } from "@roundtrip/runs";
import { describe, expect, test } from "vitest";
import { loadFormat, renderPlots, type ReportInput } from "../src/index.ts";
import { costedArm, type CostedArm } from "./support/arms.ts";
import { inputFrom } from "./support/fixture.ts";

interface Wish {
  readonly study: string;
  readonly factors: Readonly<Record<string, Scalar>>;
  readonly load?: ArmLoad;
  readonly latencyMs: number;
}

function armOf({ latencyMs, ...work }: Wish): CostedArm {
  return costedArm({ task: "power", stack: "grpc-js", title: "gRPC", variant: "single", ...work }, { latencyMs });
}

/** What is found of one stack of which there is one arm. */
function ofStack(title: string) {
  return { ...idsFromName(title.toLowerCase()), title, armIds: [title] };
}

const open: ArmLoad = { loop: "open", pacer: "poisson" };
const rates = [100, 200, 300];
const loaded = [
  armOf({ study: "load-rates", factors: {}, latencyMs: 6 }),
  ...rates.map((rateHz) =>
    armOf({ study: "load-rates", factors: { arrivals: "poisson", rateHz }, load: open, latencyMs: rateHz / 10 }),
  ),
];

const demand = { responseMs: 6, demandMs: 4, demandOf: "alone", scv: 0.03, threads: 1, serviceMs: 3.5 } as const;

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
        replayedBlocksMs: [],
      };
    }),
  };
  const voidCells = series.points.flatMap(({ armId, voidFor }) =>
    voidFor.length > 0 ? [{ armId, codes: ["late"] as const, reasons: voidFor }] : [],
  );
  const analysis: Analysis = { ...input.analysis, loadSeries: [series], voidCells };
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
  (await loadFormat(name)).render({ ...input, page: { columns: 80, introducer: "" } });

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
    expect(lines.find((line) => line.includes("100/s"))).toMatch(
      /40\.0 % +10\.0 +9\.00 to 31\.0 +50\.0 +8\.67 +12\.0$/,
    );
    expect(lines.find((line) => line.includes("300/s"))).toMatch(/120 % +30\.0 +9\.00 to 31\.0 +150 +– +12\.0$/);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  test("has percentiles at each rate on a page, and the sign of a load that was not kept, explained once below", async () => {
    const markdown = await rendered(loadInput(), "markdown");
    const [, table = ""] = markdown.split("response time beside models, in ms");
    expect(table).toMatch(/100\/s *\|.*\| *8\.33 *\| *20\.0 *\| *50\.0/);
    expect(table).toMatch(/200\/s‡ *\| *80\.0 % *\| *void/);
    expect(table).toContain("‡ Void: the generator did not keep this load");
  });

  test("has a dash for a percentile that beginning late moved, and says why below each table with one", async () => {
    const { analysis, ...input } = loadInput();
    const loadSeries = analysis.loadSeries.map((one) => ({
      ...one,
      points: one.points.map((point) =>
        point.rateHz === 100 ? { ...point, percentiles: { ...point.percentiles, p99Ms: null } } : point,
      ),
    }));
    const armId = loadSeries[0]?.points.find(({ rateHz }) => rateHz === 100)?.armId ?? "";
    const lateTails = [{ armId, percentiles: ["p99"] as const }];
    const why = "–: a few tasks began late, by enough to move this percentile";
    const markdown = await rendered({ ...input, analysis: { ...analysis, loadSeries, lateTails } }, "markdown");
    const [, table = ""] = markdown.split("response time beside models, in ms");
    expect(table).toMatch(/100\/s *\|.*\| *8\.33 *\| *20\.0 *\| *–/);
    expect(table.split("\n\n").some((part) => part.includes(why))).toBe(true);
    expect(await rendered(loadInput(), "markdown")).not.toContain(why);
  });

  test("says what each stack carries within the limit, and that the generator was the limit where it was", async () => {
    const input = loadInput();
    const about = { study: "load-rates", task: "power", limitMs: 20, rounds: 6, isGeneratorLimit: false };
    const named = (title: string) => ({ ...about, ...ofStack(title), stackTitle: title, settings: {} });
    const carriedLoads: Analysis["carriedLoads"] = [
      { ...named("gRPC"), kind: "measured", rateHz: 4_735, low: 4_610, high: null },
      { ...named("A"), kind: "at-least", rateHz: 5_780, low: null, high: null, isGeneratorLimit: true },
      { ...named("B"), kind: "less-than", rateHz: 300, low: null, high: null },
      { ...named("C"), kind: "void", rateHz: 0, low: null, high: null },
    ];
    const closedLoop = { callers: 200, tasksPerSecond: 6_120, serverCpuMsPerTask: 0.1, clientUtilisation: 0.98 };
    const found = { limitMs: 20, foundHz: 5_900, limitedBy: "generator", closedLoop, probes: [] } as const;
    const capacities = [{ ...found, study: "load-rates", task: "power", ...ofStack("A") }];
    const facts = { ...input.facts, capacities };
    const shown = { ...input, facts, analysis: { ...input.analysis, carriedLoads } };
    const lines = linesFrom(await rendered(shown, "terminal"), "with p99 at 20.0 ms at most");
    const rowOf = (name: string) => lines.find((line) => line.startsWith(`${name} `));
    expect(rowOf("A")).toMatch(/≥ 5,780 +– +the generator +5,900 +6,120 \(98 %\)$/);
    expect(rowOf("gRPC")).toMatch(/4,735 +above 4,610 +p99 +– +–$/);
    expect(rowOf("B")).toMatch(/< 300 +–/);
    expect(rowOf("C")).toMatch(/void +–/);
  });

  test("shows a load that was not kept as void, with its predictions", async () => {
    const lines = linesFrom(await rendered(loadInput(), "terminal"), "response time beside models");
    expect(lines.find((line) => line.includes("200/s"))).toMatch(/80\.0 % +void +– +– +22\.0 +12\.0$/);
  });

  test.each(["csv", "html", "json", "markdown", "summary", "terminal"])("names each rate in %s", async (name) => {
    expect(await rendered(loadInput(), name)).toMatch(/300\/s|"rateHz": ?300|,300/);
  });

  test("is a picture with a curve for each model, and says in words what it shows", async () => {
    const [plot] = (await renderPlots(loadInput())).filter(({ name }) => name.startsWith("response-"));
    expect(plot?.alt).toBe("Mean response time in ms: gRPC from 10.0 at 100 a second to 30.0 at 300.");
    expect(plot?.svg).toContain("M/M/1");
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
    expect(text.replaceAll(/\s+/g, " ")).toMatch(
      /Absolute error, median and 90th percentile: [\d.]+ % and [\d.]+ % of 2 cells over gRPC \(largest [\d.]+ %\)\./,
    );
  });

  test("lead a page with their picture, and what a model says; all of them in a row are folded away", async () => {
    const page = await rendered(inputFrom(thinking, 60), "html");
    const folded = page.replaceAll(/<details>[^]*?<\/details>/g, "");
    expect(folded).toContain("round trips of several callers");
    expect(folded).not.toContain("mean latency per task");
    expect(page).toContain("all arms");
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
