// Rules over evidence: each is tripped by a cell that has its kind of evidence, from its threshold on, and by no ordinary one.
import { describe, expect, it } from "vitest";
import {
  causesOf,
  closedByServer,
  connectionsOpened,
  demandChanged,
  eventLoop,
  concurrencyLimit,
  garbage,
  lateness,
  retransmits,
  slowStart,
  streamLimit,
  type CauseRule,
  type CellEvidence,
} from "../../src/anomalies/causes.ts";
import { calm, open, suspect } from "./suspect.ts";

interface Tripped {
  readonly rule: CauseRule;
  readonly by: Partial<CellEvidence>;
  readonly code: string;
  readonly says: RegExp;
}

const tripped: readonly Tripped[] = [
  {
    rule: connectionsOpened,
    by: { connectionsPerCall: 0.82, closedByServerShare: 0.1 },
    code: "connections-opened",
    says: /pool closes connections and opens others: 0\.82 connections are opened a call/,
  },
  {
    rule: closedByServer,
    by: { connectionsPerCall: 0.4, closedByServerShare: 0.9, failedCalls: 2 },
    code: "closed-by-server",
    says: /the server closes connections .* 0\.40 connections are opened a call, .*; 2 calls failed$/,
  },
  {
    rule: streamLimit,
    by: { streams: 2 },
    code: "stream-limit",
    says: /lets 2 streams be open at once, and 6 calls are made/,
  },
  { rule: lateness, by: { latenessMs: 1.2 }, code: "lateness", says: /began 1\.2 ms late on average/ },
  {
    rule: eventLoop,
    by: { server: { ...calm, loopDelayMaxMs: 85, loopDelayMeanMs: 4, stallMs: 1.4 } },
    code: "event-loop",
    says: /the server's event loop came up to 85 ms late \(4 ms on average\), about 1\.4 ms of a call/,
  },
  {
    rule: garbage,
    by: { client: { ...calm, gcShare: 0.12, gcMsPerCall: 1.3 } },
    code: "garbage",
    says: /the client collects garbage for 12 % of its time, 1\.3 ms a call/,
  },
  {
    rule: retransmits,
    by: { tcp: { client: open, server: { ...open, retransmits: 30 } } },
    code: "retransmits",
    says: /30 segments had been sent again by the end of blocks with 600 calls/,
  },
  {
    rule: slowStart,
    by: { bytesPerCall: 277_000 },
    code: "slow-start",
    says: /window was 10 segments after a block \(14\.5 KB\), and a call moves 277 KB/,
  },
  {
    rule: demandChanged,
    by: { serverDemandRatio: 1.5 },
    code: "demand-changed",
    says: /1\.5 times as much of the server's processor/,
  },
  {
    rule: concurrencyLimit,
    by: { ceiling: 2.1, clientBusy: 0.2, serverBusy: 0.1 },
    code: "few-at-once",
    says: /about 2\.1 calls get through at a time here and wherever more are made, .*\(client 20 %, server 10 %\)/,
  },
];

describe.each(tripped)("$code", ({ rule, by, code, says }) => {
  it("is seen in a cell with its evidence, and reported with its figures", () => {
    expect(rule(suspect(by))).toMatchObject({ code, text: expect.stringMatching(says) });
  });

  it("is not seen in an ordinary cell", () => {
    expect(rule(suspect())).toBeNull();
  });

  it("is no reason for a cell that took less than predicted", () => {
    expect(rule(suspect(by, 7))).toBeNull();
  });
});

describe("evidence", () => {
  it("of segments that were sent again counts from one in a hundred calls on", () => {
    const few = { client: open, server: { ...open, retransmits: 5 } };
    expect(retransmits(suspect({ tcp: few }))).toBeNull();
    expect(retransmits(suspect({ tcp: few, calls: 500 }))).not.toBeNull();
  });

  it("of a small congestion window counts only where the receiver's window is larger", () => {
    const bytesPerCall = 277_000;
    expect(slowStart(suspect({ bytesPerCall, receiveWindowBytes: 14_000 }))).toBeNull();
    expect(slowStart(suspect({ bytesPerCall, receiveWindowBytes: 65_536 }))).not.toBeNull();
  });

  it("of garbage counts beyond that of the caller alone, with which the model was fed", () => {
    const much = { ...calm, gcShare: 0.12, gcMsPerCall: 1.3 };
    expect(garbage(suspect({ server: much, serverAlone: much }))).toBeNull();
  });
});

/** Evidence of which a cell has just enough, and a little less than that. */
const edges: readonly {
  readonly rule: CauseRule;
  readonly enough: Partial<CellEvidence>;
  readonly little: Partial<CellEvidence>;
}[] = [
  {
    rule: closedByServer,
    enough: { connectionsPerCall: 0.02, closedByServerShare: 0.5 },
    little: { connectionsPerCall: 0.02, closedByServerShare: 0.49 },
  },
  {
    rule: closedByServer,
    enough: { connectionsPerCall: 0.52, connectionsPerCallAlone: 0.5, closedByServerShare: 1 },
    little: { connectionsPerCall: 0.51, connectionsPerCallAlone: 0.5, closedByServerShare: 1 },
  },
  {
    rule: connectionsOpened,
    enough: { connectionsPerCall: 0.02, closedByServerShare: 0.49 },
    little: { connectionsPerCall: 0.02, closedByServerShare: 0.5 },
  },
  { rule: connectionsOpened, enough: { connectionsPerCall: 0.02 }, little: { connectionsPerCall: 0.019 } },
  { rule: streamLimit, enough: { streams: 5 }, little: { streams: 6 } },
  // A quarter of the 4 ms that the cell is from its model.
  { rule: lateness, enough: { latenessMs: 1 }, little: { latenessMs: 0.99 } },
  { rule: eventLoop, enough: { client: { ...calm, stallMs: 1 } }, little: { client: { ...calm, stallMs: 0.99 } } },
  {
    rule: garbage,
    enough: { client: { ...calm, gcShare: 0.05, gcMsPerCall: 1.01 } },
    little: { client: { ...calm, gcShare: 0.05, gcMsPerCall: 1 } },
  },
  {
    rule: garbage,
    enough: { server: { ...calm, gcShare: 0.05, gcMsPerCall: 2 } },
    little: { server: { ...calm, gcShare: 0.049, gcMsPerCall: 2 } },
  },
  // One of a hundred of 600 calls, on both ends together.
  {
    rule: retransmits,
    enough: { tcp: { client: { ...open, retransmits: 2 }, server: { ...open, retransmits: 4 } } },
    little: { tcp: { client: { ...open, retransmits: 2 }, server: { ...open, retransmits: 3 } } },
  },
  // Ten segments of 1,448 bytes are half of 28,960.
  { rule: slowStart, enough: { bytesPerCall: 28_962 }, little: { bytesPerCall: 28_960 } },
  { rule: demandChanged, enough: { clientDemandRatio: 1.21 }, little: { clientDemandRatio: 1.2 } },
  {
    rule: concurrencyLimit,
    enough: { ceiling: 2, clientBusy: 0.79, serverBusy: 0.1 },
    little: { ceiling: 2, clientBusy: 0.8, serverBusy: 0.1 },
  },
  {
    rule: concurrencyLimit,
    enough: { ceiling: 2, clientBusy: 0.1, serverBusy: 0.79 },
    little: { ceiling: 2, clientBusy: 0.1, serverBusy: 0.8 },
  },
];

describe("a threshold", () => {
  it.each(edges)("is reached by $enough and not by $little", ({ rule, enough, little }) => {
    expect(rule(suspect(enough))).not.toBeNull();
    expect(rule(suspect(little))).toBeNull();
  });

  it("of windows is held against the wider of two", () => {
    const wide = { ...open, cwndSegments: 100 };
    for (const tcp of [
      { client: open, server: wide },
      { client: wide, server: open },
    ]) {
      expect(slowStart(suspect({ bytesPerCall: 277_000, tcp }))).toBeNull();
      expect(slowStart(suspect({ bytesPerCall: 299_000, tcp }))?.text).toContain("100 segments");
    }
  });

  it("of a time does not apply where a cell counts round trips", () => {
    const trips = { unit: "round trips", measured: 14, predictedLeast: 10, predictedMost: 10 } as const;
    expect(lateness({ ...suspect({ latenessMs: 100 }), ...trips })).toBeNull();
  });

  it("is a part of the distance to the nearer end of what models say", () => {
    const between = { predictedLeast: 2, predictedMost: 10 };
    expect(lateness({ ...suspect({ latenessMs: 1 }), ...between })).not.toBeNull();
    expect(lateness({ ...suspect({ latenessMs: 0.99 }), ...between })).toBeNull();
  });
});

describe("the causes of a cell", () => {
  it("are listed from the most specific on", () => {
    const causes = causesOf(
      suspect({ connectionsPerCall: 0.82, serverDemandRatio: 1.5, ceiling: 2, clientBusy: 0.2, serverBusy: 0.1 }),
    );
    expect(causes.map(({ code }) => code)).toEqual(["connections-opened", "demand-changed"]);
  });

  it("hold a guess from throughput only where nothing else has evidence", () => {
    expect(causesOf(suspect({ ceiling: 2.1, clientBusy: 0.2, serverBusy: 0.1 })).map(({ code }) => code)).toEqual([
      "few-at-once",
    ]);
    expect(causesOf(suspect())).toEqual([]);
  });
});
