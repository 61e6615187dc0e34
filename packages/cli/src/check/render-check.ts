// Renders a check as text for a terminal, and as a Markdown table: a row per change.
import { styled } from "../output/page.ts";
import { type CheckReport, type ReportedJudgement, countOf } from "./check-report.ts";
import { changeVerdicts, type ChangeVerdict } from "@roundtrip/changes";

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

function tally(titles: StyleTitles, { changes }: CheckReport): string {
  const counts = [...titles].map(([style, title]) => {
    const breaking = countOf(changes, style, "breaks");
    const doubtful = countOf(changes, style, "may break");
    const parts = [
      ...(breaking === 0 ? [] : [`${breaking} ${breaking === 1 ? "breaks" : "break"}`]),
      ...(doubtful === 0 ? [] : [`${doubtful} may break`]),
    ];
    return `${title}: ${parts.length === 0 ? "nothing breaks" : parts.join(", ")}`;
  });
  return counts.join("; ");
}

function summary(report: CheckReport, titles: StyleTitles): string {
  const { length } = report.changes;
  if (length === 0) return `Nothing that callers can see has changed since ${report.against}.`;
  return `${length} ${length === 1 ? "change" : "changes"} since ${report.against}. ${tally(titles, report)}.`;
}

export function renderText(report: CheckReport, titles: StyleTitles): string {
  const width = Math.max(...[...titles.values()].map(({ length }) => length));
  const { changes } = report;
  const blocks = changes.map(({ where, what, styles }) => {
    const lines = [...titles].flatMap(([style, title]) => {
      const judgement = styles[style];
      return judgement === undefined ? [] : [`  ${title.padEnd(width)}  ${judgementText(judgement)}\n`];
    });
    return `${styled("bold", where)}  ${what}\n${lines.join("")}\n`;
  });
  return `${blocks.join("")}${summary(report, titles)}\n`;
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

/** Renders a table: a row per change, a column per style. */
export function renderMarkdown(report: CheckReport, titles: StyleTitles): string {
  const { changes } = report;
  if (changes.length === 0) return `${summary(report, titles)}\n`;
  const head = ["what", "change", ...titles.values()];
  const rows = changes.map(({ where, what, styles }) =>
    row([`\`${where}\``, cellText(what), ...[...titles.keys()].map((style) => cell(styles[style]))]),
  );
  return `${summary(report, titles)}\n\n${row(head)}${row(head.map(() => "---"))}${rows.join("")}`;
}
