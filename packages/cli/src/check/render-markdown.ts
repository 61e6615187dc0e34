// A check as Markdown, for a comment on a pull request.
import type { CheckReport, ReportedJudgement } from "./check-report.ts";
import { styleTitles, type CheckStyle } from "./judgement.ts";
import { summary } from "./render-text.ts";
import { rowsOf, type ReportRow } from "./report-rows.ts";

/** Text inside a cell: what would end the cell, or begin markup of its own, is spelled out. */
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

function table(rows: readonly Omit<ReportRow, "folded">[], styles: readonly CheckStyle[]): string {
  const head = ["what", "change", ...styles.map((style) => styleTitles[style])];
  return [
    row(head),
    row(head.map(() => "---")),
    ...rows.map(({ where, what, styles: judged }) =>
      row([`\`${where}\``, cellText(what), ...styles.map((style) => cell(judged[style]))]),
    ),
  ].join("");
}

/** The report as a table, one row a change and one column a style; what follows from a package's new name is folded below. */
export function renderMarkdown(report: CheckReport): string {
  const { styles } = report;
  const rows = rowsOf(report);
  if (rows.length === 0) return `${summary(report, rows)}\n`;
  const details = rows.flatMap(({ where, folded }) =>
    folded.length === 0
      ? []
      : [
          `\n<details><summary>${cellText(where)}: ${folded.length} changes</summary>\n\n${table(folded, styles)}\n</details>\n`,
        ],
  );
  return `${summary(report, rows)}\n\n${table(rows, styles)}${details.join("")}`;
}
