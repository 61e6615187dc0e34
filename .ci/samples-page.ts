// Prints docs/samples.md: the columns of samples.parquet, from their declaration.
import { columnKinds, namedColumns, type NamedColumn } from "../packages/analysis/src/run/call-columns.ts";
import { markdownTable } from "./markdown-table.ts";

function missingText({ missing }: NamedColumn): string {
  if (missing === undefined) return "–";
  return missing === "null" ? "null" : `\`${missing}\``;
}

const rows = namedColumns.map((column) => [
  `\`${column.name}\``,
  columnKinds[column.kind].written,
  column.unit ?? "–",
  missingText(column),
  column.meaning,
]);

process.stdout.write(`# Columns of samples.parquet

<!-- Generated from packages/analysis/src/run/call-columns.ts by \`pnpm generate\`. -->

A run directory contains \`samples.parquet\` with one row for each call. To see the slowest calls with DuckDB:

\`\`\`sql
SELECT armId, (endedAtNs - startedAtNs) / 1e6 AS ms FROM 'samples.parquet' ORDER BY ms DESC LIMIT 10;
\`\`\`

Rounds, blocks, tasks and calls are numbered from 0. Instants are nanoseconds since the start of the run. Sums of bytes are exact, single rows
only without concurrent calls. A column that allows null may be absent from files of older versions.

${markdownTable(["column", "type", "unit", "without a value", "meaning"], rows)}`);
