// M/M/1 and M/M/c at the requested rates.
import { AnalysisError, threeDigits } from "@roundtrip/analysis";
import {
  capacityHz,
  mm1,
  mmc,
  simulate,
  simulatedQueue,
  simulateDefaults,
  type OpenPrediction,
} from "@roundtrip/analysis/models";
import { openCharts, openTable, type OpenPoint, type OpenSweep } from "@roundtrip/report/predictions";
import { CliError } from "../basics/cli-error.ts";
import { mostSimulated, type ModelName, type Prediction, type PredictFlags } from "./prediction.ts";

export type OpenModelName = Exclude<ModelName, "mva">;

interface OpenQueue {
  readonly title: string;
  readonly setting: string;
  readonly serviceMs: number;
  readonly servers: number;
  readonly at: (rateHz: number) => OpenPrediction;
}

const curvePoints = 120;

function queueOf(model: OpenModelName, flags: PredictFlags): OpenQueue {
  const { serviceMs = Number.NaN, servers = 1 } = flags;
  const service = `${threeDigits(serviceMs)} ms of`;
  if (model === "mm1") {
    const setting = `${service} exponential service, 1 server`;
    return { title: "M/M/1", setting, serviceMs, servers: 1, at: (rateHz) => mm1({ rateHz, serviceMs }) };
  }
  const setting = `${service} exponential service, ${threeDigits(servers)} server${servers === 1 ? "" : "s"}`;
  return { title: "M/M/c", setting, serviceMs, servers, at: (rateHz) => mmc({ rateHz, serviceMs, servers }) };
}

/** Null for an unstable load. */
function stableAt(queue: OpenQueue, rateHz: number): OpenPrediction | null {
  try {
    return queue.at(rateHz);
  } catch (thrown) {
    if (thrown instanceof AnalysisError && thrown.code === "unstable-load") return null;
    throw thrown;
  }
}

/** Rates from below the first to the last requested one; for a single rate, to halfway between it and the capacity. */
function curveOf(queue: OpenQueue, ratesHz: readonly number[], capacity: number): readonly OpenPrediction[] {
  const stable = ratesHz.filter((rateHz) => rateHz < capacity);
  const [first = 0, last = 0] = [stable[0], stable.at(-1)];
  const low = Math.min(first, capacity * 0.02);
  const single = (last + capacity) / 2;
  const high = stable.length < ratesHz.length ? Math.max(last, capacity * 0.98) : stable.length === 1 ? single : last;
  return Array.from({ length: curvePoints }, (_, index) => low + ((high - low) * index) / (curvePoints - 1)).flatMap(
    (rateHz) => stableAt(queue, rateHz) ?? [],
  );
}

/** Throws an AnalysisError if the queue is unstable at every rate; the table of a sweep marks unstable rates. */
export function predictOpenQueue(model: OpenModelName, flags: PredictFlags): Prediction {
  const { rate: ratesHz = [] } = flags.load ?? {};
  const queue = queueOf(model, flags);
  const { serviceMs, servers, at } = queue;
  const capacity = capacityHz(serviceMs, servers);
  const [lowest = Number.NaN] = ratesHz;
  // If the lowest rate is unstable, all are, and this throws the error.
  at(lowest);
  const most = mostSimulated(1);
  if (flags.simulate && ratesHz.length > most) {
    throw new CliError("usage", `at most ${most} rates can be simulated, and --load rate has ${ratesHz.length}`);
  }
  const points = ratesHz.map((rateHz): OpenPoint => {
    const prediction = stableAt(queue, rateHz);
    const simulated =
      prediction !== null && flags.simulate
        ? simulate(simulatedQueue({ rateHz, serviceMs, servers }), simulateDefaults)
        : null;
    return { rateHz, utilisation: rateHz / capacity, prediction, simulated };
  });
  const sweep: OpenSweep = {
    model: queue.title,
    setting: queue.setting,
    capacityHz: capacity,
    points,
    curve: curveOf(queue, ratesHz, capacity),
  };
  return {
    tables: [openTable(sweep)],
    charts: openCharts(sweep),
    document: { model, serviceMs, servers, capacityHz: capacity, points },
  };
}
