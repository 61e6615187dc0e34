// Tables on a terminal, for figures outside of reports: `@roundtrip/report/text-table`.
export { column, type Table } from "./basics/table.ts";
export { inks } from "./text/ink.ts";
export { textTable } from "./text/text-table.ts";
