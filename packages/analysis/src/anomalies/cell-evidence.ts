// The evidence in a cell's blocks, beside latencies, that rules search for causes.
import { max, mean, sum } from "d3-array";
import { callsInSequence } from "../distance/round-trips.ts";
import { summaryFinder, type Metric, type Summary } from "../metrics/summarise.ts";
import type { Arm, Block, ProcessEvidence, TcpEnd, TcpEvidence } from "@roundtrip/runs";
import type { CellEvidence, ProcessShare } from "./causes.ts";
import type { ModelCell } from "./model-cells.ts";
import { thresholds } from "../basics/thresholds.ts";

export type MeanOf = (armId: string, metric: Metric) => number | null;

export function meansIn(summaries: readonly Summary[]): MeanOf {
  const find = summaryFinder(summaries);
  return (armId, metric) => find(armId, metric)?.mean ?? null;
}

/** Mean wait of a call at a random moment if each of these blocks has one event-loop stall: D² / 2T. */
function stallMs(seen: readonly (readonly [Block, ProcessEvidence])[]): number {
  const square = sum(seen, ([, { loopDelayMaxMs }]) => {
    const still = loopDelayMaxMs ?? 0;
    return still > thresholds.timerMs ? still ** 2 : 0;
  });
  return square / (2 * sum(seen, ([{ elapsedMs }]) => elapsedMs));
}

function processShare(blocks: readonly Block[], side: "client" | "server"): ProcessShare | null {
  const seen = blocks.flatMap((block) => {
    const evidence = block[side];
    return evidence === undefined || block.calls === 0 ? [] : [[block, evidence] as const];
  });
  if (seen.length === 0) return null;
  const gcMs = sum(seen, ([, evidence]) => evidence.gcMs);
  return {
    loopDelayMeanMs: mean(seen, ([, { loopDelayMeanMs }]) => loopDelayMeanMs) ?? null,
    loopDelayMaxMs: max(seen, ([, { loopDelayMaxMs }]) => loopDelayMaxMs) ?? null,
    stallMs: stallMs(seen),
    gcShare: gcMs / sum(seen, ([{ elapsedMs }]) => elapsedMs),
    gcMsPerCall: gcMs / sum(seen, ([{ calls }]) => calls),
  };
}

/** The worst of each figure, and the sum of retransmissions (every round has its own connections). Null without a reading. */
function worstOf(ends: readonly (TcpEnd | null)[]): TcpEnd | null {
  const known = ends.filter((end) => end !== null);
  if (known.length === 0) return null;
  return {
    connections: Math.max(...known.map(({ connections }) => connections)),
    cwndSegments: Math.min(...known.map(({ cwndSegments }) => cwndSegments)),
    segmentBytes: Math.min(...known.map(({ segmentBytes }) => segmentBytes)),
    retransmits: sum(known, ({ retransmits }) => retransmits),
    rtoMs: Math.max(...known.map(({ rtoMs }) => rtoMs)),
  };
}

function tcpOf(blocks: readonly Block[]): TcpEvidence | null {
  const seen = blocks.flatMap(({ tcp }) => tcp ?? []);
  if (seen.length === 0) return null;
  return { client: worstOf(seen.map(({ client }) => client)), server: worstOf(seen.map(({ server }) => server)) };
}

/** The maximum calls in flight of an arm; in an open loop the mean (Little's law). */
function callsAtOnce(arm: Arm, latencyMs: number | null): number {
  const { factors, load } = arm;
  const { callers, rateHz } = factors;
  // An upper bound: several sets of parallel calls have fewer each.
  const ofTask = arm.callsPerTask - callsInSequence(arm) + 1;
  if (load?.loop === "open") return typeof rateHz === "number" ? (ofTask * rateHz * (latencyMs ?? 0)) / 1_000 : ofTask;
  return ofTask * (typeof callers === "number" ? callers : 1);
}

export interface SuspectCell {
  /** One arm, or several that form one cell. */
  readonly arms: readonly Arm[];
  readonly blocks: readonly Block[];
  /** The single caller whose demands are the model's input; null without one. */
  readonly alone: { readonly arm: Arm; readonly blocks: readonly Block[] } | null;
  /** Whether the model includes a new connection for each call. */
  readonly isOneConnectionEach: boolean;
  /** CPU time per call of a single caller after an equal rest; null if only the caller without rest was measured. */
  readonly demands: ModelCell["demands"];
  /** See {@link CellEvidence.ceiling}. */
  readonly ceiling: number | null;
  readonly meanOf: MeanOf;
}

function ratioOf(one: number | null, other: number | null): number | null {
  return one === null || other === null || other === 0 ? null : one / other;
}

function perCall(blocks: readonly Block[], figure: (block: Block) => number): number {
  const calls = sum(blocks, (block) => block.calls);
  return calls === 0 ? 0 : sum(blocks, figure) / calls;
}

export function cellEvidence({
  arms,
  blocks,
  alone,
  isOneConnectionEach,
  demands,
  ceiling,
  meanOf,
}: SuspectCell): CellEvidence {
  const [arm] = arms;
  const receiveWindowBytes = arm?.factors["receiveWindowBytes"];
  const meanHere = (metric: Metric): number | null => (arm === undefined ? null : meanOf(arm.id, metric));
  const aloneHas = (metric: Metric): number | null => (alone === null ? null : meanOf(alone.arm.id, metric));
  const opened = sum(blocks, ({ connectionsOpened }) => connectionsOpened);
  const known = blocks.filter(({ connectionsReused }) => connectionsReused !== undefined);
  const closed = sum(blocks, ({ connectionsClosedByServer = 0 }) => connectionsClosedByServer);
  const limits = blocks.flatMap(({ streamsPerConnection }) => streamsPerConnection ?? []);
  const reused = mean(known, ({ connectionsReused }) => connectionsReused);
  const throughputHz = meanHere("callsPerSecond");
  return {
    calls: sum(blocks, ({ calls }) => calls),
    failedCalls: sum(blocks, ({ failedCalls }) => failedCalls),
    connectionsPerCall: perCall(blocks, ({ connectionsOpened }) => connectionsOpened),
    connectionsPerCallAlone:
      alone === null
        ? Number(isOneConnectionEach)
        : perCall(alone.blocks, ({ connectionsOpened }) => connectionsOpened),
    closedByServerShare: opened === 0 ? 0 : Math.min(1, closed / opened),
    callsAtOnce: arm === undefined ? 1 : callsAtOnce(arm, meanHere("latencyMs")),
    streams: limits.length === 0 ? null : Math.min(...limits) * Math.max(1, Math.round(reused ?? 1)),
    ceiling,
    client: processShare(blocks, "client"),
    server: processShare(blocks, "server"),
    clientAlone: alone === null ? null : processShare(alone.blocks, "client"),
    serverAlone: alone === null ? null : processShare(alone.blocks, "server"),
    clientBusy: meanHere("clientUtilisation"),
    serverBusy:
      throughputHz === null || meanHere("serverCpuMsPerTask") === null
        ? null
        : (throughputHz * (meanHere("serverCpuMsPerTask") ?? 0)) / (1_000 * (arm?.callsPerTask ?? 1)),
    latenessMs: meanHere("latenessMs"),
    clientDemandRatio: ratioOf(meanHere("clientCpuMsPerTask"), demands?.clientMs ?? aloneHas("clientCpuMsPerTask")),
    serverDemandRatio: ratioOf(meanHere("serverCpuMsPerTask"), demands?.serverMs ?? aloneHas("serverCpuMsPerTask")),
    // Unknown only for another generator, which has no TCP readings either.
    bytesPerCall: perCall(blocks, ({ wireBytes }) => wireBytes ?? 0),
    receiveWindowBytes: typeof receiveWindowBytes === "number" ? receiveWindowBytes : null,
    tcp: tcpOf(blocks),
  };
}
