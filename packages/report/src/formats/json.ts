// Facts and analysis for programs: the keys of their types, in declaration order.
import type { Format } from "../registry/format.ts";
import type { ReportInput } from "../view/report-input.ts";

function render({ facts, analysis, published }: ReportInput): string {
  return `${JSON.stringify({ facts, analysis, published }, null, 2)}\n`;
}

export const format: Format = {
  name: "json",
  fileExtension: "json",
  render: async (input) => Promise.resolve(render(input)),
};
