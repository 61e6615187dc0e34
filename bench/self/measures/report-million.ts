// The time and memory of a report of a million calls, in a process of its own, from its start to the written file.
import { largeReport } from "../large-report.ts";
import { study as facade } from "../../studies/facade.ts";
import { study as hello } from "../../studies/hello.ts";
import type { Measure } from "../measure.ts";

export const measure: Measure = {
  name: "report-million",
  title: "an HTML report of a million calls: wall time, and memory at its peak",
  rounds: 1,
  run: (options) => largeReport({ studies: [hello, facade], calls: 1_000_000, atMostS: 10 }, options),
};
