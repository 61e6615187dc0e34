// The screen of a run that repeats a publication: its table beside ours, and what became of each of its claims.
import type { ReportInput } from "../view/report-input.ts";
import { withoutColumn } from "../basics/table.ts";
import { reportTables } from "../registry/report-parts.ts";
import { clip, fittedTable, printable, type Inks } from "./text-table.ts";
import { viewStudies } from "../view/run-view.ts";
import { judgedClaims, verdictMarks } from "../words/published-findings.ts";

/** The year of the publication that a run was asked to repeat, as in `bench paper:2010`; undefined for other runs. */
export function publicationOf({ facts }: ReportInput): string | undefined {
  return / paper:(\d{4})(?= |$)/.exec(facts.command)?.[1];
}

/** The publication's first table, then a line for each claim: half of the lines at least are the table's. */
export async function publicationLines(
  input: ReportInput,
  year: string,
  most: number,
  ink: Inks,
): Promise<readonly string[]> {
  const { columns } = input.page;
  const asked = { ...input, published: input.published.filter(({ name }) => name.endsWith(year)) };
  const views = viewStudies(asked).filter(({ published }) => published.length > 0);
  const claims = views.flatMap(({ published }) => published.flatMap((figures) => judgedClaims(asked, figures)));
  const tables = await reportTables(asked);
  const [first] = views.flatMap((view) => tables.published(view));
  const forTable = Math.max(most - claims.length - 3, Math.floor(most / 2));
  // What a table that is too wide lacks first.
  const shownTable = first && { ...withoutColumn(first, "KB/s"), note: "" };
  const table = shownTable === undefined ? [] : [...fittedTable(shownTable, columns, forTable, ink), ""];
  const tints = { holds: ink.good, "does not hold": ink.bad, "cannot tell": ink.careful };
  const verdicts = Object.keys(tints) as (keyof typeof tints)[];
  // What is decided comes first.
  const inOrder = verdicts.flatMap((verdict) => claims.filter((claim) => claim.verdict === verdict));
  const lines = inOrder.map(({ verdict, found }) =>
    tints[verdict](clip(printable(`${verdictMarks[verdict]} ${verdict}: ${found}`), columns)),
  );
  const count = (verdict: keyof typeof tints): number => claims.filter((claim) => claim.verdict === verdict).length;
  const heading = `Its claims here: ${verdicts.map((verdict) => `${verdict} ${count(verdict)}`).join(", ")}`;
  const room = most - table.length - 2;
  const shown = lines.length <= room ? lines : lines.slice(0, room - 1);
  const left = lines.length - shown.length;
  return [...table, ink.heading(heading), ...shown, ...(left === 0 ? [] : [ink.quiet(`… ${left} more`)]), ""];
}
