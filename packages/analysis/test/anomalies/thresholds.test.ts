// How much evidence is enough: each rule at its threshold, and a little below.
import { describe, expect, it } from "vitest";
import {
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
