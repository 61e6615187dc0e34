// What a report says of findings that were published: whether the run shows them, in numbers of its own.
import { openResponses, type LoadSeries } from "@roundtrip/analysis";
import {
  idsFromName,
  type ArmLoad,
  type ArmTest,
  type PublishedFigures,
  type Scalar,
  type SeriesTest,
} from "@roundtrip/runs";
import { expect, test } from "vitest";
import type { ReportInput } from "../src/view/report-input.ts";
import { sourceText } from "../src/words/published-findings.ts";
import type { CostedArm } from "./support/arms.ts";
import { inputFrom } from "./support/fixture.ts";

const closed: ArmLoad = { loop: "closed", pacer: "exponential-think" };

interface Style {
  readonly stack: string;
  readonly title: string;
}

const grpc: Style = { stack: "grpc-js", title: "gRPC" };

function thinking(callers: number, thinkMs: number, latencyMs: number, style: Style = grpc): CostedArm {
  const factors: Readonly<Record<string, Scalar>> = { packets: 1, callers, thinkMs };
  const about = {
    study: "concurrency",
    task: "echo",
    ...style,
    ...idsFromName(style.stack),
    stackTitle: style.title,
    role: "style",
  } as const;
  return {
    arm: {
      id: JSON.stringify([style.stack, factors]),
      ...about,
      variant: "single",
      factors,
      callsPerTask: 1,
      load: closed,
    },
    latencyMs,
    serverCpuMs: 4,
    clientCpuMs: 3,
    wireBytes: 3_000,
  };
}

const source: PublishedFigures = {
  study: "concurrency",
  name: "Somebody 1996",
  source: "Somebody, Something",
  setting: "Two machines.",
  caveats: ["Long ago."],
  claims: [{ found: "thinking shortens round trips", test: { kind: "thinking-shortens-round-trips" } }],
  rows: [],
};

const shorter = [thinking(1, 0, 8), thinking(9, 0, 40), thinking(9, 8, 20)];

test("a finding that the run shows is confirmed, with its numbers", () => {
  expect(sourceText(inputFrom(shorter, 60), source)).toMatch(
    /^Somebody, Something\. Two machines\. Long ago\. It found that thinking shortens round trips\. Holds here: round trips went over gRPC with 9 callers from [\d.]+ ms at 0 ms to [\d.]+ ms at 8 ms of thinking\.$/,
  );
});

test("one that the run shows otherwise is not", () => {
  const longer = [thinking(1, 0, 8), thinking(9, 0, 20), thinking(9, 8, 40)];
  expect(sourceText(inputFrom(longer, 60), source)).toContain("Does not hold here: round trips went over gRPC");
});

test("one that it has not measured is left open", () => {
  const alone = [thinking(1, 0, 8), thinking(1, 8, 8)];
  const open = { ...source, study: "load-rates" };
  expect(sourceText(inputFrom(alone, 60), open)).toContain(
    "It found that thinking shortens round trips; this run cannot show it.",
  );
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
  expect(sourceText(loaded({ 50: 6, 150: 9, 240: 40, 400: 200 }), explodes)).toContain(
    "Holds here: of what one processor can do, gRPC: 9.00 ms at 60 %, 200 ms at 160 %.",
  );
  expect(sourceText(loaded({ 150: 9, 400: 10 }), explodes)).toContain("Does not hold here:");
  expect(sourceText(loaded({ 150: 90, 400: 200 }), explodes)).toContain("Does not hold here:");
  expect(sourceText(loaded({ 150: 9, 400: null }), explodes)).toContain("this run cannot show it");
});

test("a knee is the last rate before calls take three times as long as alone, or is unclear", () => {
  const knee = claimed("knee-moves");
  expect(sourceText(loaded({ 50: 6, 150: 17, 240: 18, 400: 9 }), knee)).toContain(
    "calls took less than 3 times as long as alone over gRPC up to 150 per second",
  );
  expect(sourceText(loaded({ 50: null, 150: 7 }), knee)).toContain("gRPC at no rate that was measured");
});

/** A read over gRPC that takes so long, and twice that over REST. */
function reads(latencyMs: number, invoices: number): readonly CostedArm[] {
  return ["grpc", "rest"].map((style, index) => {
    const timed = thinking(1, 0, latencyMs * (index + 1), { stack: style, title: style });
    const { load: _, ...arm } = timed.arm;
    return { ...timed, arm: { ...arm, id: `${style} ${invoices}`, factors: { invoices } } };
  });
}

function judged(armTest: ArmTest): string {
  const arms = [...reads(2, 1), ...reads(8, 4)];
  return sourceText(inputFrom(arms, 60), { ...source, claims: [{ found: "it was so", test: armTest }] });
}

const [ofGrpc, ofRest] = [{ style: "grpc" }, { style: "rest" }];
const latency = { metrics: ["latencyMs"] } as const;

test("an order holds where each arm surely takes less than the next in every cell, and else does not", () => {
  expect(judged({ kind: "order", ...latency, arms: [ofGrpc, ofRest] })).toMatch(
    /Holds here: 2 of 2 cells within, 0 beyond, 0 open; ratios from 0\.\d+ \(0\.\d+ to 0\.\d+\) for grpc to rest: single, invoices: \d/,
  );
  expect(judged({ kind: "order", ...latency, arms: [ofRest, ofGrpc] })).toContain("Does not hold here: 0 of 2 cells");
});

test("a ratio is held against its limits, and is open where its interval crosses one of them", () => {
  const ratio = { kind: "ratio", ...latency, of: ofRest, to: ofGrpc } as const;
  expect(judged({ ...ratio, atLeast: 1.5, atMost: 2.5 })).toContain("Holds here: 2 of 2");
  expect(judged({ ...ratio, atMost: 1.5 })).toContain("Does not hold here: 0 of 2 cells within, 2 beyond");
  const [least = ""] = /(?<=ratios from )[\d.]+/.exec(judged(ratio)) ?? [];
  expect(judged({ ...ratio, atLeast: Number(least) })).toContain("Cannot tell: ");
  expect(judged({ ...ratio, of: { style: "soap" } })).toContain("this run cannot show it");
});

test("growth is the power of a factor, of any sum of metrics", () => {
  const growth = { kind: "growth", of: ofGrpc, factor: "invoices" } as const;
  expect(judged({ ...growth, ...latency, atLeast: 0.8, atMost: 1.2 })).toContain("Holds here: 1 of 1 cell within");
  const cpu = { metrics: ["serverCpuMsPerTask", "clientCpuMsPerTask"] };
  expect(judged({ ...growth, ...cpu, atMost: 0.2 })).toContain("powers of invoices from ");
  expect(judged({ ...growth, ...cpu, atLeast: 0.8 })).toContain("Does not hold here");
});
