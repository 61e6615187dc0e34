// What a reader is told of cells that left their model: together where the same is likely to be behind them, the farthest by name.
import type { Warning } from "../run.ts";
import { counted, durationRange, durationText, listed } from "../words.ts";
import type { Anomaly } from "./anomaly.ts";
import { thresholds } from "./thresholds.ts";

/** So many cells of a model of load are named, and all of round trips, which are few; the others are in the table. */
const named = { ms: 3, "round trips": Number.POSITIVE_INFINITY } as const satisfies Record<Anomaly["unit"], number>;

/** `1.20 (95 % interval 1.18 to 1.22) where 1 must be`, `23.9 ms (95 % interval 22 to 26 ms) where 17.4 ms is predicted`. */
export function anomalyText({ unit, measured, low, high, predictedLeast, predictedMost }: Anomaly): string {
  if (unit === "round trips") {
    const must = [...new Set([predictedLeast, predictedMost].map((value) => String(Number(value.toFixed(2)))))];
    return `${measured.toFixed(2)} (95 % interval ${low.toFixed(2)} to ${high.toFixed(2)}) where ${must.join(" to ")} must be`;
  }
  const predicted =
    predictedLeast === predictedMost ? durationText(predictedLeast) : durationRange(predictedLeast, predictedMost);
  return `${durationText(measured)} (95 % interval ${durationRange(low, high)}) where ${predicted} is predicted`;
}

function cellText(anomaly: Anomaly): string {
  const [cause] = anomaly.causes;
  return `${anomaly.name} ${anomalyText(anomaly)}${cause === undefined ? "" : `: ${cause.text}`}`;
}

/** The farthest by name, and how many there are besides; a cause that has figures of its own stands with each. */
function cellsText(cells: readonly Anomaly[], unit: Anomaly["unit"]): string {
  const shown = cells.slice(0, named[unit]).map(cellText);
  const others = cells.length - shown.length;
  const separator = cells.some(({ causes }) => causes.length > 0) ? "; " : undefined;
  const all = others === 0 ? shown : [...shown, counted(others, "other")];
  return separator === undefined ? listed(all) : all.join(separator);
}

function messageOf(cells: readonly Anomaly[], { unit, model, ratio, causes, look }: Anomaly): string {
  if (unit === "round trips") {
    const where = causes.length > 0 || look === "" ? "" : `; ${look}`;
    return `more or fewer round trips were waited for than must be: ${cellsText(cells, unit)}${where}`;
  }
  const band = `${Math.round(100 * thresholds.band)} %`;
  const which = model === "open queue" ? "every model of an open queue" : model;
  const unexplained = causes.length > 0 ? "" : "; nothing that was collected explains it";
  return `${counted(cells.length, "cell")} took ${ratio > 1 ? "longer" : "less"} than ${which} predicts, by more than ${band} and beyond the interval: ${cellsText(cells, unit)}${unexplained}`;
}

/** One for each study, model, side of it and likeliest cause. */
export function anomalyWarnings(anomalies: readonly Anomaly[]): readonly Warning[] {
  const groups = Map.groupBy(anomalies, ({ study, model, ratio, causes, look }) =>
    JSON.stringify([study, model, ratio > 1, causes[0]?.code ?? look]),
  );
  return [...groups.values()].flatMap((cells) => {
    const [first] = cells;
    if (first === undefined) return [];
    const code = first.unit === "round trips" ? "round-trips-differ" : "anomaly";
    return [{ code, message: messageOf(cells, first) }];
  });
}
