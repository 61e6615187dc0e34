// What was noted in a cell's blocks, over all of them: sums where they add up, the worst where they do not.
import { describe, expect, it } from "vitest";
import { cellEvidence, meansIn, type SuspectCell } from "../../src/anomalies/cell-evidence.ts";
import type { Block, ProcessEvidence, TcpEnd } from "@roundtrip/runs";
import { armFor, loadedBlock } from "../synthetic-run.ts";

const arm = armFor({ stack: "grpc", variant: "single", load: { loop: "closed", pacer: "x" }, factors: { callers: 9 } });

/** A block of 100 calls in 500 ms. */
function block(evidence: Partial<Block>): Block {
  return { ...loadedBlock({ armId: arm.id, block: 0, tasks: 100, serverCpuMs: 50 }), ...evidence };
}

function evidenceOf(blocks: readonly Block[], changes: Partial<SuspectCell> = {}) {
  return cellEvidence({
    arms: [arm],
    blocks,
    alone: null,
    isOneConnectionEach: false,
    demands: null,
    ceiling: null,
    meanOf: meansIn([]),
    ...changes,
  });
}

const quiet: ProcessEvidence = { loopDelayMeanMs: 0.5, loopDelayMaxMs: 1, gcCount: 1, gcMs: 5 };
const end: TcpEnd = { connections: 1, cwndSegments: 20, segmentBytes: 1_448, retransmits: 1, rtoMs: 204 };

describe("the blocks of a cell", () => {
  it("give connections and garbage by their sums", () => {
    const evidence = evidenceOf([
      block({ connectionsOpened: 30, connectionsReused: 10, connectionsClosedByServer: 6, server: quiet }),
      block({ connectionsOpened: 10, connectionsReused: 10, server: { ...quiet, gcMs: 15 } }),
    ]);
    expect(evidence).toMatchObject({ connectionsPerCall: 0.2, closedByServerShare: 0.15 });
    expect(evidence.server?.gcShare).toBeCloseTo(20 / 1_000, 9);
    expect(evidence.server?.gcMsPerCall).toBeCloseTo(20 / 200, 9);
  });

  it("give the longest halt, and what a call that comes at any moment waits for those of all blocks", () => {
    const halted = { ...quiet, loopDelayMaxMs: 100 };
    const { client } = evidenceOf([block({ client: quiet }), block({ client: halted })]);
    expect(client?.loopDelayMaxMs).toBe(100);
    // A tenth of the time it waits for 50 ms on average; what a timer is late by is no halt.
    expect(client?.stallMs).toBeCloseTo(0.1 * 50, 9);
    const late = (loopDelayMaxMs: number) => evidenceOf([block({ client: { ...quiet, loopDelayMaxMs } })]).client;
    expect(late(2)?.stallMs).toBe(0);
    expect(late(2.5)?.stallMs).toBeCloseTo(2.5 ** 2 / 2 / 500, 12);
  });

  it("give the worst that the kernel counted at each end, and all that was sent again", () => {
    const { tcp } = evidenceOf([
      block({ tcp: { client: end, server: null } }),
      block({ tcp: { client: { ...end, cwndSegments: 4, retransmits: 3 }, server: null } }),
      block({}),
    ]);
    expect(tcp).toEqual({ client: { ...end, cwndSegments: 4, retransmits: 4 }, server: null });
  });

  it("give the streams that a connection allows, and the calls that may ask for it", () => {
    const evidence = evidenceOf([block({ connectionsReused: 2, streamsPerConnection: 3 })]);
    expect(evidence).toMatchObject({ streams: 6, callsAtOnce: 9 });
    const parallel = armFor({ stack: "grpc", variant: "chatty-parallel", callsPerTask: 6 });
    expect(evidenceOf([block({})], { arms: [parallel] })).toMatchObject({ streams: null, callsAtOnce: 6 });
  });

  it("give the calls under way at a rate by Little's law", () => {
    const rated = armFor({
      stack: "grpc",
      variant: "chatty-parallel",
      callsPerTask: 3,
      callsInSequence: 1,
      load: { loop: "open", pacer: "x" },
      factors: { rateHz: 50 },
    });
    // 50 tasks a second of 3 calls at once, 100 ms each.
    expect(evidenceOf([block({})], { arms: [rated], meanOf: () => 100 }).callsAtOnce).toBeCloseTo(15, 9);
    expect(evidenceOf([block({})], { arms: [{ ...rated, factors: {} }], meanOf: () => 100 }).callsAtOnce).toBe(3);
  });

  it("count a connection for each call as expected where the model has counted it", () => {
    const evidence = evidenceOf([block({ connectionsOpened: 100 })], { isOneConnectionEach: true });
    expect(evidence).toMatchObject({ connectionsPerCall: 1, connectionsPerCallAlone: 1 });
  });
});
