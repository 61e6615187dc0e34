// What the choice of a style, a server library and a client library changes, and how much the options of each differ.
import {
  counted,
  styleTitles,
  type Arm,
  type ChoiceVariance,
  type EffectRatio,
  type LibraryEffects,
} from "@roundtrip/analysis";
import { absent, interval, multiple } from "../basics/quantity.ts";
import { column, figureColumns, measuredRow, slug, type NamedTable } from "../basics/table.ts";
import type { ReportInput } from "../view/report-input.ts";
import type { StudyTable } from "../view/report-table.ts";
import { fewRoundsLegend, ratioInterval } from "../words/few-rounds-mark.ts";

const choices = {
  style: "style",
  server: "server library",
  client: "client library",
  pair: "server and client together",
} as const;

/** The same ratio of another metric, as a multiple. */
function alsoText(effects: LibraryEffects | undefined, { choice, style, numerator, denominator }: EffectRatio): string {
  for (const row of effects?.ratios ?? []) {
    if (row.choice !== choice || (choice !== "style" && row.style !== style)) continue;
    if (row.numerator === numerator && row.denominator === denominator) return multiple(row.ratio);
    if (row.numerator === denominator && row.denominator === numerator) return multiple(1 / row.ratio);
  }
  return absent;
}

function boundNote(stacks: readonly Pick<Arm, "bounds">[]): string {
  if (stacks.every(({ bounds }) => bounds === undefined)) return "";
  return "Bound: on the modules of Node.js alone, without a library. ";
}

function ratioTable(input: ReportInput, latency: LibraryEffects): NamedTable {
  const { analysis } = input;
  const of = (metric: LibraryEffects["metric"]): LibraryEffects | undefined =>
    analysis.libraryEffects.find(
      (one) => one.study === latency.study && one.task === latency.task && one.metric === metric,
    );
  const stacks = analysis.arms.filter(({ id }) => latency.armIds.includes(id));
  const titleOf = styleTitles(stacks);
  const nameOf = ({ choice, style }: EffectRatio, name: string): string => {
    if (choice === "style") return titleOf(name);
    const isBound = stacks.some((arm) => arm.style === style && arm[choice] === name && arm.bounds?.includes(choice));
    return isBound ? `${name} (bound)` : name;
  };
  const rows = latency.ratios.map((row) => {
    const [slower, faster] = [nameOf(row, row.numerator), nameOf(row, row.denominator)];
    const isSeparable = ![row.numerator, row.denominator].some((style) => latency.inseparable.includes(style));
    const ofStyles = isSeparable ? "style" : "style with its one library";
    const group = row.choice === "style" ? ofStyles : `${titleOf(row.style)}: ${choices[row.choice]}`;
    const name = `${slower} / ${faster}`;
    const cells = [
      `${group}, ${name}`,
      multiple(row.ratio),
      ratioInterval(row),
      alsoText(of("serverCpuMsPerTask"), row),
      alsoText(of("clientCpuMsPerTask"), row),
    ];
    return measuredRow(cells, {
      groupId: row.choice === "style" ? ofStyles : `${row.choice} ${row.style}`,
      group,
      name,
    });
  });
  const note = `Each at the mean of the other choices. The intervals hold together for all rows. ${boundNote(stacks)}${fewRoundsLegend(latency.ratios)}`;
  return {
    table: {
      id: slug(`libraries ${latency.study} ${latency.task}`),
      caption: `${latency.task}: what each choice changes`,
      columns: figureColumns("choice", "latency", "95 % interval", "server CPU", "client CPU"),
      rows,
      note: note.trimEnd(),
    },
    stacks,
  };
}

/** A standard deviation of logarithms as a factor; noise alone may give a variance below 0. */
function factorOf(variance: number): number {
  return Math.exp(Math.sqrt(Math.max(0, variance)));
}

function varianceRow({ choice, variance, low, high, degrees }: ChoiceVariance): ReturnType<typeof measuredRow> {
  const range = low === null || high === null ? absent : interval(factorOf(low), factorOf(high), multiple);
  return measuredRow([choices[choice], String(degrees), multiple(factorOf(variance)), range]);
}

function varianceTable({ analysis }: ReportInput, latency: LibraryEffects): NamedTable {
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
    stacks: analysis.arms.filter(({ id }) => latency.armIds.includes(id)),
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
        ...(extent === "short" ? [] : [ratioTable(input, latency)]),
      ]),
};
