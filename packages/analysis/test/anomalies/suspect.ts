// A cell that took longer than predicted, for tests of what may have made it so.
import type { Suspect, CellEvidence, ProcessShare } from "../../src/anomalies/causes.ts";
import type { TcpEnd } from "@roundtrip/runs";

export const calm: ProcessShare = {
  loopDelayMeanMs: 1,
  loopDelayMaxMs: 1.5,
  stallMs: 0,
  gcShare: 0.01,
  gcMsPerCall: 0.01,
};
export const open: TcpEnd = { connections: 3, cwndSegments: 10, segmentBytes: 1_448, retransmits: 0, rtoMs: 204 };

/** Six callers whose calls take 14 ms where 10 were predicted, on connections that they keep. */
const ordinary: CellEvidence = {
  calls: 600,
  failedCalls: 0,
  connectionsPerCall: 0,
  connectionsPerCallAlone: 0,
  closedByServerShare: 0,
  callsAtOnce: 6,
  streams: 1_000,
  ceiling: null,
  client: calm,
  server: calm,
  clientAlone: calm,
  serverAlone: calm,
  clientBusy: 0.85,
  serverBusy: 0.6,
  latenessMs: 0.01,
  clientDemandRatio: 1,
  serverDemandRatio: 1.1,
  bytesPerCall: 400,
  receiveWindowBytes: null,
  tcp: { client: open, server: open },
};

export function suspect(changes: Partial<CellEvidence> = {}, measured = 14): Suspect {
  return {
    armIds: ["arm"],
    study: "concurrency",
    model: "mean value analysis",
    unit: "ms",
    measured,
    low: measured - 1,
    high: measured + 1,
    predictedLeast: 10,
    predictedMost: 10,
    ratio: measured / 10,
    evidence: { ...ordinary, ...changes },
  };
}
