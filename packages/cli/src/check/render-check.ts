// Renders a check as text for a terminal, and as a Markdown table: a row per change, and one for all changes of a renamed package.
import { styled } from "../output/page.ts";
import { type CheckReport, type ReportedChange, type ReportedJudgement, countOf } from "./check-report.ts";
import { changeVerdicts, type ChangeVerdict } from "@roundtrip/changes";

interface ReportRow extends Pick<ReportedChange, "where" | "what" | "styles"> {
  /** The changes in a folded row; empty for a single change. */
  readonly folded: readonly ReportedChange[];
}

function gravityOf({ verdict, allowed }: ReportedJudgement): number {
  // Allowed changes precede safe ones, so that they are seen.
  return allowed === undefined ? 2 * changeVerdicts.indexOf(verdict) : 1;
}

function judgedTogether(changes: readonly ReportedChange[], style: string): readonly ReportedJudgement[] {
  const all = changes.flatMap(({ styles }) => styles[style] ?? []);
  const [worst] = all.toSorted((a, b) => gravityOf(b) - gravityOf(a));
  if (worst === undefined) return [];
  const alike = all.filter((one) => gravityOf(one) === gravityOf(worst)).length;
  return [worst.verdict === "safe" ? worst : { ...worst, reason: `${worst.reason} (${alike} of ${all.length})` }];
}

function counted(count: number, one: string, many: string): readonly string[] {
  return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
}

function rowOfRenaming(changes: readonly ReportedChange[], from: string, to: string, report: CheckReport): ReportRow {
  const numberOf = (kind: ReportedChange["kind"]): number => changes.filter((change) => change.kind === kind).length;
  const parts = [
    ...counted(numberOf("operation-moved"), "operation", "operations"),
    ...counted(numberOf("type-moved"), "type", "types"),
  ];
  return {
    where: from === "" ? "files without a package" : `package ${from}`,
    what: `renamed to ${to === "" ? "nothing" : to}, with ${parts.join(" and ")}`,
    styles: Object.fromEntries(
      report.styles.flatMap((style) => judgedTogether(changes, style).map((judgement) => [style, judgement] as const)),
    ),
    folded: changes,
  };
}

function groupOf(change: ReportedChange): unknown {
  const { renaming } = change;
  return renaming === undefined ? change : `${renaming.from} ${renaming.to}`;
}

/** The rows of a report, in its order; a renamed package has the position of its first change. */
function rowsOf(report: CheckReport): readonly ReportRow[] {
  const groups = Map.groupBy(report.changes, groupOf);
  return [...groups.values()].map((changes): ReportRow => {
    const [first] = changes;
    if (first?.renaming !== undefined) return rowOfRenaming(changes, first.renaming.from, first.renaming.to, report);
    return { ...(first as ReportedChange), folded: [] };
  });
}

const colours = { breaks: "red", "may break": "yellow", safe: "green" } as const satisfies Record<
  ChangeVerdict,
  string
>;
/** The titles of the judged styles, by name, in report order. */
export type StyleTitles = ReadonlyMap<string, string>;

const verdictWidth = Math.max(...changeVerdicts.map(({ length }) => length));

function judgementText({ verdict, reason, allowed }: ReportedJudgement): string {
  const word = styled(colours[verdict], verdict.padEnd(verdictWidth));
  return `${word}  ${reason}${allowed === undefined ? "" : styled("dim", ` (allowed: ${allowed})`)}`;
}

function tally(titles: StyleTitles, rows: readonly ReportRow[]): string {
  const counts = [...titles].map(([style, title]) => {
    const breaking = countOf(rows, style, "breaks");
    const doubtful = countOf(rows, style, "may break");
    const parts = [
      ...(breaking === 0 ? [] : [`${breaking} ${breaking === 1 ? "breaks" : "break"}`]),
      ...(doubtful === 0 ? [] : [`${doubtful} may break`]),
    ];
    return `${title}: ${parts.length === 0 ? "nothing breaks" : parts.join(", ")}`;
  });
  return counts.join("; ");
}

function summary(report: CheckReport, titles: StyleTitles, rows: readonly ReportRow[]): string {
  const { length } = rows;
  if (length === 0) return `Nothing that callers can see has changed since ${report.against}.`;
  return `${length} ${length === 1 ? "change" : "changes"} since ${report.against}. ${tally(titles, rows)}.`;
}

export function renderText(report: CheckReport, titles: StyleTitles): string {
  const width = Math.max(...[...titles.values()].map(({ length }) => length));
  const rows = rowsOf(report);
  const blocks = rows.map(({ where, what, styles, folded }) => {
    const lines = [...titles].flatMap(([style, title]) => {
      const judgement = styles[style];
      return judgement === undefined ? [] : [`  ${title.padEnd(width)}  ${judgementText(judgement)}\n`];
    });
    const more =
      folded.length === 0 ? "" : styled("dim", `  (list its ${folded.length} changes with --format markdown)\n`);
    return `${styled("bold", where)}  ${what}\n${lines.join("")}${more}\n`;
  });
  return `${blocks.join("")}${summary(report, titles, rows)}\n`;
}

function cellText(text: string): string {
  return text.replaceAll(/[\\|<>*_`[\]]/g, String.raw`\$&`).replaceAll(/\s+/g, " ");
}

function cell(judgement: ReportedJudgement | undefined): string {
  if (judgement === undefined) return "";
  const { verdict, reason, allowed } = judgement;
  const word = verdict === "breaks" && allowed === undefined ? `**${verdict}**` : verdict;
  return `${word}: ${cellText(reason)}${allowed === undefined ? "" : ` (allowed: ${cellText(allowed)})`}`;
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |\n`;
}

function table(rows: readonly Omit<ReportRow, "folded">[], titles: StyleTitles): string {
  const head = ["what", "change", ...titles.values()];
  return [
    row(head),
    row(head.map(() => "---")),
    ...rows.map(({ where, what, styles: judged }) =>
      row([`\`${where}\``, cellText(what), ...[...titles.keys()].map((style) => cell(judged[style]))]),
    ),
  ].join("");
}

/** Renders a table: a row per change, a column per style. Changes behind a renamed package are folded below. */
export function renderMarkdown(report: CheckReport, titles: StyleTitles): string {
  const rows = rowsOf(report);
  if (rows.length === 0) return `${summary(report, titles, rows)}\n`;
  const details = rows.flatMap(({ where, folded }) =>
    folded.length === 0
      ? []
      : [
          `\n<details><summary>${cellText(where)}: ${folded.length} changes</summary>\n\n${table(folded, titles)}\n</details>\n`,
        ],
  );
  return `${summary(report, titles, rows)}\n\n${table(rows, titles)}${details.join("")}`;
}
