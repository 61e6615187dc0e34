// A cell outside its model: how far, the evidence, and the likely causes.
import type { TcpEvidence } from "@roundtrip/runs";

/** The evidence in the blocks of one cell; null where it was not collected. "Alone" means the single caller whose demands are the model's input. */
export interface CellEvidence {
  readonly calls: number;
  readonly failedCalls: number;
  readonly connectionsPerCall: number;
  readonly connectionsPerCallAlone: number;
  /** Share of the opened connections that the server closed. */
  readonly closedByServerShare: number;
  /** Mean calls per connection in a block. */
  readonly callsPerConnection: number | null;
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
