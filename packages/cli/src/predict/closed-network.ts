// Mean value analysis of the network in a file, at the requested populations or think times.
import { AnalysisError, counted } from "@roundtrip/analysis";
import {
  asymptoticBounds,
  exactMva,
  readClosedNetwork,
  simulate,
  simulatedNetwork,
  simulateDefaults,
  type ClosedNetwork,
  type ClosedPrediction,
} from "@roundtrip/analysis/models";
import { closedCharts, closedTable, type ClosedPoint, type ClosedSweep } from "@roundtrip/report/predictions";
import { CliError } from "../basics/cli-error.ts";
import { fileLimitsMiB, readInput } from "../basics/read-input.ts";
import { mostSimulated, type Prediction, type PredictFlags } from "./prediction.ts";

const mostCurvePoints = 100;

async function networkFrom(path: string): Promise<ClosedNetwork> {
  const text = readInput({ path, mostMiB: fileLimitsMiB.queueingModel });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.replaceAll(/\s+/g, " ") : String(cause);
    throw new CliError("usage", `${path} is not JSON: ${why}`, { cause });
  }
  try {
    return readClosedNetwork(value);
  } catch (cause) {
    if (!(cause instanceof AnalysisError)) throw cause;
    throw new CliError("usage", `${path}: ${cause.message}`, { cause });
  }
}

interface RequestedSweep {
  readonly factor: ClosedSweep["factor"];
  readonly numbers: readonly number[];
  /** With the constant value already set. */
  readonly network: ClosedNetwork;
}

/** The factor with several values; by default the population, at the file's number. */
function requestedSweep(ofFile: ClosedNetwork, { load: { callers, think } = {} }: PredictFlags): RequestedSweep {
  if ((callers?.length ?? 0) > 1 && (think?.length ?? 0) > 1) {
    throw new CliError("usage", "give several values to --load callers or to --load think, not to both");
  }
  const [population = ofFile.population] = callers ?? [];
  const [thinkMs = ofFile.thinkMs] = think ?? [];
  const network = { ...ofFile, population, thinkMs };
  if (think !== undefined && (think.length > 1 || callers === undefined)) {
    return { factor: "thinkMs", numbers: think, network };
  }
  return { factor: "population", numbers: callers ?? [population], network };
}

/** The points of the curve: whole numbers of callers; from 1 for a single population. */
function curveNumbers({ factor, numbers }: RequestedSweep): readonly number[] {
  const [first = 0, last = 0] = [numbers[0], numbers.at(-1)];
  const from = factor === "population" && numbers.length === 1 ? 1 : first;
  const whole = factor === "population";
  const steps = whole ? Math.min(last - from, mostCurvePoints) : mostCurvePoints;
  const spread = Array.from({ length: steps + 1 }, (_, index) => from + ((last - from) * index) / (steps || 1));
  return [...new Set(whole ? spread.map(Math.round) : spread)];
}

function analysed(network: ClosedNetwork): ClosedPrediction {
  try {
    return exactMva(network);
  } catch (cause) {
    if (!(cause instanceof AnalysisError) || cause.code !== "too-large") throw cause;
    throw new CliError("usage", cause.message, { cause });
  }
}

/** Rejects with a usage error for an invalid file, with its path and the position. */
export async function predictClosedNetwork(flags: PredictFlags): Promise<Prediction> {
  const requested = requestedSweep(await networkFrom(flags.file ?? ""), flags);
  const { factor, numbers } = requested;
  const most = mostSimulated(requested.network.stations.length);
  if (flags.simulate && numbers.length > most) {
    const network = `a network with ${counted(requested.network.stations.length, "station")}`;
    throw new CliError(
      "usage",
      `at most ${counted(most, "point")} of ${network} can be simulated, and there are ${numbers.length}`,
    );
  }
  const networkAt = (at: number): ClosedNetwork => ({ ...requested.network, [factor]: at });
  const pointAt = (at: number, simulated: boolean): ClosedPoint => {
    const network = networkAt(at);
    const prediction = analysed(network);
    return {
      at,
      population: network.population,
      thinkMs: network.thinkMs,
      prediction,
      simulated: simulated ? simulate(simulatedNetwork(network), simulateDefaults) : null,
    };
  };
  const points = numbers.map((at) => pointAt(at, flags.simulate));
  const sweep: ClosedSweep = {
    factor,
    points,
    curve: flags.out === undefined ? [] : curveNumbers(requested).map((at) => pointAt(at, false)),
    bounds: asymptoticBounds(networkAt(numbers[0] ?? 0)),
  };
  const { curve: _, ...document } = sweep;
  return { tables: [closedTable(sweep)], charts: closedCharts(sweep), document: { model: "mva", ...document } };
}
