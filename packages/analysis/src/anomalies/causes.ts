// A cell outside its model: how far, the evidence, and why it may be so, by one rule for each kind of evidence.
import type { TcpEvidence } from "@roundtrip/runs";
import { thresholds } from "../basics/thresholds.ts";
import { bytesText, counted, durationText, threeDigits } from "../basics/words.ts";

/** The evidence in the blocks of one cell; null where it was not collected. "Alone" means the single caller whose demands are the model's input. */
export interface CellEvidence {
  readonly calls: number;
  readonly failedCalls: number;
  readonly connectionsPerCall: number;
  readonly connectionsPerCallAlone: number;
  /** Share of the opened connections that the server closed. */
  readonly closedByServerShare: number;
  /** Maximum calls in flight, and the calls that the server's streams allow; null without such a limit. */
  readonly callsAtOnce: number;
  readonly streams: number | null;
  /** Most calls in service in the series (Little's law, latency alone), if several cells and this one demand more; null without such a limit. */
  readonly ceiling: number | null;
  readonly client: ProcessShare | null;
  readonly server: ProcessShare | null;
  readonly clientAlone: ProcessShare | null;
  readonly serverAlone: ProcessShare | null;
  /** Shares of time, 0 to 1, that the client's event loop and the server's processor were busy. */
  readonly clientBusy: number | null;
  readonly serverBusy: number | null;
  /** Mean delay of task starts. */
  readonly latenessMs: number | null;
  /** CPU time of a call over that of a single caller, after an equal rest where several rests were measured. */
  readonly clientDemandRatio: number | null;
  readonly serverDemandRatio: number | null;
  /** Both directions. */
  readonly bytesPerCall: number;
  /** The setting of the link; null without one. */
  readonly receiveWindowBytes: number | null;
  readonly tcp: TcpEvidence | null;
}

export interface ProcessShare {
  readonly loopDelayMeanMs: number | null;
  readonly loopDelayMaxMs: number | null;
  /** Mean wait of a call at a random moment for the longest stall of each block. */
  readonly stallMs: number;
  /** Share of time, 0 to 1, in garbage collection, and its time per call. */
  readonly gcShare: number;
  readonly gcMsPerCall: number;
}

export interface Cause {
  /** Code of the rule that found it: `connections-opened`, `stream-limit`, … */
  readonly code: string;
  /** A clause: `its client opens 0.82 connections a call, …`. */
  readonly text: string;
}

/** A cell outside its model by more than the stated band and outside its own interval. */
export interface Anomaly {
  /** One arm; for round trips, the arms of all distances. */
  readonly armIds: readonly string[];
  readonly study: string;
  /** As text: `hello over REST, 6 callers who think 10 ms`. */
  readonly name: string;
  readonly model: "mean value analysis" | "open queue" | "round trips";
  readonly unit: "ms" | "round trips";
  readonly measured: number;
  /** 95 % interval over rounds. */
  readonly low: number;
  readonly high: number;
  /** Two bounds if the model gives two, otherwise equal. */
  readonly predictedLeast: number;
  readonly predictedMost: number;
  /** Measured over the nearer bound: above 1 means slower than predicted. */
  readonly ratio: number;
  readonly evidence: CellEvidence;
  /** Likeliest first; empty without evidence. */
  readonly causes: readonly Cause[];
  /** What to check without a cause, as a clause; may be empty. */
  readonly look: string;
}

export type Suspect = Omit<Anomaly, "name" | "causes" | "look">;

/** Returns the cause, or null without evidence of its kind. */
export type CauseRule = (suspect: Suspect) => Cause | null;

function isLonger({ ratio }: Suspect): boolean {
  return ratio > 1;
}

function excessMs({ unit, measured, predictedLeast, predictedMost, ratio }: Suspect): number | null {
  return unit === "ms" ? Math.abs(measured - (ratio > 1 ? predictedMost : predictedLeast)) : null;
}

function accountsFor(ms: number, suspect: Suspect): boolean {
  const excess = excessMs(suspect);
  return excess !== null && ms >= thresholds.accountedFor * excess;
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

function openedBeyond({ connectionsPerCall, connectionsPerCallAlone }: CellEvidence): number {
  return connectionsPerCall - connectionsPerCallAlone;
}

function openedText({ connectionsPerCall, failedCalls }: CellEvidence): string {
  const failed = failedCalls === 0 ? "" : `; ${counted(failedCalls, "call")} failed`;
  return `${connectionsPerCall.toFixed(2)} connections are opened a call, each with its handshakes and a small window to begin with${failed}`;
}

/** The server closes connections that its client would reuse, for example after a keep-alive timeout. */
export const closedByServer: CauseRule = (suspect) => {
  const { evidence } = suspect;
  const isMostly = evidence.closedByServerShare >= thresholds.closedByServer;
  if (!isLonger(suspect) || openedBeyond(evidence) < thresholds.connectionsPerCall || !isMostly) return null;
  const text = `the server closes connections that its client keeps (a time-out about as long as callers think?): ${openedText(evidence)}`;
  return { code: "closed-by-server", text };
};

/** The client's pool keeps fewer connections than its callers use. */
export const connectionsOpened: CauseRule = (suspect) => {
  const { evidence } = suspect;
  const isMostly = evidence.closedByServerShare >= thresholds.closedByServer;
  if (!isLonger(suspect) || openedBeyond(evidence) < thresholds.connectionsPerCall || isMostly) return null;
  const text = `the client's pool closes connections and opens others: ${openedText(evidence)}`;
  return { code: "connections-opened", text };
};

/** More calls than the streams of the connections allow. */
export const streamLimit: CauseRule = (suspect) => {
  const { callsAtOnce, streams } = suspect.evidence;
  if (!isLonger(suspect) || streams === null || callsAtOnce <= streams) return null;
  const many = threeDigits(callsAtOnce);
  const text = `the server lets ${counted(streams, "stream")} be open at once, and ${many} calls are made: the others wait in the client`;
  return { code: "stream-limit", text };
};

/** The generator started calls late, and latency counts from the intended start. */
export const lateness: CauseRule = (suspect) => {
  const { latenessMs } = suspect.evidence;
  if (!isLonger(suspect) || latenessMs === null || !accountsFor(latenessMs, suspect)) return null;
  const text = `calls began ${durationText(latenessMs)} late on average: the client was not ready for them in time`;
  return { code: "lateness", text };
};

/** An event loop was blocked: something ran for long, or the process had no processor. */
export const eventLoop: CauseRule = (suspect) => {
  if (!isLonger(suspect)) return null;
  for (const side of ["server", "client"] as const) {
    const share = suspect.evidence[side];
    if (share === null || !accountsFor(share.stallMs, suspect)) continue;
    const { loopDelayMaxMs, loopDelayMeanMs, stallMs } = share;
    const text = `the ${side}'s event loop came up to ${durationText(loopDelayMaxMs ?? 0)} late (${durationText(loopDelayMeanMs ?? 0)} on average), about ${durationText(stallMs)} of a call: something ran for long, or took its processor`;
    return { code: "event-loop", text };
  }
  return null;
};

/** Garbage collection takes more time per call than for the single caller. */
export const garbage: CauseRule = (suspect) => {
  if (!isLonger(suspect)) return null;
  const { server, serverAlone, client, clientAlone } = suspect.evidence;
  const sides: readonly (readonly [string, ProcessShare | null, ProcessShare | null])[] = [
    ["server", server, serverAlone],
    ["client", client, clientAlone],
  ];
  for (const [side, share, alone] of sides) {
    if (share === null || share.gcShare < thresholds.gcShare) continue;
    const more = share.gcMsPerCall - (alone?.gcMsPerCall ?? 0);
    if (!accountsFor(more, suspect)) continue;
    const text = `the ${side} collects garbage for ${percent(share.gcShare)} of its time, ${durationText(share.gcMsPerCall)} a call`;
    return { code: "garbage", text };
  }
  return null;
};

/** A loss costs a round trip or a timeout, and halves the window for a while: rarely more round trips than this. */
const roundTripsPerLoss = 4;

function lossesAccountFor(losses: number, { unit, measured, predictedMost, evidence }: Suspect): boolean {
  const beyond = (measured - predictedMost) * evidence.calls;
  return unit === "ms" || losses * roundTripsPerLoss >= thresholds.accountedFor * beyond;
}

/** Packets were lost, or considered lost. */
export const retransmits: CauseRule = (suspect) => {
  const { tcp, calls } = suspect.evidence;
  const again = (tcp?.client?.retransmits ?? 0) + (tcp?.server?.retransmits ?? 0);
  if (!isLonger(suspect) || again === 0 || again < thresholds.retransmitsPerCall * calls) return null;
  if (!lossesAccountFor(again, suspect)) return null;
  const text = `${counted(again, "segment")} had been sent again by the end of blocks with ${counted(calls, "call")}: what is lost waits for a round trip or more, and halves the congestion window`;
  return { code: "retransmits", text };
};

/** The congestion window is below half of a call's bytes, so the larger direction takes several flights. The receiver's window is the maximum. */
export const slowStart: CauseRule = (suspect) => {
  const { tcp, bytesPerCall, receiveWindowBytes } = suspect.evidence;
  const ends = [tcp?.client, tcp?.server].filter((end) => end !== null && end !== undefined);
  const [widest] = ends.toSorted((one, other) => windowOf(other) - windowOf(one));
  const neededBytes = Math.min(bytesPerCall / 2, receiveWindowBytes ?? Infinity);
  if (!isLonger(suspect) || widest === undefined || windowOf(widest) >= neededBytes) return null;
  const text = `the congestion window was ${counted(widest.cwndSegments, "segment")} after a block (${bytesText(windowOf(widest))}), and a call moves ${bytesText(bytesPerCall)}: it had begun small again, or never grown`;
  return { code: "slow-start", text };
};

function windowOf({ cwndSegments, segmentBytes }: { readonly cwndSegments: number; readonly segmentBytes: number }) {
  return cwndSegments * segmentBytes;
}

/** A call takes more or less CPU time than a single caller's after an equal rest, because of caches, batches or garbage. */
export const demandChanged: CauseRule = (suspect) => {
  const { serverDemandRatio, clientDemandRatio } = suspect.evidence;
  for (const [side, ratio] of [
    ["server", serverDemandRatio],
    ["client", clientDemandRatio],
  ] as const) {
    if (ratio === null) continue;
    const isOnThatSide = isLonger(suspect) ? ratio > 1 + thresholds.demandChange : ratio < 1 - thresholds.demandChange;
    if (!isOnThatSide) continue;
    const text = `a call took ${threeDigits(ratio)} times as much of the ${side}'s processor as those of one caller do after as long a rest, which the model was fed with`;
    return { code: "demand-changed", text };
  }
  return null;
};

/** Callers wait although no processor is busy, so something limits the calls in flight. */
export const concurrencyLimit: CauseRule = (suspect) => {
  const { ceiling, clientBusy, serverBusy } = suspect.evidence;
  if (!isLonger(suspect) || ceiling === null || clientBusy === null || serverBusy === null) return null;
  if (Math.max(clientBusy, serverBusy) >= thresholds.busy) return null;
  const text = `about ${ceiling.toFixed(1)} calls get through at a time here and wherever more are made, although neither processor is busy (client ${percent(clientBusy)}, server ${percent(serverBusy)}): look for a limit, such as streams of a connection, a pool, or worker threads`;
  return { code: "few-at-once", text };
};

const rules: readonly CauseRule[] = [
  closedByServer,
  connectionsOpened,
  streamLimit,
  lateness,
  garbage,
  eventLoop,
  slowStart,
  retransmits,
  demandChanged,
];

/**
 * Whether its own blocks show something that would by itself carry a cell out of its band, however far the cell is off: who leaves out such cells leaves
 * none out for its error.
 */
export function isDisturbed(suspect: Omit<Suspect, "measured" | "ratio">): boolean {
  const reach = thresholds.band / thresholds.accountedFor;
  return [1 + reach, 1 - reach].some((ratio) => {
    const measured = ratio * (ratio > 1 ? suspect.predictedMost : suspect.predictedLeast);
    return rules.some((rule) => rule({ ...suspect, measured, ratio }) !== null);
  });
}

/** Returns every cause with evidence, or else a guess. */
export function causesOf(suspect: Suspect): readonly Cause[] {
  const found = rules.flatMap((rule) => rule(suspect) ?? []);
  return found.length > 0 ? found : [concurrencyLimit(suspect)].filter((cause) => cause !== null);
}
