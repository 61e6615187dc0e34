// Round trips from first principles, against cases that can be counted by hand.
import { assert, boolean, constant, integer, oneof, property, record } from "fast-check";
import { expect, test } from "vitest";
import { predictedRoundTrips, sendingMs, type Exchange, type SendingPath } from "../src/distance/round-trips.ts";
import { unlimitedExchange } from "./synthetic-run.ts";

const rttsMs = [1, 50, 100, 200];
const warm: SendingPath = {
  isNew: false,
  windowBytes: Infinity,
  initialSegments: 10,
  rttMs: 50,
  bandwidthMbps: Infinity,
};

test.each<[string, Partial<Exchange>, number]>([
  ["a warm small call", {}, 1],
  ["the same over TLS, whose handshake was long ago", { tls: true }, 1],
  ["a small call on a new connection", { opensConnection: true }, 2],
  ["the same over TLS 1.3", { opensConnection: true, tls: true }, 3],
  ["a call of a client that first waits for the server's settings", { opensConnection: true, connectRoundTrips: 1 }, 3],
  ["a call whose body waits until the server asks for it", { asksFirst: true }, 2],
  ["277 KB on a warm connection without a limit", { responseBytes: 277_000 }, 1],
  // 14,480 + 28,960 + 57,920 + 115,840 = 217,200 bytes in four flights.
  ["277 KB on a new connection", { opensConnection: true, responseBytes: 277_000 }, 6],
  [
    "277 KB on a new connection whose first window is larger",
    { opensConnection: true, responseBytes: 277_000, initialSegments: 200 },
    2,
  ],
  [
    "277 KB through a window that only the other end has",
    { responseBytes: 277_000, windowBytes: 65_535, windowAt: "server" },
    1,
  ],
  ["277 KB through a window of 64 KB", { responseBytes: 277_000, windowBytes: 65_535 }, 5],
  ["277 KB through twice the window", { responseBytes: 277_000, windowBytes: 131_070 }, 3],
  [
    "277 KB there and back through a window of 64 KB",
    { requestBytes: 277_000, responseBytes: 277_000, windowBytes: 65_535 },
    9,
  ],
])("%s: %o takes %d", (_, given, roundTrips) => {
  expect(predictedRoundTrips({ ...unlimitedExchange, ...given }, rttsMs)).toEqual({
    least: roundTrips,
    most: roundTrips,
  });
});

// Ten segments of 1,448 bytes, doubled: what has been sent after each flight.
test.each([
  [14_480, 1],
  [14_481, 2],
  [43_440, 2],
  [101_360, 3],
  [217_200, 4],
  [448_880, 5],
  [912_240, 6],
  [1_838_960, 7],
  [3_692_400, 8],
  [3_900_000, 9],
])("slow start sends %d bytes in %d flights", (bytes, flights) => {
  expect(sendingMs(bytes, { ...warm, isNew: true })).toBe((flights - 1) * warm.rttMs);
});

test("a window of HTTP/2 gives two bounds: all of it, and half", () => {
  const bulk = { ...unlimitedExchange, responseBytes: 1_048_576, flowControlWindowBytes: 262_144 };
  expect(predictedRoundTrips(bulk, rttsMs)).toEqual({ least: 4, most: 8 });
  expect(predictedRoundTrips({ ...bulk, flowControlWindowBytes: 8_388_608 }, rttsMs)).toEqual({ least: 1, most: 1 });
  expect(predictedRoundTrips({ ...bulk, windowBytes: 65_536 }, rttsMs)).toEqual({ least: 16, most: 16 });
});

test("a line of some bandwidth adds its time on a warm connection, and no round trip", () => {
  const bulk = { ...unlimitedExchange, responseBytes: 3_900_000, bandwidthMbps: 100 };
  expect(predictedRoundTrips(bulk, rttsMs)).toEqual({ least: 1, most: 1 });
  // 3,900,000 bytes are 4,077,762 on the line.
  expect(sendingMs(3_900_000, { ...warm, bandwidthMbps: 100 })).toBeCloseTo(326.2, 1);
});

test("a full line ends slow start: near, all that counts is bandwidth", () => {
  const cold: SendingPath = { ...warm, isNew: true, rttMs: 1, bandwidthMbps: 100 };
  expect(sendingMs(3_900_000, cold)).toBeCloseTo(326.2, 1);
  // 625 KB are under way at 50 ms: six flights are less than that, and the rest goes out in one go.
  const restMs = ((3_900_000 - 912_240) * 1_514 * 8) / 1_448 / 100_000;
  expect(sendingMs(3_900_000, { ...cold, rttMs: 50 })).toBeCloseTo(6 * 50 + restMs, 6);
});

const anyBytes = integer({ min: 1, max: 10_000_000 });
const anyPath = record({
  isNew: boolean(),
  initialSegments: integer({ min: 1, max: 1_000 }),
  windowBytes: oneof(integer({ min: 1_000, max: 8_000_000 }), constant(Infinity)),
  rttMs: integer({ min: 0, max: 1_000 }),
  bandwidthMbps: oneof(integer({ min: 1, max: 10_000 }), constant(Infinity)),
});

test("a window divides: as many flights as windows fit the bytes", () => {
  assert(
    property(anyBytes, integer({ min: 1_000, max: 8_000_000 }), (bytes, windowBytes) => {
      const flights = Math.ceil(bytes / windowBytes);
      expect(sendingMs(bytes, { ...warm, windowBytes })).toBe((flights - 1) * warm.rttMs);
    }),
  );
});

test("more bytes, a longer path and a new connection never take less; more window and bandwidth never take more", () => {
  const slack = 1 + 1e-9;
  assert(
    property(anyBytes, anyPath, (bytes, path) => {
      const takes = sendingMs(bytes, path);
      const { rttMs, windowBytes, bandwidthMbps } = path;
      expect(sendingMs(bytes + 1_000, path) * slack).toBeGreaterThanOrEqual(takes);
      expect(sendingMs(bytes, { ...path, rttMs: rttMs + 10 }) * slack).toBeGreaterThanOrEqual(takes);
      expect(sendingMs(bytes, { ...path, isNew: true }) * slack).toBeGreaterThanOrEqual(takes);
      expect(sendingMs(bytes, { ...path, windowBytes: 2 * windowBytes })).toBeLessThanOrEqual(takes * slack);
      expect(sendingMs(bytes, { ...path, bandwidthMbps: 2 * bandwidthMbps })).toBeLessThanOrEqual(takes * slack);
    }),
  );
});

test("nothing is faster than its bandwidth, nor than a window in each round trip", () => {
  assert(
    property(anyBytes, anyPath, (bytes, path) => {
      const { rttMs, windowBytes, bandwidthMbps } = path;
      const takes = sendingMs(bytes, path) * (1 + 1e-9);
      expect(takes).toBeGreaterThanOrEqual((bytes * 8) / (bandwidthMbps * 1_000));
      expect(takes).toBeGreaterThanOrEqual((Math.ceil(bytes / windowBytes) - 1) * rttMs);
    }),
  );
});
