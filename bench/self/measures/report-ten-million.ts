// As report-million, for ten million calls: a night of load, in which most arms have a schedule and answers report the times of their server.
import { largeReport } from "../large-report.ts";
import { study as hello } from "../../studies/hello.ts";
import { study as loadRates } from "../../studies/load-rates.ts";
import type { Measure } from "../measure.ts";

export const measure: Measure = {
  name: "report-ten-million",
  title: "an HTML report of ten million calls: wall time, and memory at its peak",
  rounds: 1,
  run: (options) => largeReport({ studies: [hello, loadRates], calls: 10_000_000, atMostS: 60 }, options),
};
