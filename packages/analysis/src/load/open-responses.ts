// What models of open queues predict from the time that a server was seen to spend on calls of one caller.
import { mg1 } from "../models/mg1.ts";
import { mm1 } from "../models/mm1.ts";
import { mmc } from "../models/mmc.ts";

/** What a call takes. Times are means, in milliseconds. */
export interface ServerDemand {
  /** From the call to its answer, when nobody else calls. */
  readonly responseMs: number;
  /** Processor time of the server. */
  readonly demandMs: number;
  /**
   * Whose calls that is of: one caller's, who calls alone; or those of many who never pause, where turns of the server hold many calls and each
   * takes less of it.
   */
  readonly demandOf: "alone" | "many";
  /** Squared coefficient of variation of the demand, from service times that answers report; null where they report none. */
  readonly scv: number | null;
  /** Threads of the server that compute. */
  readonly threads: number;
  /** As answers report it; null where they report none. */
  readonly serviceMs: number | null;
}

/** Mean response times in milliseconds; null where the queue would grow without end. */
export interface OpenResponses {
  /** Exponential service. */
  readonly mm1Ms: number | null;
  /** Service of the measured variation: none where it is not known, so that this is the least. */
  readonly mg1Ms: number | null;
  /** A processor for each thread; null also where one thread serves, or no service time is known. */
  readonly mmcMs: number | null;
}

/**
 * A call takes what it takes alone, and waits before that as the model says: what is not the server's processor (the network, the client)
 * is a delay that nobody queues for.
 */
export function openResponses(demand: ServerDemand, rateHz: number): OpenResponses {
  const { responseMs, demandMs, scv, threads, serviceMs } = demand;
  const isStable = rateHz * demandMs < 1_000;
  const pool = threads > 1 && serviceMs !== null && rateHz * serviceMs < 1_000 * threads ? serviceMs : null;
  const after = (waitingMs: number): number => responseMs + waitingMs;
  return {
    mm1Ms: isStable ? after(mm1({ rateHz, serviceMs: demandMs }).waitingMs) : null,
    mg1Ms: isStable ? after(mg1({ rateHz, serviceMs: demandMs, serviceScv: scv ?? 0 }).waitingMs) : null,
    mmcMs: pool === null ? null : after(mmc({ rateHz, serviceMs: pool, servers: threads }).waitingMs),
  };
}
