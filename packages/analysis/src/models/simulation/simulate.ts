// A discrete-event simulation of queueing networks: an independent check of the models, and figures where no formula exists.
import { mean, variance } from "d3-array";
import { randomExponential, randomGamma } from "d3-random";
import { AnalysisError } from "../../basics/analysis-error.ts";
import type { ClosedNetwork, ServiceDistribution } from "../closed-network.ts";
import { requireWhole } from "../model-input.ts";
import type { MmcLoad, ResponsePercentiles } from "../open-queues.ts";
import { calendar, servicePoint, type ServicePoint } from "./service-point.ts";
import { quantile, sortedCopy } from "../../statistics/describe-samples.ts";
import { randomFrom, type Random } from "../../statistics/random.ts";
import { twoSidedT, type Interval } from "../../statistics/student-t.ts";

/** `gamma` supports any squared coefficient of variation above 0; 1 is exponential. */
export type Times =
  | { readonly kind: "constant"; readonly meanMs: number }
  | { readonly kind: "exponential"; readonly meanMs: number }
  | { readonly kind: "gamma"; readonly meanMs: number; readonly scv: number };

/** Callers with think time between answers, or requests that arrive as a Poisson process. */
export type Source =
  | { readonly kind: "closed"; readonly population: number; readonly think: Times }
  | { readonly kind: "open"; readonly rateHz: number };

export interface SimulatedStation {
  readonly name: string;
  /** Equal servers with one queue, first come first served; Infinity for a delay. */
  readonly servers: number;
  /** Both phases occupy the server; the request moves on after the first. */
  readonly phaseOne: Times;
  readonly phaseTwo: Times;
}

/** Requests visit the stations in this order. */
export interface SimulatedNetwork {
  readonly source: Source;
  readonly stations: readonly SimulatedStation[];
}

/** M/M/c. */
export function simulatedQueue({ rateHz, serviceMs, servers }: MmcLoad): SimulatedNetwork {
  const [phaseOne, phaseTwo] = [
    { kind: "exponential", meanMs: serviceMs },
    { kind: "constant", meanMs: 0 },
  ] as const;
  return { source: { kind: "open", rateHz }, stations: [{ name: "server", servers, phaseOne, phaseTwo }] };
}

function timesOf(service: ServiceDistribution, meanMs: number): Times {
  return typeof service === "object" ? { kind: "gamma", meanMs, scv: service.scv } : { kind: service, meanMs };
}

/** A closed network with both phases: callers move on after the first. */
export function simulatedNetwork({ population, thinkMs, think, stations }: ClosedNetwork): SimulatedNetwork {
  return {
    source: { kind: "closed", population, think: { kind: think, meanMs: thinkMs } },
    stations: stations.map(({ name, kind, service, demandMs, phaseTwoMs }) => ({
      name,
      servers: kind === "delay" ? Infinity : 1,
      phaseOne: timesOf(service, demandMs - phaseTwoMs),
      phaseTwo: timesOf(service, phaseTwoMs),
    })),
  };
}

const batches = 30;
/** Shorter batches would correlate, and the interval would be too narrow. */
const shortest = 100;

/**
 * The 95 % interval by batch means: the values are cut, in order, into 30 long batches with nearly independent means. A. M. Law, "Simulation Modeling
 * and Analysis" (2015), section 9.5.3. Null for fewer than 3,000 values.
 */
function batchMeansInterval(values: readonly number[]): Interval | null {
  const length = Math.floor(values.length / batches);
  if (length < shortest) return null;
  const means = Array.from(
    { length: batches },
    (_, batch) => mean(values.slice(batch * length, (batch + 1) * length)) as number,
  );
  const centre = mean(values) as number;
  const halfWidth = twoSidedT(0.95, batches - 1) * Math.sqrt((variance(means) as number) / batches);
  return { low: centre - halfWidth, high: centre + halfWidth };
}

function sampler(times: Times, random: Random): () => number {
  const { meanMs } = times;
  if (meanMs === 0 || times.kind === "constant") return () => meanMs;
  if (times.kind === "exponential") return randomExponential.source(random)(1 / meanMs);
  return times.scv === 0 ? () => meanMs : randomGamma.source(random)(1 / times.scv, meanMs * times.scv);
}

export interface SimulateOptions {
  /** The same seed gives the same figures on every machine. */
  readonly seed: number;
  /** Round trips that count. A tenth as many run before, to fill the queues. */
  readonly roundTrips: number;
}

export const simulateDefaults: SimulateOptions = { seed: 1, roundTrips: 300_000 };

export interface SimulatedStationState {
  readonly name: string;
  /** Share of time that servers are busy; null for a delay. */
  readonly utilisation: number | null;
  /** Mean number of requests waiting or in service. */
  readonly present: number;
}

export interface Simulation {
  readonly roundTrips: number;
  readonly throughputHz: number;
  /** Mean time from request to answer. */
  readonly responseMs: number;
  /** 95 % interval of the mean; null for fewer than 3,000 round trips. */
  readonly responseLowMs: number | null;
  readonly responseHighMs: number | null;
  readonly percentilesMs: ResponsePercentiles;
  readonly stations: readonly SimulatedStationState[];
}

const mostCallers = 100_000;
const mostRoundTrips = 10_000_000;
const warmUpShare = 0.1;

function percentilesOf(values: readonly number[]): ResponsePercentiles {
  const sorted = sortedCopy(values);
  const [p50, p90, p95, p99] = [0.5, 0.9, 0.95, 0.99].map((share) => quantile(sorted, share));
  return { p50, p90, p95, p99 } as ResponsePercentiles;
}

function stationState(name: string, servers: number, point: ServicePoint | undefined): SimulatedStationState {
  const [busy, waiting] = [point?.busy.average() ?? 0, point?.waiting.average() ?? 0];
  return { name, utilisation: Number.isFinite(servers) ? busy / servers : null, present: busy + waiting };
}

function unstable(): AnalysisError {
  return new AnalysisError(
    "unstable-load",
    `more than ${mostCallers} requests wait: the load is unstable, or close to it`,
  );
}

/** Throws `bad-option` for too many callers, and `unstable-load` when an open queue exceeds 100,000 requests. */
export function simulate({ source, stations }: SimulatedNetwork, { seed, roundTrips }: SimulateOptions): Simulation {
  requireWhole("the number of simulated round trips", roundTrips, 1, mostRoundTrips);
  if (source.kind === "closed") requireWhole("the number of simulated callers", source.population, 1, mostCallers);
  const time = calendar();
  const points = stations.map(({ servers }) => servicePoint(servers, time));
  const route = stations.map(({ name, phaseOne, phaseTwo }) => {
    // One random stream per station: changing one leaves the others as they are.
    const random = randomFrom(seed, `service ${name} 0`);
    return { phaseOneMs: sampler(phaseOne, random), phaseTwoMs: sampler(phaseTwo, random) };
  });
  const responses: number[] = [];
  const warmUp = Math.ceil(roundTrips * warmUpShare);
  let [done, under, beganMs] = [0, 0, 0];

  const answered = (startedMs: number): void => {
    done += 1;
    if (done > warmUp) responses.push(time.nowMs() - startedMs);
    if (done !== warmUp) return;
    beganMs = time.nowMs();
    for (const { busy, waiting } of points) {
      busy.restart();
      waiting.restart();
    }
  };
  const travel = (startedMs: number, leg: number, back: () => void): void => {
    const visit = route[leg];
    if (visit === undefined) {
      answered(startedMs);
      back();
      return;
    }
    points[leg]?.arrive({ ...visit, leave: () => travel(startedMs, leg + 1, back) });
  };

  const random = randomFrom(seed, "source 0");
  if (source.kind === "closed") {
    const thinkMs = sampler(source.think, random);
    const think = (): void => time.plan(thinkMs(), () => travel(time.nowMs(), 0, think));
    for (let caller = 0; caller < source.population; caller += 1) think();
  } else {
    const gapMs = sampler({ kind: "exponential", meanMs: 1_000 / source.rateHz }, random);
    const arrive = (): void => {
      under += 1;
      if (under > mostCallers) throw unstable();
      travel(time.nowMs(), 0, () => (under -= 1));
      time.plan(gapMs(), arrive);
    };
    time.plan(gapMs(), arrive);
  }

  const isEnough = (): boolean => done >= warmUp + roundTrips;
  while (!isEnough() && time.step());
  const interval = batchMeansInterval(responses);
  return {
    roundTrips: responses.length,
    throughputHz: (1_000 * responses.length) / (time.nowMs() - beganMs),
    responseMs: mean(responses) as number,
    responseLowMs: interval?.low ?? null,
    responseHighMs: interval?.high ?? null,
    percentilesMs: percentilesOf(responses),
    stations: stations.map(({ name, servers }, index) => stationState(name, servers, points[index])),
  };
}
