// A closed network: a fixed number of callers, who think, visit every station once, and repeat. Read from JSON, with every mistake in one line.
import { AnalysisError } from "../basics/analysis-error.ts";
import { requireWhole, requireZeroOrPositive } from "./model-input.ts";

const timeKinds = ["exponential", "constant"] as const;

/** Distribution of times around their mean. */
export type TimeKind = (typeof timeKinds)[number];

const stationKinds = ["queue", "delay"] as const;

/** `queue`: one server, first come first served. `delay`: as many servers as callers, so nobody waits. */
export type StationKind = (typeof stationKinds)[number];

/** Distribution of service times: its name, or its variance / mean² (0 for constant, 1 for exponential). */
export type ServiceDistribution = TimeKind | { readonly scv: number };

export interface Station {
  readonly name: string;
  readonly kind: StationKind;
  readonly service: ServiceDistribution;
  /** Mean service time of one round trip, both phases. */
  readonly demandMs: number;
  /** The part served after the caller has moved on: it queues, but does not add to the round trip. */
  readonly phaseTwoMs: number;
}

export interface ClosedNetwork {
  /** The number of callers. */
  readonly population: number;
  /** Mean time between an answer and the next request. */
  readonly thinkMs: number;
  /** Matters only to a simulation: mean value analysis is valid for every distribution of think time. */
  readonly think: TimeKind;
  /** In the order in which callers visit them. */
  readonly stations: readonly Station[];
}

const mostStations = 100;
const mostCallers = 1_000_000_000;

function refuse(message: string): never {
  throw new AnalysisError("bad-option", message);
}

/** Throws `bad-option` for an invalid network: too many parts, negative times, or a round trip of 0 ms. */
export function checkNetwork({ population, thinkMs, stations }: ClosedNetwork): void {
  requireWhole("population", population, 1, mostCallers);
  requireZeroOrPositive("thinkMs", thinkMs);
  requireWhole("the number of stations", stations.length, 1, mostStations);
  for (const { name, kind, demandMs, phaseTwoMs } of stations) {
    requireZeroOrPositive(`demandMs of ${name}`, demandMs);
    requireZeroOrPositive(`phaseTwoMs of ${name}`, phaseTwoMs);
    if (phaseTwoMs > demandMs) {
      refuse(`phaseTwoMs of ${name} (${phaseTwoMs}) is more than its demandMs (${demandMs}), which is both phases`);
    }
    if (phaseTwoMs > 0 && kind === "delay") {
      refuse(`phaseTwoMs of ${name} changes nothing, as nobody waits at a delay; remove it, also from demandMs`);
    }
  }
  if (stations.every(({ demandMs }) => demandMs === 0)) refuse("no station has a demandMs above 0");
}

type Fields = Readonly<Record<string, unknown>>;

const networkFields = ["population", "thinkMs", "think", "stations"];
const stationFields = ["name", "kind", "service", "demandMs", "phaseTwoMs"];
const longestShown = 60;

/** A short text for a value from a file, which may have any size and depth. */
function shown(value: unknown): string {
  if (value === undefined) return "missing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  const text = JSON.stringify(value) ?? typeof value;
  return text.length > longestShown ? `${text.slice(0, longestShown - 1)}…` : text;
}

function fieldsOf(path: string, value: unknown, known: readonly string[]): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return refuse(`${path} is ${shown(value)}; it must be an object with ${known.join(", ")}`);
  }
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) refuse(`${path} has no field ${shown(unknown)} (valid: ${known.join(", ")})`);
  return value as Fields;
}

function numberOf(path: string, value: unknown): number {
  return typeof value === "number" ? value : refuse(`${path} is ${shown(value)}; it must be a number`);
}

function oneOf<T extends string>(path: string, value: unknown, known: readonly T[]): T {
  const found = known.find((name) => name === value);
  return found ?? refuse(`${path} is ${shown(value)}; it must be ${known.join(" or ")}`);
}

function stationOf(value: unknown, index: number): Station {
  const path = `stations[${index}]`;
  const fields = fieldsOf(path, value, stationFields);
  const { name, kind = "queue", service = "exponential", demandMs, phaseTwoMs = 0 } = fields;
  // Names appear in tables, pictures and one-line messages.
  const isName = typeof name === "string" && name.trim() !== "" && name.length <= longestShown && !/\p{C}/u.test(name);
  return {
    name: isName
      ? name
      : refuse(`${path}.name is ${shown(name)}; it must be 1 to ${longestShown} printable characters`),
    kind: oneOf(`${path}.kind`, kind, stationKinds),
    service: oneOf(`${path}.service`, service, timeKinds),
    demandMs: numberOf(`${path}.demandMs`, demandMs),
    phaseTwoMs: numberOf(`${path}.phaseTwoMs`, phaseTwoMs),
  };
}

/**
 * Reads a network from a JSON value: `{ population, thinkMs?, think?, stations: [{ name, kind?, service?, demandMs, phaseTwoMs? }] }`. Defaults:
 * think time 0 and exponential, a station is a queue with exponential service and no second phase. Throws `bad-option` with the path and the
 * expected value.
 */
export function readClosedNetwork(value: unknown): ClosedNetwork {
  const fields = fieldsOf("the network", value, networkFields);
  const { population, thinkMs = 0, think = "exponential", stations } = fields;
  if (!Array.isArray(stations)) return refuse(`stations is ${shown(stations)}; it must be a list`);
  const network = {
    population: numberOf("population", population),
    thinkMs: numberOf("thinkMs", thinkMs),
    think: oneOf("think", think, timeKinds),
    stations: (stations as readonly unknown[]).map(stationOf),
  };
  checkNetwork(network);
  return network;
}
