// The summaries for a spreadsheet or a data frame.
import type { Format } from "../registry/format.ts";
import { summariesCsv } from "../text/summaries-csv.ts";

export const format: Format = {
  name: "csv",
  fileExtension: "csv",
  mediaType: "text/csv; charset=utf-8; header=present",
  render: async (input) => Promise.resolve(summariesCsv(input)),
};
