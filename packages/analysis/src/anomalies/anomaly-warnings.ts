// Warnings about cells outside their model. One per load model names the farthest cell and the most common cause. Those for round trips, which are
// few, name all cells.
import { groupsOf } from "../basics/groups-of.ts";
import type { Warning } from "@roundtrip/runs";
import { counted, durationRange, durationText, listed } from "../basics/words.ts";
import type { Anomaly } from "./anomaly.ts";
import { thresholds } from "../basics/thresholds.ts";

/** `1.20 (95 % interval 1.18 to 1.22) where 1 is predicted`, `23.9 ms (95 % interval 22 to 26 ms) where 17.4 ms is predicted`. */
function anomalyText({ unit, measured, low, high, predictedLeast, predictedMost }: Anomaly): string {
  if (unit === "round trips") {
    const must = [...new Set([predictedLeast, predictedMost].map((value) => String(Number(value.toFixed(2)))))];
    return `${measured.toFixed(2)} (95 % interval ${low.toFixed(2)} to ${high.toFixed(2)}) where ${must.join(" to ")} is predicted`;
  }
  const predicted =
    predictedLeast === predictedMost ? durationText(predictedLeast) : durationRange(predictedLeast, predictedMost);
  return `${durationText(measured)} (95 % interval ${durationRange(low, high)}) where ${predicted} is predicted`;
}

function cellText(anomaly: Anomaly): string {
  const [cause] = anomaly.causes;
  return `${anomaly.name} ${anomalyText(anomaly)}${cause === undefined ? "" : `: ${cause.text}`}`;
}

/** `29 took longer and 9 less`, `both took longer`, `it took less`. */
function sidesText(cells: readonly Anomaly[]): string {
  const longer = cells.filter(({ ratio }) => ratio > 1).length;
  const less = cells.length - longer;
  if (longer > 0 && less > 0) return `${longer} took longer and ${less} less`;
  const who = cells.length === 1 ? "it" : cells.length === 2 ? "both" : "all";
  return `${who} took ${longer > 0 ? "longer" : "less"}`;
}

function commonestText(cells: readonly Anomaly[]): string {
  if (cells.length === 1) return "";
  const byCause = [...Map.groupBy(cells, ({ causes }) => causes[0]?.code ?? "")];
  const [commonest] = byCause.toSorted(([, one], [, other]) => other.length - one.length);
  if (commonest === undefined) return "";
  const [code, alike] = commonest;
  const what =
    code === "" ? "nothing that was collected explains" : `${code.replaceAll("-", " ")} is the likeliest cause of`;
  return `; ${what} ${alike.length === cells.length ? "all of them" : `${alike.length} of them`}`;
}

function loadMessage(cells: readonly Anomaly[], first: Anomaly): string {
  const which = first.model === "open queue" ? "every model of an open queue" : first.model;
  const band = `${Math.round(100 * thresholds.band)} %`;
  const unexplained = first.causes.length > 0 || cells.length > 1 ? "" : "; nothing that was collected explains it";
  const farthest = `${cells.length === 1 ? "" : "the farthest is "}${cellText(first)}${unexplained}`;
  const table = cells.length === 1 ? "" : `; the table of ${first.study} has the others, each with what was seen in it`;
  return `${counted(cells.length, "cell")} left ${which} by more than ${band} and beyond the interval (${sidesText(cells)}): ${farthest}${commonestText(cells)}${table}`;
}

function roundTripsMessage(cells: readonly Anomaly[], { causes, look }: Anomaly): string {
  const shown = cells.map(cellText);
  const all = cells.some((cell) => cell.causes.length > 0) ? shown.join("; ") : listed(shown);
  const where = causes.length > 0 || look === "" ? "" : `; ${look}`;
  return `more or fewer round trips were waited for than predicted: ${all}${where}`;
}

/** One for each study and load model; for round trips one for each direction and likeliest cause. `anomalies`: the farthest first. */
export function anomalyWarnings(anomalies: readonly Anomaly[]): readonly Warning[] {
  const groups = groupsOf(anomalies, ({ study, model, unit, ratio, causes, look }) =>
    JSON.stringify(unit === "ms" ? [study, model] : [study, model, ratio > 1, causes[0]?.code ?? look]),
  );
  return groups.map((cells) => {
    const [first] = cells;
    return first.unit === "ms"
      ? { code: "anomaly", message: loadMessage(cells, first) }
      : { code: "round-trips-differ", message: roundTripsMessage(cells, first) };
  });
}
