// What a report says of findings that were published: whether the run shows them, in numbers of its own.
import { openResponses, type LoadSeries } from "@roundtrip/analysis";
import {
  idsFromName,
  type ArmLoad,
  type ArmSelector,
  type ArmTest,
  type PublishedClaim,
  type PublishedFigures,
  type SeriesTest,
} from "@roundtrip/runs";
import { expect, test } from "vitest";
import type { ReportInput } from "../src/view/report-input.ts";
import { judgedClaims } from "../src/words/published-findings.ts";
import { costedArm, type CostedArm } from "./support/arms.ts";
import { inputFrom } from "./support/fixture.ts";

const closed: ArmLoad = { loop: "closed", pacer: "exponential-think" };

interface Style {
  readonly stack: string;
  readonly title: string;
}

const grpc: Style = { stack: "grpc-js", title: "gRPC" };

function thinking(callers: number, thinkMs: number, latencyMs: number, style: Style = grpc): CostedArm {
  const work = { study: "concurrency", task: "echo", variant: "single", factors: { packets: 1, callers, thinkMs } };
  return costedArm({ ...work, ...style, load: closed }, { latencyMs });
}

const source: PublishedFigures = {
  study: "concurrency",
  name: "Somebody 1996",
  source: "Somebody, Something",
  setting: "Two machines.",
  caveats: ["Long ago."],
  claims: [],
  rows: [],
};

const shorter = [thinking(1, 0, 8), thinking(9, 0, 40), thinking(9, 8, 20)];

/** The verdict and the sentence of the only claim. */
function claimText(input: ReportInput, figures: PublishedFigures): string {
  return judgedClaims(input, figures)
    .map(({ verdict, text }) => `${verdict}: ${text}`)
    .join("\n");
}

test("a model agrees where its median error is within the limit, and cannot be judged by few rounds", () => {
  const claims = [{ found: "the model knew", test: { kind: "model-agrees", atMost: 10 } as const }];
  const input = inputFrom(shorter, 60);
  expect(claimText(input, { ...source, claims })).toMatch(
    /^holds: the model knew\. Here: median error, as a share of what was measured, [\d.]+ \([\d.]+ to [\d.]+\) for gRPC, cells: 2\.$/,
  );
  const strict = [{ found: "the model knew", test: { kind: "model-agrees", atMost: 1e-9 } as const }];
  expect(claimText(input, { ...source, claims: strict })).toMatch(/^does not hold: /);
  const summaries = input.analysis.summaries.map((row) => ({ ...row, roundMeans: row.roundMeans.slice(0, 1) }));
  const early = {
    ...input,
    analysis: { ...input.analysis, summaries, rounds: { planned: 6, complete: 1, begun: 1 } },
  };
  expect(claimText(early, { ...source, claims })).toMatch(/^cannot tell: /);
  expect(claimText(input, { ...source, study: "load-rates", claims })).toContain("This run cannot show it.");
});

/** A server that takes 4 ms of 6 for a call, at rates with these response times. */
function loaded(responsesMs: Readonly<Record<number, number>>): ReportInput {
  const alone = { ...thinking(1, 0, 6), id: "alone" };
  const arms = Object.entries(responsesMs).map(([rate, latencyMs]) => {
    const timed = thinking(1, 0, latencyMs);
    const load: ArmLoad = { loop: "open", pacer: "poisson", mostInFlight: 500 };
    const factors = { arrivals: "poisson", rateHz: Number(rate) };
    return { ...timed, arm: { ...timed.arm, id: rate, study: "load-rates", factors, load } };
  });
  const input = inputFrom([alone, ...arms], 600);
  const demand = { responseMs: 6, demandMs: 4, demandOf: "alone", threads: 1, serviceMs: 3.5 } as const;
  const points = arms.map(({ arm: { id } }): LoadSeries["points"][number] => {
    const rateHz = Number(id);
    const row = input.analysis.summaries.find(({ armId, metric }) => armId === id && metric === "latencyMs");
    return {
      armId: id,
      rateHz,
      responseMs: row?.mean ?? null,
      low: row?.meanLow ?? null,
      high: row?.meanHigh ?? null,
      percentiles: { p50Ms: null, p90Ms: null, p99Ms: null, p999Ms: null },
      voidFor: [],
      offered: (rateHz * demand.demandMs) / 1_000,
      predicted: openResponses(demand, rateHz),
      replayedMs: 10,
      replayedBlocksMs: [10, 10, 10, 10, 10, 10],
    };
  });
  const series: LoadSeries = { study: "load-rates", task: "power", alone: alone.arm, demand, points };
  return { ...input, analysis: { ...input.analysis, loadSeries: [series] } };
}

function claimed(decides: SeriesTest): PublishedFigures {
  return { ...source, study: "load-rates", claims: [{ found: "it was so", test: decides }] };
}

test("response times are flat below capacity, and explode above it, by the interval of a ratio", () => {
  const flat = claimed({ kind: "response-over-load", upTo: 0.7, atMost: 1.5 });
  const explodes = claimed({ kind: "response-over-load", from: 1.3, atLeast: 3 });
  const steep = loaded({ 50: 6, 150: 7, 240: 40, 400: 200 });
  expect(claimText(steep, flat)).toMatch(/^holds: .* arrivals per second: 150 to arrivals per second: 50: /);
  expect(claimText(steep, explodes)).toMatch(/^holds: .* arrivals per second: 400 to arrivals per second: 50: /);
  const gentle = loaded({ 50: 6, 150: 12, 400: 13 });
  expect(claimText(gentle, flat)).toMatch(/^does not hold:/);
  expect(claimText(gentle, explodes)).toMatch(/^does not hold:/);
  expect(claimText(loaded({ 50: 6, 150: 9 }), flat)).toMatch(/^cannot tell:/);
  expect(claimText(loaded({ 50: 6, 240: 40 }), flat)).toContain("This run cannot show it");
});

test("M/M/1 is compared at each rate that one server carries", () => {
  const agrees = claimed({ kind: "queue-agrees", model: "response", within: 0.2 });
  // 1 / (1 / 6 − λ): 8.57 ms at 50 a second, 15 at 100.
  expect(claimText(loaded({ 50: 8.57, 100: 15, 400: 200 }), agrees)).toMatch(/^holds: .* for gRPC.*: 100; .*: 50\.$/);
  expect(claimText(loaded({ 50: 15, 100: 25 }), agrees)).toMatch(/^does not hold: /);
});

function judgedBy(model: "response" | "processor" | "arrivals", responsesMs: Readonly<Record<number, number>>): string {
  return claimText(loaded(responsesMs), claimed({ kind: "queue-agrees", model, within: 0.2 }));
}

test("one rate that is surely not a queue's decides, and each model has its own prediction", () => {
  expect(judgedBy("response", { 50: 8.57, 100: 25 })).toMatch(/^does not hold: /);
  // A wait of 1 ms at 50 a second and 2.67 at 100, by 4 ms of the processor.
  expect(judgedBy("processor", { 50: 7, 100: 8.67 })).toMatch(/^holds: .* M\/M\/1 with μ from processor time 1\./);
  expect(judgedBy("processor", { 50: 8.57, 100: 15 })).toMatch(/^does not hold: /);
  expect(judgedBy("arrivals", { 50: 10 })).toMatch(/^holds: .* the same arrivals /);
  expect(judgedBy("arrivals", { 50: 15 })).toMatch(/^does not hold: /);
});

test("rounds that differ cancel in the ratio of any metric", () => {
  const input = inputFrom(shorter, 60);
  const uneven = [1, 4, 2, 1, 8, 2];
  const [aloneId] = input.analysis.arms.map(({ id }) => id);
  const summaries = input.analysis.summaries.map((row) => {
    if (row.metric !== "serverCpuMsPerTask") return row;
    const factor = row.armId === aloneId ? 1 : 2;
    return { ...row, meanLow: 0.1, meanHigh: 10, roundMeans: uneven.map((value) => value * factor) };
  });
  const [of, to] = [
    { callers: 9, thinkMs: 0 },
    { callers: 1, thinkMs: 0 },
  ];
  const metrics = ["serverCpuMsPerTask"];
  const decides = { kind: "ratio", of, to, metrics, atLeast: 1.9, atMost: 2.1 } as const;
  const claims = [{ found: "it was so", test: decides }];
  const judgedInput = { ...input, analysis: { ...input.analysis, summaries } };
  expect(claimText(judgedInput, { ...source, claims })).toContain("holds: it was so. Here: ratios 2.00 (2.00 to 2.00)");
});

test("a simulation is compared with the model in every cell, and in published rows whose demands are known", () => {
  const claims = [{ found: "they agree", test: { kind: "simulation-agrees", within: 0.2 } as const }];
  const input = inputFrom(shorter, 60);
  expect(claimText(input, { ...source, claims })).toMatch(/^holds: they agree\. Here: simulated over predicted .*\.$/);
  const busy = { name: "CPU", service: "constant", demandMs: 5 };
  const row = { label: "1 packet", task: "echo", style: null, variant: "single", factors: {}, meanMs: 20, stddevMs: 1 };
  const network = { population: 4, thinkMs: 0, stations: [busy] };
  const rows = [
    { ...row, predictedMs: 20, network },
    { ...row, predictedMs: null, network },
    { ...row, predictedMs: 10, network },
    { ...row, predictedMs: 40, network },
  ];
  expect(claimText(input, { ...source, claims, rows: rows.slice(0, 2) })).toMatch(
    /Their own figures: holds; simulated over predicted 1\.00 \(1\.00 to 1\.00\) for 1 packet\.$/,
  );
  expect(claimText(input, { ...source, claims, rows })).toContain("Their own figures: does not hold; ");
});

/** A read over gRPC that takes so long, and twice that over REST. */
function reads(latencyMs: number, invoices: number): readonly CostedArm[] {
  return ["grpc", "rest"].map((style, index) => {
    const timed = thinking(1, 0, latencyMs * (index + 1), { stack: style, title: style });
    const { load: _, ...arm } = timed.arm;
    return { ...timed, arm: { ...arm, id: `${style} ${invoices}`, factors: { invoices } } };
  });
}

function judged(armTest: ArmTest, claim: Partial<PublishedClaim> = {}): string {
  const arms = [...reads(2, 1), ...reads(8, 4)];
  return claimText(inputFrom(arms, 600), { ...source, claims: [{ found: "it was so", test: armTest, ...claim }] });
}

const [ofGrpc, ofRest] = [{ style: "grpc" }, { style: "rest" }];
const latency = { metrics: ["latencyMs"] } as const;

test("an order holds where each arm surely takes less than the next in every cell, and else does not", () => {
  expect(judged({ kind: "order", ...latency, arms: [ofGrpc, ofRest] })).toMatch(
    /^holds: it was so\. Here: ratios 0\.\d+ \(0\.\d+ to 0\.\d+\) for grpc to rest: single, \d invoices?; 0\.\d+ /,
  );
  expect(judged({ kind: "order", ...latency, arms: [ofRest, ofGrpc] })).toMatch(/^does not hold: /);
});

test("a ratio is held against its limits, and is open where its interval crosses one of them", () => {
  const ratio = { kind: "ratio", ...latency, of: ofRest, to: ofGrpc } as const;
  expect(judged({ ...ratio, atLeast: 1.5, atMost: 2.5 })).toMatch(/^holds: /);
  expect(judged({ ...ratio, atMost: 1.5 })).toContain("does not hold: ");
  const [least = ""] = /(?<=ratios )[\d.]+/.exec(judged(ratio)) ?? [];
  expect(judged({ ...ratio, atLeast: Number(least) })).toContain("cannot tell: ");
  expect(judged({ ...ratio, of: { style: "soap" } })).toContain("This run cannot show it");
});

test("a claim that does not hold over all styles names those over which it does", () => {
  const growth = { kind: "ratio", of: { invoices: 4 }, to: { invoices: 1 }, ...latency } as const;
  const [cheap, dear] = reads(8, 4);
  if (cheap === undefined || dear === undefined) throw new Error("no arm");
  const textOf = (arms: readonly CostedArm[]): string =>
    claimText(inputFrom([...reads(2, 1), ...arms], 600), {
      ...source,
      claims: [{ found: "it was so", test: { ...growth, atMost: 5 } }],
    });
  expect(textOf([cheap, dear])).toMatch(/^holds: (?!.*it holds over)/);
  expect(textOf([cheap, { ...dear, ...reads(40, 4)[1] }])).toMatch(/^does not hold: .*; it holds over grpc\.$/);
});

test("a claim says why it does not hold, and only then", () => {
  const ratio = { kind: "ratio", ...latency, of: ofRest, to: ofGrpc } as const;
  const otherwise = "Machines are faster";
  expect(judged({ ...ratio, atMost: 1.5 }, { otherwise })).toMatch(/^does not hold: .* Machines are faster\.$/);
  expect(judged({ ...ratio, atLeast: 1.5 }, { otherwise })).not.toContain(otherwise);
});

test("an arm in process is compared only where a selector names it, and an empty value selects arms without a factor", () => {
  const [read] = reads(2, 1);
  if (read === undefined) throw new Error("no arm");
  const { invoices: _, ...factors } = read.arm.factors;
  const inProcess = {
    id: "own",
    ...idsFromName("in-process"),
    stackTitle: "in process",
    role: "in-process",
  } as const;
  const arms = [
    ...reads(200, 1),
    { ...read, arm: { ...read.arm, ...inProcess } },
    { ...read, arm: { ...read.arm, id: "bare", factors } },
  ];
  const textOf = (of: ArmSelector, to: ArmSelector): string => {
    const claims = [{ found: "it was so", test: { kind: "ratio", of, to, atLeast: 10 } as const }];
    return claimText(inputFrom(arms, 600), { ...source, claims });
  };
  const multiple = String.raw`\d+ \([\d.]+ to \d+\) × [\d.]+ (?:µs|ms)`;
  expect(textOf({ invoices: 1 }, { style: "in-process", invoices: 1 })).toMatch(
    new RegExp(
      `^holds: .*ratios ${multiple} for grpc to in process: [^;]+; ${multiple} for rest to in process: [^;]+$`,
    ),
  );
  expect(textOf({ style: "grpc", invoices: 1 }, { style: "grpc", invoices: "" })).toMatch(/^holds: /);
});

test("with many cells their number within, beyond and open is enough, with the ends", () => {
  const arms = [1, 2, 3, 4].flatMap((invoices) => reads(2 * invoices, invoices));
  const claims = [{ found: "it was so", test: { kind: "ratio", of: ofRest, to: ofGrpc, atLeast: 1.5 } as const }];
  expect(claimText(inputFrom(arms, 600), { ...source, claims })).toMatch(
    /^holds: it was so\. Here: 4 of 4 cells within, 0 beyond, 0 open; ratios from [\d.]+ .*, up to [\d.]+ /,
  );
});

test.each([
  ["go", "cannot tell: it was so. It needs two machines: go."],
  [undefined, "cannot tell: it was so. It needs two machines."],
])("what no run can show names the command that does, if one does", (command, expected) => {
  const claims = [{ found: "it was so", test: { kind: "elsewhere", needs: "two machines", command } as const }];
  expect(claimText(inputFrom(shorter, 60), { ...source, claims })).toBe(expected);
});

function repeatedRow(style: string, factor: number): PublishedFigures["rows"][number] {
  const roundMeansMs = [10, 11, 9, 10, 10.5, 9.5].map((ms) => ms * factor);
  const place = { label: style, task: "echo", style, variant: "single", factors: {} };
  return { ...place, meanMs: 10 * factor, stddevMs: null, roundMeansMs };
}

test("the authors' own figures are judged by the same rules, over their repetitions", () => {
  const rows = [repeatedRow("grpc", 1), repeatedRow("rest", 2)];
  const claims = [
    { found: "it was so", test: { kind: "ratio", of: ofRest, to: ofGrpc, atLeast: 1.9, atMost: 2.1 } as const },
  ];
  expect(claimText(inputFrom(shorter, 60), { ...source, rows, claims })).toContain(
    "Their own figures: holds; ratios 2.00 (2.00 to 2.00) for rest to grpc: single.",
  );
});

test("growth is the power of a factor, of any sum of metrics", () => {
  const growth = { kind: "growth", of: ofGrpc, factor: "invoices" } as const;
  expect(judged({ ...growth, ...latency, atLeast: 0.8, atMost: 1.2 })).toMatch(/^holds: /);
  const cpu = { metrics: ["serverCpuMsPerTask", "clientCpuMsPerTask"] };
  expect(judged({ ...growth, ...cpu, atMost: 0.2 })).toContain("powers of invoices ");
  expect(judged({ ...growth, ...cpu, atLeast: 0.8 })).toContain("does not hold: ");
});
