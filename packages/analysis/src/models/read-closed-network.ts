// A closed network as people write it down: fewer words than the model wants, and every mistake reported in one line.
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

function refuse(place: string, what: string): never {
  throw new AnalysisError("bad-option", `${place} ${what}`);
}

/** What stands there, in a few words: a value from a file may be of any size and depth. */
function shown(value: unknown): string {
  if (value === undefined) return "missing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  const text = JSON.stringify(value) ?? typeof value;
  return text.length > longestShown ? `${text.slice(0, longestShown - 1)}…` : text;
}

function fieldsOf(place: string, value: unknown, known: readonly string[]): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return refuse(place, `is ${shown(value)}; it must be an object with ${known.join(", ")}`);
  }
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) refuse(place, `has no field ${shown(unknown)} (known: ${known.join(", ")})`);
  return value as Fields;
}

function listOf(place: string, value: unknown, most: number): readonly unknown[] {
  if (Array.isArray(value) && value.length > 0 && value.length <= most) return value as readonly unknown[];
  const what = Array.isArray(value) ? `has ${value.length} entries` : `is ${shown(value)}`;
  return refuse(place, `${what}; it must be a list of 1 to ${most}`);
}

/** Names stand in tables, pictures and messages of one line. */
function nameOf(place: string, value: unknown): string {
  const fits = typeof value === "string" && value.trim() !== "" && value.length <= longestName && !/\p{C}/u.test(value);
  if (fits) return value;
  return refuse(
    `${place}.name`,
    `is ${shown(value)}; it must be a text of 1 to ${longestName} characters, none of them a control`,
  );
}

function numberOf(place: string, value: unknown): number {
  if (typeof value === "number" && value >= 0 && Number.isFinite(value)) return value;
  return refuse(place, `is ${shown(value)}; it must be a number of milliseconds, 0 or more`);
}

function oneOf<T extends string>(place: string, value: unknown, known: readonly T[]): T {
  const found = known.find((one) => one === value);
  return found ?? refuse(place, `is ${shown(value)}; it must be ${known.join(" or ")}`);
}

function refuseTwins(place: string, names: readonly string[]): void {
  const twin = names.find((name, index) => names.indexOf(name) !== index);
  if (twin !== undefined) refuse(place, `has two entries with the name ${shown(twin)}; give each its own`);
}

function classOf(value: unknown, index: number): CallerClass {
  const place = `classes[${index}]`;
  const { name, population, thinkMs = 0, think = "exponential" } = fieldsOf(place, value, classFields);
  if (
    !Number.isInteger(population) ||
    (population as number) < 1 ||
    (population as number) > networkLimits.population
  ) {
    const range = `1 to ${networkLimits.population.toLocaleString("en-US")}`;
    refuse(`${place}.population`, `is ${shown(population)}; it must be a whole number of callers, ${range}`);
  }
  return {
    name: nameOf(place, name),
    population: population as number,
    thinkMs: numberOf(`${place}.thinkMs`, thinkMs),
    think: oneOf(`${place}.think`, think, timeKinds),
  };
}

/** One number is every class's; an object has a number for each class by name, and those it leaves out have none. */
function byClass(place: string, value: unknown, classes: readonly CallerClass[]): readonly number[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return classes.map(() => numberOf(place, value));
  }
  const names = classes.map(({ name }) => name);
  const given = fieldsOf(place, value, names);
  return names.map((name) => (Object.hasOwn(given, name) ? numberOf(`${place}.${name}`, given[name]) : 0));
}

function stationOf(value: unknown, index: number, classes: readonly CallerClass[]): Station {
  const place = `stations[${index}]`;
  const fields = fieldsOf(place, value, stationFields);
  const { name, kind = "queue", service = "exponential", demandMs, phaseTwoMs = 0 } = fields;
  const demands = byClass(`${place}.demandMs`, demandMs, classes);
  const later = byClass(`${place}.phaseTwoMs`, phaseTwoMs, classes);
  return {
    name: nameOf(place, name),
    kind: oneOf(`${place}.kind`, kind, stationKinds),
    service: oneOf(`${place}.service`, service, timeKinds),
    demands: demands.map((one, caller): Demand => ({
      demandMs: one,
      // A phase two for every class is meant for those that come here.
      phaseTwoMs: one === 0 && typeof phaseTwoMs === "number" ? 0 : (later[caller] as number),
    })),
  };
}

/**
 * Reads a network from a value such as `JSON.parse` gives: `{ classes: [{ name, population, thinkMs?, think? }], stations: [{ name, kind?,
 * service?, demandMs, phaseTwoMs? }] }`. Left out, a think time is 0 and exponential, a station a queue with exponential service and no second
 * phase. `demandMs` and `phaseTwoMs` are numbers, or objects with a number by class. Throws `bad-option` with the place and what must be there.
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
