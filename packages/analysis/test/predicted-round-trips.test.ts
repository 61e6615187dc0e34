// Round trips from first principles, against cases that can be counted by hand.
import { assert, integer, property } from "fast-check";
import { expect, test } from "vitest";
import { flightsOf, predictedRoundTrips, type Exchange } from "../src/predicted-round-trips.ts";

const small: Exchange = {
  requestBytes: 100,
  responseBytes: 200,
  opensConnection: false,
  connectRoundTrips: 0,
  tls: false,
  windowBytes: Infinity,
};

test.each<[string, Partial<Exchange>, number]>([
  ["a warm small call", {}, 1],
  ["the same over TLS, whose handshake was long ago", { tls: true }, 1],
  ["a small call on a new connection", { opensConnection: true }, 2],
  ["the same over TLS 1.3", { opensConnection: true, tls: true }, 3],
  ["a call of a client that first waits for the server's settings", { opensConnection: true, connectRoundTrips: 1 }, 3],
  ["277 KB on a warm connection without a limit", { responseBytes: 277_000 }, 1],
  // 14,480 + 28,960 + 57,920 + 115,840 = 217,200 bytes in four flights.
  ["277 KB on a new connection", { opensConnection: true, responseBytes: 277_000 }, 6],
  ["277 KB through a window of 64 KB", { responseBytes: 277_000, windowBytes: 65_535 }, 5],
  ["277 KB through twice the window", { responseBytes: 277_000, windowBytes: 131_070 }, 3],
  [
    "277 KB there and back through a window of 64 KB",
    { requestBytes: 277_000, responseBytes: 277_000, windowBytes: 65_535 },
    9,
  ],
])("%s: %o takes %d", (_, given, roundTrips) => {
  expect(predictedRoundTrips({ ...small, ...given })).toBe(roundTrips);
});

test("a window divides: as many flights as windows fit the bytes", () => {
  assert(
    property(integer({ min: 1, max: 10_000_000 }), integer({ min: 1_000, max: 8_000_000 }), (bytes, windowBytes) => {
      expect(flightsOf(bytes, { isNew: false, windowBytes })).toBe(Math.ceil(bytes / windowBytes));
    }),
  );
});

test("slow start never helps, and a wider window never hurts", () => {
  assert(
    property(integer({ min: 0, max: 10_000_000 }), integer({ min: 1_000, max: 8_000_000 }), (bytes, windowBytes) => {
      const warm = flightsOf(bytes, { isNew: false, windowBytes });
      expect(flightsOf(bytes, { isNew: true, windowBytes })).toBeGreaterThanOrEqual(warm);
      expect(flightsOf(bytes, { isNew: false, windowBytes: 2 * windowBytes })).toBeLessThanOrEqual(warm);
    }),
  );
});
