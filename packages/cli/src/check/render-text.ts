// A check as text for a terminal.
import { paint } from "../output/paint.ts";
import { countOf, type CheckReport, type ReportedJudgement } from "./check-report.ts";
import { styleTitles, verdicts, type Verdict } from "./judgement.ts";
import { rowsOf, type ReportRow } from "./report-rows.ts";

const colours = { breaks: "red", "may break": "yellow", safe: "green" } as const satisfies Record<Verdict, string>;
const verdictWidth = Math.max(...verdicts.map(({ length }) => length));

function judgementText({ verdict, reason, allowed }: ReportedJudgement): string {
  const word = paint(colours[verdict], verdict.padEnd(verdictWidth));
  return `${word}  ${reason}${allowed === undefined ? "" : paint("dim", ` (allowed: ${allowed})`)}`;
}

/** One sentence of a style: how many changes break its callers, or may. */
function tally({ styles }: CheckReport, rows: readonly ReportRow[]): string {
  const said = styles.map((style) => {
    const breaking = countOf(rows, style, "breaks");
    const doubtful = countOf(rows, style, "may break");
    const parts = [
      ...(breaking === 0 ? [] : [`${breaking} ${breaking === 1 ? "breaks" : "break"}`]),
      ...(doubtful === 0 ? [] : [`${doubtful} may break`]),
    ];
    return `${styleTitles[style]}: ${parts.length === 0 ? "nothing breaks" : parts.join(", ")}`;
  });
  return said.join("; ");
}

/** How many changes there are since what, and what they do to callers. A renamed package is one. */
export function summary(report: CheckReport, rows: readonly ReportRow[]): string {
  const { length } = rows;
  if (length === 0) return `Nothing that callers can see has changed since ${report.against}.`;
  return `${length} ${length === 1 ? "change" : "changes"} since ${report.against}. ${tally(report, rows)}.`;
}

/** The report as lines. */
export function renderText(report: CheckReport): string {
  const width = Math.max(...report.styles.map((style) => styleTitles[style].length));
  const rows = rowsOf(report);
  const blocks = rows.map(({ where, what, styles, folded }) => {
    const lines = report.styles.flatMap((style) => {
      const judgement = styles[style];
      return judgement === undefined ? [] : [`  ${styleTitles[style].padEnd(width)}  ${judgementText(judgement)}\n`];
    });
    const more = folded.length === 0 ? "" : paint("dim", `  all ${folded.length} of it: --markdown, --json\n`);
    return `${paint("bold", where)}  ${what}\n${lines.join("")}${more}\n`;
  });
  return `${blocks.join("")}${summary(report, rows)}\n`;
}
