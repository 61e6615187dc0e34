// A check as Markdown, for a comment on a pull request.
import type { CheckReport, ReportedJudgement } from "./check-report.ts";
import { styleTitles } from "./judgement.ts";
import { summary } from "./render-text.ts";

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

/** The report as a table, one row a change and one column a style. */
export function renderMarkdown(report: CheckReport): string {
  const { changes, styles } = report;
  if (changes.length === 0) return `${summary(report)}\n`;
  const head = ["what", "change", ...styles.map((style) => styleTitles[style])];
  return [
    `${summary(report)}\n\n`,
    row(head),
    row(head.map(() => "---")),
    ...changes.map(({ where, what, styles: judged }) =>
      row([`\`${where}\``, cellText(what), ...styles.map((style) => cell(judged[style]))]),
    ),
  ].join("");
}
