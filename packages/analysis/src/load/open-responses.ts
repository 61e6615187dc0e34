// Predictions of open-queue models from a server's measured demand.
import { mg1 } from "../models/mg1.ts";
import { mm1 } from "../models/mm1.ts";
import { mmc } from "../models/mmc.ts";

/** The demand of a call. Times are means, in milliseconds. */
export interface ServerDemand {
  /** Latency of a single caller. */
  readonly responseMs: number;
  /** Processor time of the server. */
  readonly demandMs: number;
  /** Whether the demand is a single caller's, or that of many callers: less, because the server handles many calls per event-loop turn. */
  readonly demandOf: "alone" | "many";
  /** Squared coefficient of variation of the demand, from service times that answers report; null where they report none. */
  readonly scv: number | null;
  readonly threads: number;
  /** As answers report it; null where they report none. */
  readonly serviceMs: number | null;
}

/** Mean response times in milliseconds; null where the queue would grow without bound. */
export interface OpenResponses {
  /** Exponential service. */
  readonly mm1Ms: number | null;
  /** Service with the measured variation; constant where unknown, which makes it a lower bound. */
  readonly mg1Ms: number | null;
  /** One processor per thread; null also with one thread or without a service time. */
  readonly mmcMs: number | null;
}

/** Adds the model's wait to the latency of a single call: everything except the server's processor (network, client) is a delay without a queue. */
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
