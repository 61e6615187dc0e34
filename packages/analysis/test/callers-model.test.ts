// Several callers, predicted from what one of them takes of processors that had more or less rest before.
import { array, assert, double, integer, property, record } from "fast-check";
import { describe, expect, it } from "vitest";
import { callDemands, callNetwork, callersRoundTripMs, demandAfter } from "../src/load/call-network.ts";
import { noGarbage } from "../src/metrics/garbage.ts";
import { exactMva } from "../src/models/exact-mva.ts";

const time = double({ min: 0.01, max: 5, noNaN: true });
const calls = record({ clientMs: time, serverMs: time, restMs: time });
const none = { client: noGarbage, server: noGarbage };

/** Rests are those of a round trip that lasts as long as both processors take and nobody is busy. */
function seenOf({ clientMs, serverMs, restMs }: { clientMs: number; serverMs: number; restMs: number }) {
  const alone = callDemands(clientMs + serverMs + restMs, clientMs, serverMs);
  return {
    alone,
    client: [{ restMs: serverMs + restMs, demandMs: clientMs }],
    server: [{ restMs: clientMs + restMs, demandMs: serverMs }],
    garbage: none,
  };
}

describe("a demand that depends on rest", () => {
  const seen = [
    { restMs: 8, demandMs: 5 },
    { restMs: 0, demandMs: 1 },
    { restMs: 2, demandMs: 3 },
  ];

  it("lies on the straight line between the rests around it, in whatever order they were seen", () => {
    expect([0, 1, 2, 5, 8].map((restMs) => demandAfter(seen, restMs))).toEqual([1, 2, 3, 4, 5]);
  });

  it("is the mean of what was seen after the same rest, and no number where nothing was seen", () => {
    const twice = [
      { restMs: 1, demandMs: 2 },
      { restMs: 1, demandMs: 4 },
    ];
    expect([0, 1, 2].map((restMs) => demandAfter(twice, restMs))).toEqual([2, 3, 4]);
    expect(demandAfter([], 1)).toBeNaN();
  });
});

describe("callers who work while they think", () => {
  const thinkMs = double({ min: 0.01, max: 50, noNaN: true });

  it("wait as long as one who calls without thinking if they are alone, and longer than callers who wait if not", () => {
    assert(
      property(calls, thinkMs, integer({ min: 2, max: 9 }), (given, pauseMs, population) => {
        const seen = seenOf(given);
        expect(callersRoundTripMs(seen, 1, pauseMs, true)).toBeCloseTo(seen.alone.roundTripMs, 6);
        const working = callersRoundTripMs(seen, population, pauseMs, true);
        // Where the server is always busy both are the same, up to the approximation of constant service.
        expect(working).toBeGreaterThanOrEqual(0.98 * callersRoundTripMs(seen, population, pauseMs));
      }),
    );
  });

  it("share one processor for calls and work: five of 1 ms and 10 ms come round every 55 ms", () => {
    const roundTripMs = callersRoundTripMs(seenOf({ clientMs: 1, serverMs: 1, restMs: 1 }), 5, 10, true);
    expect(Math.abs(roundTripMs - (5 * 11 - 10))).toBeLessThan(2);
  });
});

describe("callers", () => {
  it("predicts one caller without think time as measured, whatever else was measured", () => {
    assert(
      property(calls, array(record({ restMs: time, demandMs: time }), { maxLength: 4 }), (given, others) => {
        const { alone, client, server, garbage } = seenOf(given);
        // A rest that was seen twice would have two demands.
        const apart = (own: number) => others.filter(({ restMs }) => Math.abs(restMs - own) > 1e-6);
        const predicted = callersRoundTripMs(
          {
            alone,
            garbage,
            client: [...client, ...apart(client[0]?.restMs ?? 0)],
            server: [...server, ...apart(server[0]?.restMs ?? 0)],
          },
          1,
          0,
        );
        expect(predicted / alone.roundTripMs).toBeCloseTo(1, 6);
      }),
    );
  });

  it("are those of plain mean value analysis where nothing depends on rest", () => {
    assert(
      property(calls, integer({ min: 1, max: 9 }), time, (given, population, thinkMs) => {
        const seen = seenOf(given);
        const plain = exactMva(callNetwork(seen.alone, none, { population, thinkMs })).roundTripMs;
        expect(callersRoundTripMs(seen, population, thinkMs)).toBeCloseTo(plain, 9);
      }),
    );
  });

  it("wait for less where calls that come together take less, and for each other's all the same", () => {
    const seen = seenOf({ clientMs: 1, serverMs: 2, restMs: 0.5 });
    const sharing = { ...seen, server: [{ restMs: 0, demandMs: 1.2 }, ...seen.server] };
    const [plain, shared] = [callersRoundTripMs(seen, 9, 0), callersRoundTripMs(sharing, 9, 0)];
    expect(shared).toBeLessThan(plain);
    // Nine callers keep a server busy: nobody is answered sooner than the eight others.
    expect(shared).toBeGreaterThan(8 * 1.2);
  });

  it("wait for garbage collections of other calls, and one caller alone no longer than measured", () => {
    const seen = seenOf({ clientMs: 1, serverMs: 2, restMs: 0.5 });
    const collecting = { ...seen, garbage: { ...none, server: { perCall: 0.01, meanMs: 60 } } };
    const [calm, halted] = [seen, collecting].map((one) => callersRoundTripMs(one, 3, 20));
    // Of the 2 ms, 0.6 are the garbage of one call in a hundred: who comes finds it for X p G of the time, and half of it still to come.
    const foundMs = (0.1 * 0.6 * 60) / 2;
    expect(halted).toBeGreaterThan((calm ?? 0) + 0.7 * foundMs);
    expect(halted).toBeLessThan((calm ?? 0) + 1.3 * foundMs);
    expect(callersRoundTripMs(collecting, 1, 20)).toBeCloseTo(callersRoundTripMs(seen, 1, 20), 9);
  });

  it("find what processors take after long rest when they think for long", () => {
    const seen = seenOf({ clientMs: 1, serverMs: 2, restMs: 0.5 });
    const cold = { ...seen, server: [...seen.server, { restMs: 100, demandMs: 3 }] };
    expect(callersRoundTripMs(cold, 1, 1_000)).toBeCloseTo(4.5, 4);
    expect(callersRoundTripMs(cold, 3, 1_000)).toBeGreaterThan(4.5);
  });
});
