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
    /^holds: the model knew\. Here: the median is [\d.]+ % over gRPC, the largest [\d.]+ %\.$/,
  );
  const strict = [{ found: "the model knew", test: { kind: "model-agrees", atMost: 1e-9 } as const }];
  expect(claimText(input, { ...source, claims: strict })).toMatch(/^does not hold: /);
  const early = { ...input, analysis: { ...input.analysis, rounds: { planned: 6, complete: 1, begun: 1 } } };
  expect(claimText(early, { ...source, claims })).toMatch(/^cannot tell: /);
  expect(claimText(input, { ...source, study: "load-rates", claims })).toContain("This run cannot show it.");
});

/** A server that takes 4 ms of 6 for a call, at rates with these response times. */
function loaded(responsesMs: Readonly<Record<number, number | null>>): ReportInput {
  const input = inputFrom(shorter, 60);
  const [alone] = input.analysis.arms;
  if (alone === undefined) throw new Error("no arm");
  const demand = { responseMs: 6, demandMs: 4, demandOf: "alone", threads: 1, serviceMs: 3.5 } as const;
  const points = Object.entries(responsesMs).map(([rate, responseMs]): LoadSeries["points"][number] => {
    const rateHz = Number(rate);
    return {
      armId: rate,
      rateHz,
      responseMs,
      low: responseMs,
      high: responseMs,
      percentiles: { p50Ms: responseMs, p90Ms: responseMs, p99Ms: responseMs, p999Ms: null },
      voidFor: [],
      offered: (rateHz * demand.demandMs) / 1_000,
      predicted: openResponses(demand, rateHz),
      replayedMs: 10,
    };
  });
  const series: LoadSeries = { study: "load-rates", task: "power", alone, demand, points };
  return { ...input, analysis: { ...input.analysis, loadSeries: [series] } };
}

function claimed(kind: SeriesTest["kind"]): PublishedFigures {
  return { ...source, study: "load-rates", claims: [{ found: "it was so", test: { kind } }] };
}

test("response times that are short below capacity and long above it are an explosion, others are not", () => {
  const explodes = claimed("response-explodes-at-capacity");
  expect(claimText(loaded({ 50: 6, 150: 9, 240: 40, 400: 200 }), explodes)).toContain(
    "holds: it was so. Here: of what one processor can do, gRPC: 9.00 ms at 60 %, 200 ms at 160 %.",
  );
  expect(claimText(loaded({ 150: 9, 400: 10 }), explodes)).toMatch(/^does not hold:/);
  expect(claimText(loaded({ 150: 90, 400: 200 }), explodes)).toMatch(/^does not hold:/);
  expect(claimText(loaded({ 150: 9, 400: null }), explodes)).toContain("This run cannot show it");
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
  const inProcess = { id: "own", ...idsFromName("in-process"), role: "in-process" } as const;
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
      `^holds: .*ratios ${multiple} for grpc to in-process: [^;]+; ${multiple} for rest to in-process: [^;]+$`,
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

test("what no run can show names the command that does", () => {
  const claims = [{ found: "it was so", test: { kind: "elsewhere", needs: "two machines", command: "go" } as const }];
  expect(claimText(inputFrom(shorter, 60), { ...source, claims })).toBe(
    "cannot tell: it was so. It needs two machines: go.",
  );
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
