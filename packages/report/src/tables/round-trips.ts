// Round trips per call of every stack, variant and connection, beside the prediction.
import type { StudyTable, StudyView } from "../view/run-view.ts";
import { lineFit, predictedText, type RoundTrips } from "@roundtrip/analysis";
import { configurationOf, type Arm, type PublishedFigures } from "@roundtrip/runs";
import { factorValue, studyLabel, variantLabel } from "../words/arm-label.ts";
import { absent, bytes, duration, interval, timeUnitFor } from "../basics/quantity.ts";
import type { ReportInput } from "../view/report-input.ts";
import { column, slug, withoutEmptyColumns, type NamedTable, type TableRow, type Table } from "../basics/table.ts";
import { markedTitle } from "../view/marks.ts";

const count = (value: number): string => value.toFixed(2).replace("-", "−");

/** What distinguishes a row from others of its task. The next column shows `tls`. */
function workText({ task, variant, factors }: RoundTrips, rows: readonly RoundTrips[]): string {
  const differing = Object.entries(factors).filter(
    ([name, value]) => name !== "tls" && rows.some((other) => other.task === task && other.factors[name] !== value),
  );
  const held = differing.map(([name, value]) => factorValue(name, value));
  const isOnly = rows.every((other) => other.task !== task || other.variant === variant);
  const named = isOnly ? [] : [variantLabel(variant)];
  return [task.replaceAll("-", " "), ...held, ...named].join(", ");
}

type Connection = Pick<RoundTrips, "opensConnections" | "isFirstCall" | "tls">;

function connectionText({ opensConnections, isFirstCall, tls }: Connection): string {
  const how = isFirstCall ? "new, first call" : opensConnections ? "new for each call" : "kept";
  return `${how}${tls ? ", TLS" : ""}`;
}

/** The line through published latencies, by the same estimator. */
interface PublishedRoundTrips {
  /** `hello, HTTP, WCF 2009`. */
  readonly label: string;
  readonly source: string;
  readonly connection: Connection;
  readonly perCall: number;
  readonly interceptMs: number;
}

/** Of published series with two or more distances. */
function publishedRoundTrips(published: readonly PublishedFigures[]): readonly PublishedRoundTrips[] {
  return published.flatMap(({ name, rows }) =>
    [...Map.groupBy(rows, ({ label }) => label)].flatMap(([label, alike]): readonly PublishedRoundTrips[] => {
      const points = alike.flatMap(({ factors, meanMs }) =>
        typeof factors["rttMs"] === "number" && meanMs !== null ? [{ x: factors["rttMs"], y: meanMs }] : [],
      );
      if (points.length < 2) return [];
      const { slope, intercept } = lineFit(points);
      const { task = null, factors = {} } = alike[0] ?? {};
      const [opensConnections, tls] = [factors["keepAlive"] === false, factors["tls"] === true];
      return [
        {
          label: `${task ?? ""}, ${label}, ${name}`,
          source: name,
          connection: { opensConnections, tls, isFirstCall: false },
          perCall: slope,
          interceptMs: intercept,
        },
      ];
    }),
  );
}

function publishedRows(published: readonly PublishedFigures[]): readonly TableRow[] {
  return publishedRoundTrips(published).map(({ label, source, connection, perCall, interceptMs }): TableRow => ({
    role: "published",
    nested: { groupId: source, group: source, name: label.slice(0, -`, ${source}`.length) },
    cells: [label, connectionText(connection), absent, count(perCall), absent, absent, interceptMs.toFixed(1)],
  }));
}

function roundTripsTables({ analysis }: ReportInput, { study, published }: StudyView): readonly NamedTable[] {
  const roles = new Map(analysis.arms.map((arm): [string, Arm["role"]] => [arm.id, arm.role]));
  const isFloor = ({ armIds }: RoundTrips): boolean => roles.get(armIds[0] ?? "") === "floor";
  const ofStudy = analysis.roundTrips.filter((row) => row.study === study);
  const floorLast = ofStudy.toSorted((one, other) => Number(isFloor(one)) - Number(isFloor(other)));
  const rows = [...Map.groupBy(floorLast, ({ stack }) => stack).values()].flat();
  if (rows.length === 0) return [];
  const unit = timeUnitFor([10]);
  const strange = rows.some(({ asPredicted }) => !asPredicted);
  const table: Table = {
    id: slug(`round trips ${study}`),
    caption: `${studyLabel(study)}: round trips per call`,
    columns: [
      column.start("stack and task"),
      column.start("connection"),
      column.end("bytes per call"),
      column.end("measured"),
      column.end("95 % interval"),
      column.end("must be"),
      column.end(`at no distance, ${unit.symbol}`),
    ],
    rows: [
      ...rows.map((row): TableRow => ({
        role: isFloor(row) ? "floor" : "measured",
        nested: {
          groupId: configurationOf(row),
          group: markedTitle(analysis, row),
          name: workText(row, rows),
        },
        cells: [
          `${markedTitle(analysis, row)} ${workText(row, rows)}`,
          connectionText(row),
          // A first call also has the bytes of its handshake, which the calls after it do not have.
          row.isFirstCall ? absent : bytes(row.bytesPerCall),
          `${count(row.perCall)}${row.asPredicted ? "" : " ≠"}`,
          interval(row.low, row.high, count),
          predictedText(row),
          duration(row.interceptMs, unit),
        ],
      })),
      ...publishedRows(published),
    ],
    note: [
      "Measured: slope of latency against the measured round-trip time, for each call that waits for the one before. Must be: handshakes of a new connection, flights of slow start, windows and bandwidth; between two numbers where a window of HTTP/2 limits. At no distance: what is left of a whole task.",
      ...(strange
        ? [
            "≠: more than 0.05 for each round trip and the interval away from what must be; the warnings say where to look.",
          ]
        : []),
    ].join(" "),
  };
  return [{ table: withoutEmptyColumns(table), stacks: rows }];
}

export const reportTable: StudyTable = {
  name: "round-trips",
  order: 100,
  section: "study",
  tables: roundTripsTables,
};
