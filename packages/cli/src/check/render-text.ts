// Renders a check as text for a terminal.
import { changeVerdicts, type ChangeVerdict } from "@roundtrip/styles";
import { styled } from "../output/page.ts";
import { countOf, type CheckReport, type ReportedJudgement } from "./check-report.ts";
import { rowsOf, type ReportRow } from "./report-rows.ts";

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

export function summary(report: CheckReport, titles: StyleTitles, rows: readonly ReportRow[]): string {
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
      folded.length === 0 ? "" : styled("dim", `  (list its ${folded.length} changes with --markdown or --json)\n`);
    return `${styled("bold", where)}  ${what}\n${lines.join("")}${more}\n`;
  });
  return `${blocks.join("")}${summary(report, titles, rows)}\n`;
}
