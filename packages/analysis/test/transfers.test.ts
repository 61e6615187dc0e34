// Bulk data over a distance: how fast it went, and what limits it.
import { expect, test } from "vitest";
import { describeSamples, sortedCopy } from "../src/statistics/describe-samples.ts";
import type { Exchange } from "../src/distance/round-trips.ts";
import { transfers, type Transfer } from "../src/distance/transfers.ts";
import type { Metric, Summary } from "../src/metrics/summarise.ts";
import { armFor, unlimitedExchange } from "./synthetic-run.ts";

const arm = armFor({ id: "a", stack: "grpc-js", variant: "streamed", factors: { payloadBytes: 1_000_000, rttMs: 20 } });

const exchange: Exchange = { ...unlimitedExchange, responseBytes: 1_000_000 };

function summary(metric: Metric, value: number): Summary {
  const none = { meanLow: null, meanHigh: null, roundMeans: [value], p50Low: null, p50High: null };
  return { armId: "a", metric, ...describeSamples(sortedCopy([value])), ...none };
}

function transferOf(given: Partial<Exchange>, rttMs: number | null = 20): Transfer | undefined {
  const summaries = [summary("latencyMs", 400), summary("firstByteMs", 30), summary("pausesPerStream", 15)];
  return transfers(
    [arm],
    summaries,
    () => ({ ...exchange, ...given }),
    () => rttMs,
  )[0];
}

test("bytes per second are those of a whole call, from its start to its end", () => {
  expect(transferOf({})).toEqual({
    armId: "a",
    rttMs: 20,
    bytesMoved: 1_000_000,
    totalMs: 400,
    firstByteMs: 30,
    pauses: 15,
    bytesPerSecond: 2_500_000,
    opensConnection: false,
    mustBe: { leastMs: 20, mostMs: 20 },
    limit: null,
  });
});

test.each<[string, Partial<Exchange>, Transfer["limit"]]>([
  ["a TCP window in each round trip", { windowBytes: 65_536 }, { by: "TCP window", bytesPerSecond: 3_276_800 }],
  [
    "a window of HTTP/2 that is smaller",
    { windowBytes: 262_144, flowControlWindowBytes: 65_536 },
    { by: "HTTP/2 window", bytesPerSecond: 3_276_800 },
  ],
  [
    "a line that windows do not fill",
    { bandwidthMbps: 10, windowBytes: 65_536 },
    { by: "line", bytesPerSecond: 1_250_000 },
  ],
])("the limit is %s", (_, given, limit) => {
  expect(transferOf(given)?.limit).toEqual(limit);
});

test("what must be stands beside it, as two bounds where a window of HTTP/2 limits", () => {
  expect(transferOf({ windowBytes: 100_000 })?.mustBe).toEqual({ leastMs: 200, mostMs: 200 });
  expect(transferOf({ flowControlWindowBytes: 100_000 })?.mustBe).toEqual({ leastMs: 200, mostMs: 400 });
  // Three handshakes and settings, seven flights, an answer: TCP, TLS and gRPC on a new connection.
  const cold = transferOf({ opensConnection: true, connectRoundTrips: 1, tls: true });
  expect(cold).toMatchObject({ opensConnection: true, mustBe: { leastMs: 200, mostMs: 200 } });
});

test("small calls and arms without a distance are no transfers", () => {
  expect(transferOf({ responseBytes: 14_000 })).toBeUndefined();
  expect(transferOf({}, null)).toBeUndefined();
});

test("nearer than 10 ms nothing is called a pause: a message takes as long on a line", () => {
  expect(transferOf({}, 1)?.pauses).toBeNull();
});
