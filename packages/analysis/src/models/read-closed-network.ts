// Reads a closed network from a short notation, and reports every mistake in one line.
import { AnalysisError } from "../basics/analysis-error.ts";
import {
  checkNetwork,
  networkLimits,
  stationKinds,
  timeKinds,
  type CallerClass,
  type ClosedNetwork,
  type Demand,
  type Station,
} from "./closed-network.ts";

type Fields = Readonly<Record<string, unknown>>;

const longestName = 80;
const longestShown = 60;

const topFields = ["classes", "stations"];
const classFields = ["name", "population", "thinkMs", "think"];
const stationFields = ["name", "kind", "service", "demandMs", "phaseTwoMs"];

function refuse(path: string, what: string): never {
  throw new AnalysisError("bad-option", `${path} ${what}`);
}

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
    return refuse(path, `is ${shown(value)}; it must be an object with ${known.join(", ")}`);
  }
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) refuse(path, `has no field ${shown(unknown)} (valid: ${known.join(", ")})`);
  return value as Fields;
}

function listOf(path: string, value: unknown, most: number): readonly unknown[] {
  if (Array.isArray(value) && value.length > 0 && value.length <= most) return value as readonly unknown[];
  const what = Array.isArray(value) ? `has ${value.length} entries` : `is ${shown(value)}`;
  return refuse(path, `${what}; it must be a list of 1 to ${most}`);
}

/** Names appear in tables, pictures and one-line messages. */
function nameOf(path: string, value: unknown): string {
  const fits = typeof value === "string" && value.trim() !== "" && value.length <= longestName && !/\p{C}/u.test(value);
  if (fits) return value;
  return refuse(
    `${path}.name`,
    `is ${shown(value)}; it must be a text of 1 to ${longestName} characters, none of them a control`,
  );
}

function numberOf(path: string, value: unknown): number {
  if (typeof value === "number" && value >= 0 && Number.isFinite(value)) return value;
  return refuse(path, `is ${shown(value)}; it must be a number of milliseconds, 0 or more`);
}

function oneOf<T extends string>(path: string, value: unknown, known: readonly T[]): T {
  const found = known.find((one) => one === value);
  return found ?? refuse(path, `is ${shown(value)}; it must be ${known.join(" or ")}`);
}

function refuseTwins(path: string, names: readonly string[]): void {
  const twin = names.find((name, index) => names.indexOf(name) !== index);
  if (twin !== undefined) refuse(path, `has two entries with the name ${shown(twin)}; give each its own`);
}

function classOf(value: unknown, index: number): CallerClass {
  const path = `classes[${index}]`;
  const { name, population, thinkMs = 0, think = "exponential" } = fieldsOf(path, value, classFields);
  if (
    !Number.isInteger(population) ||
    (population as number) < 1 ||
    (population as number) > networkLimits.population
  ) {
    const range = `1 to ${networkLimits.population.toLocaleString("en-US")}`;
    refuse(`${path}.population`, `is ${shown(population)}; it must be a whole number of callers, ${range}`);
  }
  return {
    name: nameOf(path, name),
    population: population as number,
    thinkMs: numberOf(`${path}.thinkMs`, thinkMs),
    think: oneOf(`${path}.think`, think, timeKinds),
  };
}

/** One number applies to every class. An object has a number per class name, and 0 for those it leaves out. */
function byClass(path: string, value: unknown, classes: readonly CallerClass[]): readonly number[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return classes.map(() => numberOf(path, value));
  }
  const names = classes.map(({ name }) => name);
  const given = fieldsOf(path, value, names);
  return names.map((name) => (Object.hasOwn(given, name) ? numberOf(`${path}.${name}`, given[name]) : 0));
}

function stationOf(value: unknown, index: number, classes: readonly CallerClass[]): Station {
  const path = `stations[${index}]`;
  const fields = fieldsOf(path, value, stationFields);
  const { name, kind = "queue", service = "exponential", demandMs, phaseTwoMs = 0 } = fields;
  const demands = byClass(`${path}.demandMs`, demandMs, classes);
  const later = byClass(`${path}.phaseTwoMs`, phaseTwoMs, classes);
  return {
    name: nameOf(path, name),
    kind: oneOf(`${path}.kind`, kind, stationKinds),
    service: oneOf(`${path}.service`, service, timeKinds),
    demands: demands.map((one, caller): Demand => ({
      demandMs: one,
      // A second phase for every class applies to classes that visit the station.
      phaseTwoMs: one === 0 && typeof phaseTwoMs === "number" ? 0 : (later[caller] as number),
    })),
  };
}

/**
 * Reads a network from a JSON value: `{ classes: [{ name, population, thinkMs?, think? }], stations: [{ name, kind?, service?, demandMs, phaseTwoMs?
 * }] }`. Defaults: think time 0 and exponential, a station is a queue with exponential service and no second phase. `demandMs` and `phaseTwoMs` are
 * numbers, or objects with a number by class. Throws `bad-option` with the path and the expected value.
 */
export function readClosedNetwork(value: unknown): ClosedNetwork {
  const top = fieldsOf("the network", value, topFields);
  const classes = listOf("classes", top["classes"], networkLimits.classes).map(classOf);
  refuseTwins(
    "classes",
    classes.map(({ name }) => name),
  );
  const stations = listOf("stations", top["stations"], networkLimits.stations).map((station, index) =>
    stationOf(station, index, classes),
  );
  refuseTwins(
    "stations",
    stations.map(({ name }) => name),
  );
  const network = { classes, stations };
  checkNetwork(network);
  return network;
}
