// Cells outside their model, each with its evidence and the likely causes, and the warnings about them. One warning per load model names the farthest
// cell; those for round trips, which are few, name all cells.
import type { Block, RunFacts } from "@roundtrip/runs";
import type { Warning } from "../warnings/warning.ts";
import { causesOf, isDisturbed, type Anomaly, type Suspect } from "./causes.ts";
import { cellEvidence, meansIn } from "./cell-evidence.ts";
import { asksForMore, ceilingOf, isOutside, modelCells, type Predicted } from "./model-cells.ts";
import { groupsOf } from "../comparison/stack-pairs.ts";
import { thresholds } from "../basics/thresholds.ts";
import { counted, durationRange, durationText, listed } from "../basics/words.ts";
import { whereToLook } from "../distance/round-trips.ts";

function distance({ ratio }: Anomaly): number {
  return Math.abs(Math.log(ratio));
}

interface ModelledCells {
  /** Cells outside their model, the farthest first. */
  readonly anomalies: readonly Anomaly[];
  /** The arms of cells whose own blocks show why a prediction may fail, whether it does or not. */
  readonly disturbed: readonly string[];
}

export function anomalies({ blocks }: Pick<RunFacts, "blocks">, measured: Predicted): ModelledCells {
  const arms = new Map(measured.arms.map((arm) => [arm.id, arm]));
  const blocksOf = Map.groupBy(blocks, ({ armId }) => armId);
  const meanOf = meansIn(measured.summaries);
  const cells = modelCells(measured);
  const ceilings = new Map(
    [...Map.groupBy(cells, ({ alone }) => alone?.id)].map(([id, series]) => [
      id,
      ceilingOf(series.flatMap(({ inFlight }) => inFlight ?? [])),
    ]),
  );
  const suspects = cells.map((modelled) => {
    const { alone, roundTrips, inFlight, demands, name: _, ...cell } = modelled;
    const ceiling = ceilings.get(alone?.id) ?? null;
    // First calls are made outside of blocks, so blocks contain no evidence about them.
    const own: readonly Block[] =
      roundTrips?.isFirstCall === true ? [] : cell.armIds.flatMap((id) => blocksOf.get(id) ?? []);
    const evidence = cellEvidence({
      arms: cell.armIds.flatMap((id) => arms.get(id) ?? []),
      blocks: own,
      alone: alone === null ? null : { arm: alone, blocks: blocksOf.get(alone.id) ?? [] },
      // The model already includes a new connection for each call.
      isOneConnectionEach: roundTrips?.opensConnections === true,
      demands,
      ceiling: ceiling !== null && inFlight !== null && asksForMore(inFlight, ceiling) ? ceiling : null,
      meanOf,
    });
    const { measured: value, predictedLeast, predictedMost } = cell;
    const ratio = value / (value > predictedMost ? predictedMost : predictedLeast);
    const suspect: Suspect = { ...cell, ratio, evidence };
    return { modelled, suspect };
  });
  const found = suspects
    .filter(({ modelled }) => isOutside(modelled))
    .map(({ modelled: { name, roundTrips }, suspect }): Anomaly => {
      const look = roundTrips === null ? "" : whereToLook(roundTrips);
      return { ...suspect, name, causes: causesOf(suspect), look };
    });
  return {
    anomalies: found.toSorted((one, other) => distance(other) - distance(one)),
    disturbed: suspects.flatMap(({ suspect }) =>
      suspect.model === "mean value analysis" && isDisturbed(suspect) ? suspect.armIds : [],
    ),
  };
}

/** The arms with an anomaly that opened connections explain. */
export function anomaliesOfConnections(found: readonly Anomaly[]): ReadonlySet<string> {
  const codes = ["connections-opened", "closed-by-server"];
  const concerned = found.filter(({ causes }) => causes.some(({ code }) => codes.includes(code)));
  return new Set(concerned.flatMap(({ armIds }) => armIds));
}

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

function loadMessage(cells: readonly Anomaly[], first: Anomaly): string {
  const which = first.model === "open queue" ? "every model of an open queue" : first.model;
  const band = `${Math.round(100 * thresholds.band)} %`;
  const unexplained = first.causes.length > 0 ? "" : "; nothing that was collected explains it";
  const [lead, table] =
    cells.length === 1 ? ["", ""] : ["the farthest is ", `; the table of ${first.study} has the others`];
  return `${counted(cells.length, "cell")} left ${which} by more than ${band} and beyond the interval: ${lead}${cellText(first)}${unexplained}${table}`;
}

function roundTripsMessage(cells: readonly Anomaly[], { causes, look }: Anomaly): string {
  const shown = cells.map(cellText);
  const all = cells.some((cell) => cell.causes.length > 0) ? shown.join("; ") : listed(shown);
  const where = causes.length > 0 || look === "" ? "" : `; ${look}`;
  return `more or fewer round trips were waited for than predicted: ${all}${where}`;
}

/** One for each study and load model; for round trips one for each direction and likeliest cause. `found`: the farthest first. */
export function anomalyWarnings(found: readonly Anomaly[]): readonly Warning[] {
  const groups = groupsOf(found, ({ study, model, unit, ratio, causes, look }) =>
    JSON.stringify(unit === "ms" ? [study, model] : [study, model, ratio > 1, causes[0]?.code ?? look]),
  );
  return groups.map((cells) => {
    const [first] = cells;
    return first.unit === "ms"
      ? { code: "anomaly", message: loadMessage(cells, first) }
      : { code: "round-trips-differ", message: roundTripsMessage(cells, first) };
  });
}
