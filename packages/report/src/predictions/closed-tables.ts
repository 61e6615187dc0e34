// The tables of a closed network: the round trips of each class and, for a single point, the stations.
import type { AsymptoticBounds, ClosedPrediction, Simulation } from "@roundtrip/analysis/models";
import { tickLabel } from "../basics/quantity.ts";
import { column, figureColumns, measuredRow, withoutEmptyColumns, type Table, type TableRow } from "../basics/table.ts";
import { figure, percent, simulatedMean, simulationNote } from "./figures.ts";

export interface ClosedPoint {
  /** The callers, or the think time in milliseconds, of the class that varies. */
  readonly at: number;
  readonly prediction: ClosedPrediction;
  /** Null without a simulation. */
  readonly simulated: Simulation | null;
}

export interface ClosedSweep {
  readonly factor: "population" | "thinkMs";
  readonly className: string;
  readonly method: "exact" | "schweitzer";
  readonly points: readonly ClosedPoint[];
  /** From one end of the sweep to the other, for a curve. */
  readonly curve: readonly ClosedPoint[];
  /** Null for several classes, which have no common bounds. */
  readonly bounds: AsymptoticBounds | null;
}

const methods = {
  exact: "mean value analysis",
  schweitzer: "mean value analysis after Schweitzer",
} as const;

/** The busiest station with its utilisation. */
export function busiestOf({ prediction }: Pick<ClosedPoint, "prediction">): string {
  const [busiest] = prediction.stations
    .filter(({ utilisation }) => utilisation !== null)
    .toSorted((a, b) => (b.utilisation ?? 0) - (a.utilisation ?? 0));
  return busiest === undefined ? "none" : `${busiest.name} ${percent(busiest.utilisation)}`;
}

function classRows(point: ClosedPoint): readonly TableRow[] {
  return point.prediction.classes.map(({ name, population, thinkMs, roundTripMs, throughputHz }, index) => {
    const simulated = point.simulated?.sources[index];
    return measuredRow([
      name,
      tickLabel(population),
      tickLabel(thinkMs),
      figure(roundTripMs),
      figure(throughputHz),
      busiestOf(point),
      simulatedMean(simulated),
    ]);
  });
}

function noteOf({ points, bounds }: ClosedSweep): string {
  const approximations = [...new Set(points.flatMap(({ prediction }) => prediction.approximations))];
  const ceiling =
    bounds?.bottleneck === null || bounds === null
      ? []
      : [`No more than ${figure(bounds.ceilingHz)} round trips per second: ${bounds.bottleneck} can serve no more.`];
  return [
    approximations.length === 0 ? "Exact for this network." : `Approximate: ${approximations.join("; ")}.`,
    ...ceiling,
    ...(points.some(({ simulated }) => simulated !== null) ? [simulationNote] : []),
  ].join(" ");
}

function stationTable({ prediction, simulated }: ClosedPoint): Table {
  const several = prediction.classes.length > 1;
  return withoutEmptyColumns({
    id: "stations",
    caption: "Stations: how busy, how many callers are there, and the time of a round trip there, in ms",
    columns: [
      ...figureColumns("station", "busy", "present"),
      ...prediction.classes.map(({ name }) => column.end(several ? `time of ${name}` : "time")),
      column.end("simulated busy"),
      column.end("simulated present"),
    ],
    rows: prediction.stations.map(({ name, utilisation, present, residenceMs }, index) =>
      measuredRow([
        name,
        percent(utilisation),
        figure(present.reduce((sum, one) => sum + one, 0)),
        ...residenceMs.map(figure),
        percent(simulated?.stations[index]?.utilisation ?? null),
        figure(simulated?.stations[index]?.present),
      ]),
    ),
    note: "",
  });
}

/** Times in milliseconds. */
export function closedTables(sweep: ClosedSweep): readonly Table[] {
  const [first] = sweep.points;
  const classes: Table = {
    id: "round-trips",
    caption: `Closed network, ${methods[sweep.method]}: round trips, in ms`,
    columns: figureColumns(
      "class",
      "callers",
      "think time",
      "round trip",
      "per second",
      "busiest station",
      "simulated round trip",
    ),
    rows: sweep.points.flatMap(classRows),
    note: noteOf(sweep),
  };
  return [
    withoutEmptyColumns(classes),
    ...(first === undefined || sweep.points.length > 1 ? [] : [stationTable(first)]),
  ];
}
