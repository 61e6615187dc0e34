// Rules over evidence: each is tripped by a cell that has its kind of evidence, and by no ordinary one.
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
