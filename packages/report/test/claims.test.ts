// What a report says of findings that were published: whether the run shows them, in numbers of its own.
import { openResponses, type LoadSeries } from "@roundtrip/analysis";
import { idsFromName, type ArmLoad, type Scalar } from "@roundtrip/runs";
import { expect, test } from "vitest";
import type { PublishedFigures, ReportInput } from "../src/view/report-input.ts";
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
  claims: [{ found: "thinking shortens round trips", kind: "thinking-shortens-round-trips" }],
  rows: [],
};

const shorter = [thinking(1, 0, 8), thinking(9, 0, 40), thinking(9, 8, 20)];

test("a finding that the run shows is confirmed, with its numbers", () => {
  expect(sourceText(inputFrom(shorter, 60), source)).toMatch(
    /^Somebody, Something\. Two machines\. Long ago\. It found that thinking shortens round trips\. So it is here: round trips went over gRPC with 9 callers from [\d.]+ ms at 0 ms to [\d.]+ ms at 8 ms of thinking\.$/,
  );
});

test("one that the run shows otherwise is not", () => {
  const longer = [thinking(1, 0, 8), thinking(9, 0, 20), thinking(9, 8, 40)];
  expect(sourceText(inputFrom(longer, 60), source)).toContain("Not so here: round trips went over gRPC");
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

function claimed(kind: PublishedFigures["claims"][number]["kind"]): PublishedFigures {
  return { ...source, study: "load-rates", claims: [{ found: "it was so", kind }] };
}

test("response times that are short below capacity and long above it are an explosion, others are not", () => {
  const explodes = claimed("response-explodes-at-capacity");
  expect(sourceText(loaded({ 50: 6, 150: 9, 240: 40, 400: 200 }), explodes)).toContain(
    "So it is here: of what one processor can do, gRPC: 9.00 ms at 60 %, 200 ms at 160 %.",
  );
  expect(sourceText(loaded({ 150: 9, 400: 10 }), explodes)).toContain("Not so here:");
  expect(sourceText(loaded({ 150: 90, 400: 200 }), explodes)).toContain("Not so here:");
  expect(sourceText(loaded({ 150: 9, 400: null }), explodes)).toContain("this run cannot show it");
});

test("a knee is the last rate before calls take three times as long as alone, or is unclear", () => {
  const knee = claimed("knee-moves");
  expect(sourceText(loaded({ 50: 6, 150: 17, 240: 18, 400: 9 }), knee)).toContain(
    "calls took less than 3 times as long as alone over gRPC up to 150 per second",
  );
  expect(sourceText(loaded({ 50: null, 150: 7 }), knee)).toContain("gRPC at no rate that was measured");
});
