// What the choice of a style, a server library and a client library changes, and how much the options of each differ.
import {
  counted,
  factorOf,
  inverted,
  isBound,
  listed,
  styleTitles,
  type BoundRatio,
  type ChoiceVariance,
  type EffectRatio,
  type LibraryEffects,
} from "@roundtrip/analysis";
import type { Arm } from "@roundtrip/runs";
import { absent, interval, multiple } from "../basics/quantity.ts";
import { column, figureColumns, measuredRow, slug, withoutEmptyColumns, type NamedTable } from "../basics/table.ts";
import type { ReportInput } from "../view/report-input.ts";
import type { StudyTable } from "../view/report-table.ts";
import { fewRoundsLegend, ratioInterval } from "../words/ratio-text.ts";

const choices = {
  style: "style",
  server: "server library",
  client: "client library",
  pair: "server and client together",
} as const;

/** The effects on another metric of the same task. */
function effectsOn(
  { analysis }: ReportInput,
  { study, task }: LibraryEffects,
  metric: LibraryEffects["metric"],
): LibraryEffects | undefined {
  return analysis.libraryEffects.find((one) => one.study === study && one.task === task && one.metric === metric);
}

/** The same ratio of another metric, as a multiple. */
function alsoText(effects: LibraryEffects | undefined, { choice, style, numerator, denominator }: EffectRatio): string {
  for (const row of effects?.ratios ?? []) {
    if (row.choice !== choice || (choice !== "style" && row.style !== style)) continue;
    if (row.numerator === numerator && row.denominator === denominator) return multiple(row.ratio);
    if (row.numerator === denominator && row.denominator === numerator) return multiple(1 / row.ratio);
  }
  return absent;
}

function ratioCells(input: ReportInput, latency: LibraryEffects, row: EffectRatio): readonly string[] {
  return [
    multiple(row.ratio),
    ratioInterval(row),
    alsoText(effectsOn(input, latency, "serverCpuMsPerTask"), row),
    alsoText(effectsOn(input, latency, "clientCpuMsPerTask"), row),
  ];
}

const ratioHeadings = ["latency", "95 % interval", "server CPU", "client CPU"] as const;

function stacksOf({ analysis }: ReportInput, { armIds }: LibraryEffects): readonly Arm[] {
  return analysis.arms.filter(({ id }) => armIds.includes(id));
}

/** In how many pairs of stacks the style of the numerator is slower: `12 slower, 3 unclear`. */
function orderText({ orders }: LibraryEffects, { numerator, denominator }: EffectRatio): string {
  const order = orders.find(
    ({ faster, slower }) => [faster, slower].toSorted().join() === [numerator, denominator].toSorted().join(),
  );
  if (order === undefined) return absent;
  const { fasterIn, slowerIn, pairs } = order;
  const [slower, faster] = order.slower === numerator ? [fasterIn, slowerIn] : [slowerIn, fasterIn];
  const counts = { slower, faster, unclear: pairs - slower - faster };
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${name}`)
    .join(", ");
}

/** Two styles without server libraries, the same style first as in the row. */
function boundCells(
  { bounds }: LibraryEffects,
  { numerator, denominator }: EffectRatio,
  stacks: readonly Arm[],
): readonly string[] {
  const styleOf = new Map(stacks.map(({ id, style }) => [id, style]));
  const isOf = (row: BoundRatio, slower: string, faster: string): boolean =>
    styleOf.get(row.numeratorId) === slower && styleOf.get(row.denominatorId) === faster;
  const found = bounds.flatMap((row) => {
    if (isOf(row, numerator, denominator)) return [row];
    return isOf(row, denominator, numerator) ? [inverted(row)] : [];
  });
  return found
    .flatMap((row) => [multiple(row.ratio), ratioInterval(row)])
    .concat(absent, absent)
    .slice(0, 2);
}

function styleTable(input: ReportInput, latency: LibraryEffects): NamedTable {
  const stacks = stacksOf(input, latency);
  const titleOf = styleTitles(stacks);
  const ofStyles = latency.ratios.filter(({ choice }) => choice === "style");
  const rows = ofStyles.map((row) =>
    measuredRow([
      `${titleOf(row.numerator)} / ${titleOf(row.denominator)}`,
      ...ratioCells(input, latency, row),
      orderText(latency, row),
      ...boundCells(latency, row, stacks),
    ]),
  );
  const { inseparable } = latency;
  const one =
    inseparable.length === 0
      ? ""
      : `${listed(inseparable.map(titleOf))}: one server library each, from which the style cannot be separated. `;
  const bound =
    latency.bounds.length === 0
      ? ""
      : "Without server library: where a style has a server on the modules of Node.js alone. ";
  const note = `Latency and CPU at the mean of each style's libraries. In pairs of stacks: where the first style is clearly slower, or faster. ${bound}${one}${fewRoundsLegend(ofStyles)}`;
  const table = {
    id: slug(`styles ${latency.study} ${latency.task}`),
    caption: `${latency.task}: style against style`,
    columns: figureColumns(
      "styles",
      ...ratioHeadings,
      "in pairs of stacks",
      "without server library",
      "its 95 % interval",
    ),
    rows,
    note: note.trimEnd(),
  };
  return { table: withoutEmptyColumns(table), stacks };
}

function boundNote(stacks: readonly Pick<Arm, "bounds">[]): string {
  if (stacks.every(({ bounds }) => bounds === undefined)) return "";
  return "Bound: on the modules of Node.js alone, without a library. ";
}

function ratioTable(input: ReportInput, latency: LibraryEffects): NamedTable {
  const stacks = stacksOf(input, latency);
  const titleOf = styleTitles(stacks);
  const ofLibraries = latency.ratios.filter(({ choice }) => choice !== "style");
  const nameOf = ({ choice, style }: EffectRatio, name: string): string =>
    choice !== "style" && isBound(stacks, style, choice, name) ? `${name} (bound)` : name;
  const rows = ofLibraries.map((row) => {
    const group = `${titleOf(row.style)}: ${choices[row.choice]}`;
    const name = `${nameOf(row, row.numerator)} / ${nameOf(row, row.denominator)}`;
    return measuredRow([`${group}, ${name}`, ...ratioCells(input, latency, row)], {
      groupId: `${row.choice} ${row.style}`,
      group,
      name,
    });
  });
  const note = `Each at the mean of the other choices. The intervals hold together for all rows, and those of styles. ${boundNote(stacks)}${fewRoundsLegend(ofLibraries)}`;
  return {
    table: {
      id: slug(`libraries ${latency.study} ${latency.task}`),
      caption: `${latency.task}: what the choice of a library changes`,
      columns: figureColumns("choice", ...ratioHeadings),
      rows,
      note: note.trimEnd(),
    },
    stacks,
  };
}

function varianceRow({ choice, variance, low, high, degrees }: ChoiceVariance): ReturnType<typeof measuredRow> {
  const range = low === null || high === null ? absent : interval(factorOf(low), factorOf(high), multiple);
  return measuredRow([choices[choice], String(degrees), multiple(factorOf(variance)), range]);
}

function varianceTable(input: ReportInput, latency: LibraryEffects): NamedTable {
  return {
    table: {
      id: slug(`choices ${latency.study} ${latency.task}`),
      caption: `${latency.task}: how far the options of a choice are apart`,
      columns: [
        column.start("choice"),
        column.end("degrees of freedom"),
        column.end("usual factor"),
        column.end("95 % interval"),
      ],
      rows: latency.variances.map(varianceRow),
      note: `The standard deviation of the effects on the logarithm of latency, without noise, as a factor; 1.00× is no difference. ${counted(latency.rounds, "round")}.`,
    },
    stacks: stacksOf(input, latency),
  };
}

export const reportTable: StudyTable = {
  name: "library-effects",
  order: 10,
  section: "study",
  tables: (input, { study }, extent) =>
    input.analysis.libraryEffects
      .filter((one) => one.study === study && one.metric === "latencyMs")
      .flatMap((latency) => [
        varianceTable(input, latency),
        ...(extent === "short" ? [] : [styleTable(input, latency), ratioTable(input, latency)]),
      ]),
};
