// Bulk data over a distance: when its first bytes came, when all had, how often it halted, and how near that is to what can be.
import { workFactors, type Arm, type Transfer } from "@roundtrip/analysis";
import { factorValue, studyLabel } from "../arm-label.ts";
import { absent, duration, number, timeUnitFor } from "../quantity.ts";
import type { ReportInput } from "../report-input.ts";
import { column, slug, withoutEmptyColumns, type Row, type Table } from "../table.ts";
import { markedTitle, withMarkNote } from "../unsettled-mark.ts";

const megabytes = (bytesPerSecond: number): string => number(bytesPerSecond / 1e6);

function limitCells({ limit, bytesPerSecond }: Transfer): readonly string[] {
  if (limit === null) return [absent, absent, absent];
  const share = `${Math.round((100 * bytesPerSecond) / limit.bytesPerSecond)} %`;
  return [megabytes(limit.bytesPerSecond), limit.by, share];
}

/** Factors that have a column of their own, or words. */
const toldApart = ["rttMs", "payloadBytes", "tls", "windowScaling"];

/** What tells an arm apart from others of its study; its title says what is set on its stack. */
function nameOf(arm: Arm, arms: readonly Arm[]): string {
  const told = Object.entries(workFactors(arm)).filter(
    ([factor, value]) => !toldApart.includes(factor) && arms.some((other) => other.factors[factor] !== value),
  );
  return [
    arm.task.replaceAll("-", " "),
    ...(arm.factors["tls"] === true ? ["TLS"] : []),
    ...told.map(([factor, value]) => factorValue(factor, value)),
    ...(arm.factors["windowScaling"] === false ? ["not scaled"] : []),
  ].join(", ");
}

/** Tasks that others of the study have and a style has not: `GraphQL upload`. */
function notCarried(arms: readonly Arm[]): string {
  const styles = arms.filter(({ role }) => role === "style");
  const tasks = [...new Set(styles.map(({ task }) => task))];
  const lacking = [...Map.groupBy(styles, ({ title }) => title)].flatMap(([title, own]) =>
    tasks.filter((task) => own.every((arm) => arm.task !== task)).map((task) => `${title} ${task}`),
  );
  return lacking.length === 0 ? "" : ` Not there, because the style declares that it cannot: ${lacking.join(", ")}.`;
}

/** Null when the study moved no bulk data over a distance. */
export function transfersTable({ analysis }: ReportInput, study: string): Table | null {
  const arms = new Map(analysis.arms.filter((arm) => arm.study === study).map((arm) => [arm.id, arm]));
  const rows = analysis.transfers.flatMap((transfer) => {
    const arm = arms.get(transfer.armId);
    return arm === undefined ? [] : [{ arm, transfer }];
  });
  if (rows.length === 0) return null;
  const measured = rows.map(({ arm }) => arm);
  const unit = timeUnitFor(rows.map(({ transfer }) => transfer.totalMs));
  const titled = Map.groupBy(rows, ({ arm }) => arm.title);
  const table: Table = {
    id: slug(`transfers ${study}`),
    caption: `${studyLabel(study)}: bulk data`,
    columns: [
      column.start("stack and task"),
      column.end("round trip, ms"),
      column.end(`first byte, ${unit.symbol}`),
      column.end(`total, ${unit.symbol}`),
      column.end("pauses"),
      column.end("MB/s"),
      column.end("at most"),
      column.start("by"),
      column.end("of it"),
    ],
    rows: [...titled.values()].flat().map(({ arm, transfer }): Row => {
      const name = nameOf(arm, measured);
      const title = markedTitle(analysis, arm);
      return {
        role: arm.role === "floor" ? "floor" : "measured",
        nested: { group: title, name },
        cells: [
          `${title} ${name}`,
          number(transfer.rttMs),
          duration(transfer.firstByteMs, unit),
          duration(transfer.totalMs, unit),
          transfer.pauses === null ? absent : transfer.pauses.toFixed(1),
          megabytes(transfer.bytesPerSecond),
          ...limitCells(transfer),
        ],
      };
    }),
    note: `First byte and pauses (halts longer than half a round trip) are the receiver's, so uploads have none. MB/s counts what crossed the client's sockets; at most is the smallest of the line's bandwidth and a window in each round trip.${notCarried([...arms.values()])}`,
  };
  return withMarkNote(analysis, withoutEmptyColumns(table));
}
