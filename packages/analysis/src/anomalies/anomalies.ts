// Cells outside their model, each with its evidence and the likely causes.
import { whereToLook } from "../distance/round-trips.ts";
import type { Anomaly } from "./anomaly.ts";
import type { Block, RunFacts } from "@roundtrip/runs";
import { asksForMore, ceilingOf, isOutside, modelCells, type Predicted } from "./model-cells.ts";
import { causesOf, type Suspect } from "./causes.ts";
import { cellEvidence, meansIn } from "./cell-evidence.ts";

function distance({ ratio }: Anomaly): number {
  return Math.abs(Math.log(ratio));
}

/** The farthest from its model first. */
export function anomalies({ blocks }: Pick<RunFacts, "blocks">, measured: Predicted): readonly Anomaly[] {
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
  const found = cells.filter(isOutside).map(({ alone, roundTrips, inFlight, demands, name, ...cell }): Anomaly => {
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
    return { ...suspect, name, causes: causesOf(suspect), look: roundTrips === null ? "" : whereToLook(roundTrips) };
  });
  return found.toSorted((one, other) => distance(other) - distance(one));
}

/** The arms with an anomaly that opened connections explain. */
export function anomaliesOfConnections(found: readonly Anomaly[]): ReadonlySet<string> {
  const codes = ["connections-opened", "closed-by-server"];
  const concerned = found.filter(({ causes }) => causes.some(({ code }) => codes.includes(code)));
  return new Set(concerned.flatMap(({ armIds }) => armIds));
}
