// A discrete-event simulation of queueing networks: an independent check of the models, and figures where no formula exists.
import { mean, variance } from "d3-array";
import { randomExponential, randomGamma } from "d3-random";
import { AnalysisError } from "../../basics/analysis-error.ts";
import type { CallerClass, ClosedNetwork, ServiceDistribution, Station } from "../closed-network.ts";
import { requireWhole } from "../model-input.ts";
import type { ResponsePercentiles } from "../open-queues.ts";
import { calendar, servicePoint, type Calendar, type ServicePoint, type Visit } from "./service-point.ts";
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
  | { readonly kind: "closed"; readonly name: string; readonly population: number; readonly think: Times }
  | { readonly kind: "open"; readonly name: string; readonly rateHz: number };

/** Both phases occupy the server; the request moves on after the first. */
export interface SimulatedService {
  readonly phaseOne: Times;
  readonly phaseTwo: Times;
}

export interface SimulatedStation {
  readonly name: string;
  /** Equal servers with one queue, first come first served; Infinity for a delay. */
  readonly servers: number;
  /** In the order of the sources; null for sources that do not visit the station. */
  readonly services: readonly (SimulatedService | null)[];
}

/** Requests visit the stations in this order. */
export interface SimulatedNetwork {
  readonly sources: readonly Source[];
  readonly stations: readonly SimulatedStation[];
}

interface OpenLoad {
  readonly rateHz: number;
  readonly serviceMs: number;
  readonly servers: number;
}

/** M/M/c. */
export function simulatedQueue({ rateHz, serviceMs, servers }: OpenLoad): SimulatedNetwork {
  const phaseOne = { kind: "exponential", meanMs: serviceMs } as const;
  const service = { phaseOne, phaseTwo: { kind: "constant", meanMs: 0 } } as const;
  return {
    sources: [{ kind: "open", name: "requests", rateHz }],
    stations: [{ name: "server", servers, services: [service] }],
  };
}

function sourceOf({ name, population, thinkMs, think }: CallerClass): Source {
  return { kind: "closed", name, population, think: { kind: think, meanMs: thinkMs } };
}

function timesOf(service: ServiceDistribution, meanMs: number): Times {
  return typeof service === "object" ? { kind: "gamma", meanMs, scv: service.scv } : { kind: service, meanMs };
}

function stationOf({ name, kind, service, demands }: Station): SimulatedStation {
  return {
    name,
    servers: kind === "delay" ? Infinity : 1,
    services: demands.map(({ demandMs, phaseTwoMs }) =>
      demandMs === 0
        ? null
        : {
            phaseOne: timesOf(service, demandMs - phaseTwoMs),
            phaseTwo: timesOf(service, phaseTwoMs),
          },
    ),
  };
}

/** A closed network with both phases: callers move on after the first. */
export function simulatedNetwork({ classes, stations }: ClosedNetwork): SimulatedNetwork {
  return { sources: classes.map(sourceOf), stations: stations.map(stationOf) };
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
  /** Round trips that count, over all sources. A tenth as many run before, to fill the queues. */
  readonly roundTrips: number;
}

export const simulateDefaults: SimulateOptions = { seed: 1, roundTrips: 300_000 };

export interface SimulatedSource {
  readonly name: string;
  readonly roundTrips: number;
  readonly throughputHz: number;
  /** Mean time from request to answer; null without answers. */
  readonly responseMs: number | null;
  /** 95 % interval of the mean; null for fewer than 3,000 round trips. */
  readonly responseLowMs: number | null;
  readonly responseHighMs: number | null;
  readonly percentilesMs: ResponsePercentiles | null;
}

export interface SimulatedStationState {
  readonly name: string;
  /** Share of time that servers are busy; null for a delay. */
  readonly utilisation: number | null;
  /** Mean number of requests waiting or in service. */
  readonly present: number;
}

export interface Simulation {
  readonly sources: readonly SimulatedSource[];
  readonly stations: readonly SimulatedStationState[];
}

const mostCallers = 100_000;
const mostRoundTrips = 10_000_000;
const warmUpShare = 0.1;

function percentilesOf(values: readonly number[]): ResponsePercentiles | null {
  if (values.length === 0) return null;
  const sorted = sortedCopy(values);
  const [p50, p90, p95, p99] = [0.5, 0.9, 0.95, 0.99].map((share) => quantile(sorted, share));
  return { p50, p90, p95, p99 } as ResponsePercentiles;
}

/** The visits of a source's round trip, in order. Each ends by calling `next`. */
function routeOf(
  { stations }: SimulatedNetwork,
  source: number,
  seed: number,
): readonly (Omit<Visit, "leave"> & { readonly station: number })[] {
  return stations.flatMap(({ name, services }, station) => {
    const service = services[source];
    if (service === null || service === undefined) return [];
    // One random stream per source and station: changing one leaves the others as they are.
    const random = randomFrom(seed, `service ${name} ${source}`);
    return [{ station, phaseOneMs: sampler(service.phaseOne, random), phaseTwoMs: sampler(service.phaseTwo, random) }];
  });
}

function sourceFigures(name: string, responsesMs: readonly number[], seconds: number): SimulatedSource {
  const interval = batchMeansInterval(responsesMs);
  return {
    name,
    roundTrips: responsesMs.length,
    // No time passes without requests.
    throughputHz: seconds === 0 ? 0 : responsesMs.length / seconds,
    responseMs: mean(responsesMs) ?? null,
    responseLowMs: interval?.low ?? null,
    responseHighMs: interval?.high ?? null,
    percentilesMs: percentilesOf(responsesMs),
  };
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

type RoundTrip = (back: () => void) => void;

function startCallers(population: number, thinkMs: () => number, time: Calendar, roundTrip: RoundTrip): void {
  const think = (): void => time.plan(thinkMs(), () => roundTrip(think));
  for (let caller = 0; caller < population; caller += 1) think();
}

function startArrivals(gapMs: () => number, time: Calendar, begin: () => void): void {
  const arrive = (): void => {
    begin();
    time.plan(gapMs(), arrive);
  };
  time.plan(gapMs(), arrive);
}

/** Throws `bad-option` for too many callers, and `unstable-load` when an open queue exceeds 100,000 requests. */
export function simulate(network: SimulatedNetwork, { seed, roundTrips }: SimulateOptions): Simulation {
  requireWhole("the number of simulated round trips", roundTrips, 1, mostRoundTrips);
  const callers = network.sources.reduce((sum, source) => sum + (source.kind === "closed" ? source.population : 0), 0);
  requireWhole("the number of simulated callers", callers, 0, mostCallers);
  const time = calendar();
  const points = network.stations.map(({ servers }) => servicePoint(servers, time));
  const responses: number[][] = network.sources.map(() => []);
  const warmUp = Math.ceil(roundTrips * warmUpShare);
  let [done, under, beganMs] = [0, 0, 0];

  const answered = (source: number, startedMs: number): void => {
    done += 1;
    if (done > warmUp) responses[source]?.push(time.nowMs() - startedMs);
    if (done !== warmUp) return;
    beganMs = time.nowMs();
    for (const { busy, waiting } of points) {
      busy.restart();
      waiting.restart();
    }
  };

  network.sources.forEach((source, index) => {
    const route = routeOf(network, index, seed);
    const travel = (startedMs: number, leg: number, back: () => void): void => {
      const visit = route[leg];
      if (visit === undefined) {
        answered(index, startedMs);
        back();
        return;
      }
      const { station, phaseOneMs, phaseTwoMs } = visit;
      points[station]?.arrive({ phaseOneMs, phaseTwoMs, leave: () => travel(startedMs, leg + 1, back) });
    };
    const random = randomFrom(seed, `source ${index}`);
    if (source.kind === "closed") {
      startCallers(source.population, sampler(source.think, random), time, (back) => travel(time.nowMs(), 0, back));
      return;
    }
    startArrivals(sampler({ kind: "exponential", meanMs: 1_000 / source.rateHz }, random), time, () => {
      under += 1;
      if (under > mostCallers) throw unstable();
      travel(time.nowMs(), 0, () => (under -= 1));
    });
  });

  const enough = (): boolean => done >= warmUp + roundTrips;
  while (!enough() && time.step());
  const seconds = (time.nowMs() - beganMs) / 1_000;
  return {
    sources: network.sources.map(({ name }, index) => sourceFigures(name, responses[index] ?? [], seconds)),
    stations: network.stations.map(({ name, servers }, index) => stationState(name, servers, points[index])),
  };
}
