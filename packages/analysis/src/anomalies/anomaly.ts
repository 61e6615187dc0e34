// A cell outside its model, as analysis reports it: how far, with which evidence, and the likely causes.
import type { TcpEvidence } from "../run/block-evidence.ts";

/** The evidence in the blocks of one cell; null where it was not collected. "Alone": of the single caller whose demands are the model's input. */
export interface CellEvidence {
  readonly calls: number;
  readonly failedCalls: number;
  readonly connectionsPerCall: number;
  readonly connectionsPerCallAlone: number;
  /** Connections that the server closed, as a share of those that were opened. */
  readonly closedByServerShare: number;
  /** Calls that one connection carried in a block, on average. */
  readonly callsPerConnection: number | null;
  /** Calls that could be in flight at once, and those that the server's streams allow; null without such a limit. */
  readonly callsAtOnce: number;
  readonly streams: number | null;
  /**
   * The most calls in service at a time in the cell's series (Little's law, with a call's time alone), if several of its cells, and this one,
   * demand more; null without such a limit.
   */
  readonly ceiling: number | null;
  readonly client: ProcessShare | null;
  readonly server: ProcessShare | null;
  readonly clientAlone: ProcessShare | null;
  readonly serverAlone: ProcessShare | null;
  /** Shares of time, 0 to 1, that the client's event loop and the server's processor were busy. */
  readonly clientBusy: number | null;
  readonly serverBusy: number | null;
  /** How late tasks began: mean. */
  readonly latenessMs: number | null;
  /** CPU time of a call here over that of a single caller, after an equal rest where several rests were measured. */
  readonly clientDemandRatio: number | null;
  readonly serverDemandRatio: number | null;
  /** Both directions. */
  readonly bytesPerCall: number;
  /** What is set on the link; null where nothing is. */
  readonly receiveWindowBytes: number | null;
  readonly tcp: TcpEvidence | null;
}

/** One process over all blocks of a cell. */
export interface ProcessShare {
  readonly loopDelayMeanMs: number | null;
  readonly loopDelayMaxMs: number | null;
  /** The mean wait of a call, at a random moment, for the longest halt of each block. */
  readonly stallMs: number;
  /** The share of time, 0 to 1, in garbage collection, and its time per call. */
  readonly gcShare: number;
  readonly gcMsPerCall: number;
}

/** Evidence that can explain why a cell is outside its model. */
export interface Cause {
  /** `connections-opened`, `stream-limit`, …: the rule that found it. */
  readonly code: string;
  /** A clause: `its client opens 0.82 connections a call, …`. */
  readonly text: string;
}

/** A cell that is outside its model by more than the stated band, and beyond its own interval. */
export interface Anomaly {
  /** One arm; for round trips those over all distances. */
  readonly armIds: readonly string[];
  readonly study: string;
  /** In words: `hello over REST, 6 callers who think 10 ms`. */
  readonly name: string;
  readonly model: "mean value analysis" | "open queue" | "round trips";
  /** Milliseconds, or round trips per call. */
  readonly unit: "ms" | "round trips";
  readonly measured: number;
  /** 95 % interval over rounds. */
  readonly low: number;
  readonly high: number;
  /** Two bounds if the model gives two, else equal. */
  readonly predictedLeast: number;
  readonly predictedMost: number;
  /** Measured over the nearer bound: above 1 is longer than predicted. */
  readonly ratio: number;
  readonly evidence: CellEvidence;
  /** Likeliest first; empty if no evidence explains it. */
  readonly causes: readonly Cause[];
  /** Where to look if nothing explains it, as a clause; may be empty. */
  readonly look: string;
}
