// Renders a check as Markdown, for a comment on a pull request.
import type { CheckReport, ReportedJudgement } from "./check-report.ts";
import { summary, type StyleTitles } from "./render-text.ts";
import { rowsOf, type ReportRow } from "./report-rows.ts";

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
