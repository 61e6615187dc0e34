// A cell that left its model, as analysis reports it: how far, what was seen in it, and what may be behind it.
import type { TcpEvidence } from "../run/block-evidence.ts";

/** What was seen in the blocks of one cell beside its latencies; null where it was not collected. "Alone": of the caller whom the model was fed with. */
export interface CellEvidence {
  readonly calls: number;
  readonly failedCalls: number;
  readonly connectionsPerCall: number;
  readonly connectionsPerCallAlone: number;
  /** Connections that the server closed, as a share of those that were opened. */
  readonly closedByServerShare: number;
  /** Calls that one connection carried in a block, on average. */
  readonly callsPerConnection: number | null;
  /** Calls that could be under way at once, and those that the server's streams allow; null without such a limit. */
  readonly callsAtOnce: number;
  readonly streams: number | null;
  /**
   * The most calls that get through at a time in the cell's series (Little's law, with what a call takes alone) although several of its cells, and
   * this one, ask for more; null where there is no such limit to see.
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
  /** Processor time of a call here over that of one caller: after as long a rest, where several rests were seen. */
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
  /** What a call that comes at any moment waits on average for the longest halt of each block. */
  readonly stallMs: number;
  /** Share of time, 0 to 1, in which it stood still for garbage, and that of a call. */
  readonly gcShare: number;
  readonly gcMsPerCall: number;
}

/** Something seen in a cell that can make it leave its model. */
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
  /** Two bounds where a model gives two, else equal. */
  readonly predictedLeast: number;
  readonly predictedMost: number;
  /** Measured over the bound that is nearer: above 1 is longer than predicted. */
  readonly ratio: number;
  readonly evidence: CellEvidence;
  /** Likeliest first; empty where nothing that was collected explains it. */
  readonly causes: readonly Cause[];
  /** Where to look where nothing explains it, as a clause; empty where there is no more to say. */
  readonly look: string;
}
