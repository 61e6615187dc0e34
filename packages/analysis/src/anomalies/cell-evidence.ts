// What was noted in a cell's blocks beside latencies, over all of them: what rules look for causes in.
import { max, mean, sum } from "d3-array";
import { callsInSequence } from "../distance/round-trips.ts";
import type { Metric, Summary } from "../metrics/summary.ts";
import type { ProcessEvidence, TcpEnd, TcpEvidence } from "../run/block-evidence.ts";
import type { Arm, Block } from "../run/run-facts.ts";
import type { CellEvidence, ProcessShare } from "./anomaly.ts";
import type { ModelCell } from "./model-cells.ts";
import { thresholds } from "../basics/thresholds.ts";

/** The mean of a metric of an arm, where it is reported. */
export type MeanOf = (armId: string, metric: Metric) => number | null;

export function meansIn(summaries: readonly Summary[]): MeanOf {
  const means = new Map(summaries.map((row) => [`${row.metric} ${row.armId}`, row.mean]));
  return (armId, metric) => means.get(`${metric} ${armId}`) ?? null;
}

/** What a call that comes at any moment waits on average for an event loop that stood still once in each of these blocks: D² / 2T. */
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

/** The worst of each figure, and all that was sent again: every round has connections of its own. Null where nobody saw anything. */
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

/** Over all blocks after which somebody looked. */
function tcpOf(blocks: readonly Block[]): TcpEvidence | null {
  const seen = blocks.flatMap(({ tcp }) => tcp ?? []);
  if (seen.length === 0) return null;
  return { client: worstOf(seen.map(({ client }) => client)), server: worstOf(seen.map(({ server }) => server)) };
}

/** Calls that an arm can have under way at once; in an open loop those that are on average (Little's law). */
function callsAtOnce(arm: Arm, latencyMs: number | null): number {
  const { factors, load } = arm;
  const { callers, rateHz } = factors;
  // At most: where there are several sets of calls at once, each has fewer.
  const ofTask = arm.callsPerTask - callsInSequence(arm) + 1;
  if (load?.loop === "open") return typeof rateHz === "number" ? (ofTask * rateHz * (latencyMs ?? 0)) / 1_000 : ofTask;
  return ofTask * (typeof callers === "number" ? callers : 1);
}

export interface SuspectCell {
  /** One, or several that are seen as one. */
  readonly arms: readonly Arm[];
  readonly blocks: readonly Block[];
  /** The caller whom the model was fed with; null where there is none. */
  readonly alone: { readonly arm: Arm; readonly blocks: readonly Block[] } | null;
  /** Whether the model has counted a new connection for each call. */
  readonly isOneConnectionEach: boolean;
  /** What one caller's calls take after as long a rest; null where that of the caller alone is all that is known. */
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
  const used = sum(known, ({ connectionsOpened, connectionsReused = 0 }) => connectionsOpened + connectionsReused);
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
    callsPerConnection: used === 0 ? null : sum(known, ({ calls }) => calls) / used,
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
    // Unknown only of another generator's, whose TCP nobody saw either.
    bytesPerCall: perCall(blocks, ({ wireBytes }) => wireBytes ?? 0),
    receiveWindowBytes: typeof receiveWindowBytes === "number" ? receiveWindowBytes : null,
    tcp: tcpOf(blocks),
  };
}
