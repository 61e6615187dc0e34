// What the choice of a server library and of a client library changes, and styles against each other without server libraries.
import { libraryPairs, styleTitles, type LibraryPair } from "@roundtrip/analysis";
import { figureColumns, measuredRow, slug, withoutEmptyColumns, type NamedTable } from "../basics/table.ts";
import { multiple } from "../basics/quantity.ts";
import { fewRoundsLegend, ratioInterval } from "../words/ratio-text.ts";
import type { ReportInput } from "../view/report-input.ts";
import type { StudyTable } from "../view/run-view.ts";

const choices = { style: "style", server: "server library", client: "client library" } as const;

type CpuMetric = "serverCpuMsPerTask" | "clientCpuMsPerTask";

function ratioCells({ analysis }: ReportInput, pair: LibraryPair): readonly string[] {
  const meanOf = (metric: CpuMetric, id: string): number | undefined =>
    analysis.summaries.find((row) => row.metric === metric && row.armId === id)?.mean;
  const cpuRatio = (metric: CpuMetric): number | undefined => {
    const [slower, faster] = [meanOf(metric, pair.numeratorId), meanOf(metric, pair.denominatorId)];
    return slower === undefined || faster === undefined ? undefined : slower / faster;
  };
  const cpu = (["serverCpuMsPerTask", "clientCpuMsPerTask"] as const).map((metric) => multiple(cpuRatio(metric)));
  return [multiple(pair.ratio), ratioInterval(pair), ...cpu];
}

const ratioHeadings = ["latency", "95 % interval", "server CPU", "client CPU"] as const;

function libraryTable(input: ReportInput, task: string, study: string, pairs: readonly LibraryPair[]): NamedTable {
  const arms = new Map(input.analysis.arms.map((arm) => [arm.id, arm]));
  const titleOf = styleTitles([...arms.values()]);
  const nameOf = ({ choice }: LibraryPair, name: string, id: string): string =>
    choice !== "style" && arms.get(id)?.bounds?.includes(choice) ? `${name} (bound)` : name;
  const rows = pairs.map((pair) => {
    const { choice, style, numerator, denominator, numeratorId, denominatorId } = pair;
    const group = `${titleOf(style)}: ${choices[choice]}`;
    const name = `${nameOf(pair, numerator, numeratorId)} / ${nameOf(pair, denominator, denominatorId)}`;
    const nested = { groupId: `${choice} ${style}`, group, name };
    return measuredRow([`${group}, ${name}`, ...ratioCells(input, pair)], nested);
  });
  const bound = pairs.some(({ isOfBound }) => isOfBound)
    ? " Bound: on the modules of Node.js alone, without a library."
    : "";
  const table = {
    id: slug(`libraries ${study} ${task}`),
    caption: `${task}: what the choice of a library changes`,
    columns: figureColumns("choice", ...ratioHeadings),
    rows,
    note: `Each library against the style's first one, with the same library at the other end. The intervals hold together with those of all stacks.${bound} ${fewRoundsLegend(pairs)}`.trimEnd(),
  };
  return {
    table: withoutEmptyColumns(table),
    stacks: [...arms.values()].filter((arm) => arm.study === study && arm.task === task),
  };
}

function styleTable(input: ReportInput, task: string, study: string, pairs: readonly LibraryPair[]): NamedTable {
  const arms = input.analysis.arms.filter((arm) => arm.study === study && arm.task === task);
  const titleOf = styleTitles(arms);
  const table = {
    id: slug(`styles ${study} ${task}`),
    caption: `${task}: style against style`,
    columns: figureColumns("styles", ...ratioHeadings),
    rows: pairs.map((pair) =>
      measuredRow([`${titleOf(pair.numerator)} / ${titleOf(pair.denominator)}`, ...ratioCells(input, pair)]),
    ),
    note: `Without server libraries: both servers are on the modules of Node.js alone. The intervals hold together. ${fewRoundsLegend(pairs)}`.trimEnd(),
  };
  return { table: withoutEmptyColumns(table), stacks: arms };
}

export const reportTable: StudyTable = {
  name: "libraries",
  order: 10,
  section: "study",
  tables: (input, { study, tasks }, extent) =>
    tasks.flatMap(({ task }) => {
      const all = libraryPairs(input.analysis, study, task);
      const [styles, libraries] = [
        all.filter(({ choice }) => choice === "style"),
        all.filter(({ choice }) => choice !== "style"),
      ];
      return [
        ...(styles.length === 0 ? [] : [styleTable(input, task, study, styles)]),
        ...(libraries.length === 0 || extent === "short" ? [] : [libraryTable(input, task, study, libraries)]),
      ];
    }),
};
