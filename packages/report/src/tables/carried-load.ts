// The load that each style carries while its p99 stays within the limit, and how it was bounded.
import type { StudyTable } from "../view/run-view.ts";
import type { CarriedLoad } from "@roundtrip/analysis";
import type { ClosedLoopCell } from "@roundtrip/runs";
import { taskLabel } from "../words/arm-label.ts";
import { absent, number } from "../basics/quantity.ts";
import type { ReportInput } from "../view/report-input.ts";
import { figureColumns, measuredRow, slug, withoutEmptyColumns, type NamedTable, type Table } from "../basics/table.ts";
import { voidText, markedTitle } from "../view/marks.ts";

const bounds = { measured: "", "at-least": "≥ ", "less-than": "< " } as const;

/** `5,900`, `≥ 4,000`, `< 300`. */
function carried({ kind, rateHz }: CarriedLoad): string {
  return kind === "void" ? voidText : `${bounds[kind]}${number(rateHz)}`;
}

function ends({ kind, low, high }: CarriedLoad): string {
  if (kind !== "measured" || (low === null && high === null)) return absent;
  if (low === null) return `below ${number(high ?? 0)}`;
  return high === null ? `above ${number(low)}` : `${number(low)} to ${number(high)}`;
}

function limitOf({ kind, isGeneratorLimit }: CarriedLoad): string {
  if (kind !== "at-least" && kind !== "void") return "p99";
  return isGeneratorLimit ? "the generator" : "none was met";
}

function closedLoopText(cell: ClosedLoopCell | undefined): string {
  if (cell === undefined) return absent;
  return `${number(cell.tasksPerSecond)} (${Math.round(100 * cell.clientUtilisation)} %)`;
}

function closedLoopNote({ capacities = [] }: ReportInput["facts"], loads: readonly CarriedLoad[]): string {
  const seen = capacities.find(({ study, task }) => loads.some((load) => load.study === study && load.task === task));
  if (seen?.closedLoop === undefined) return "";
  return ` Never pausing: the rate of ${number(seen.closedLoop.callers)} callers without think time before the search, and the utilisation of their client; at 100 % the client was the limit.`;
}

function carriedTables({ facts, analysis }: ReportInput, study: string): readonly NamedTable[] {
  const ofStudy = analysis.carriedLoads.filter((row) => row.study === study);
  return [...Map.groupBy(ofStudy, ({ task }) => task)].flatMap(([task, loads]): readonly NamedTable[] => {
    const [first] = loads;
    if (first === undefined) return [];
    const rows = loads
      .toSorted((one, other) => other.rateHz - one.rateHz)
      .map((load) => {
        const found = facts.capacities?.find(({ armIds }) => armIds.some((id) => load.armIds.includes(id)));
        return measuredRow([
          markedTitle(analysis, load),
          carried(load),
          ends(load),
          limitOf(load),
          found === undefined ? absent : number(found.foundHz),
          closedLoopText(found?.closedLoop),
        ]);
      });
    const least = loads.some(({ kind, isGeneratorLimit }) => kind === "at-least" && isGeneratorLimit)
      ? " ≥: beyond that tasks began late, or their client had no time left for answers, and what the server carries is not known."
      : "";
    const table: Table = {
      id: slug(`carried ${study} ${task}`),
      caption: `${taskLabel({ study, task })}: calls a second with p99 at ${number(first.limitMs)} ms at most`,
      columns: figureColumns("stack", "carried", "95 % interval", "limit", "searched", "never pausing"),
      rows,
      note: `Carried: where the p99 of a round crosses ${number(first.limitMs)} ms, between two rates that were measured; the median over rounds with its interval by order statistics. Searched: what short cells before the rounds had found; rates are shares of it.${closedLoopNote(facts, loads)}${least}`,
    };
    return [{ table: withoutEmptyColumns(table), stacks: loads }];
  });
}

export const reportTable: StudyTable = {
  name: "carried-load",
  order: 10,
  section: "study",
  tables: (input, study) => carriedTables(input, study.study),
};
