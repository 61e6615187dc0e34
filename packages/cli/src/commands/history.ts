// `roundtrip history`: runs of a branch in a local file, their trends, and their change points.
import { Argument, InvalidArgumentError, type Command } from "commander";
import { newCommand } from "../options/help.ts";
import { historyOption, usualHistoryPath } from "../history/history-option.ts";
import { jsonOption, listOption, numberOption, stackOptions, valueOption } from "../options/options.ts";
import type { history } from "../actions/history.ts";

const mostRuns = 1_000;

/** Converts ISO 8601 with a time zone to UTC. */
function moment(value: string): string {
  const isWhole = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(value);
  const timeMs = isWhole ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(timeMs)) throw new InvalidArgumentError("must be a date such as 2026-01-31 or 2026-01-31T12:00Z");
  return new Date(timeMs).toISOString();
}

const actionHelp = `
Actions:
  list    the runs of a history, the newest last
  add     keep a run directory's figures in the history; a run that is there already is left alone
  trend   each metric over the runs of a branch, its change points, and changes of CPU, kernel,
          runtime or network
  export  all figures in long form: one line for each run, arm and metric

  Without --revision and --branch a run is of what is checked out here. Change points are found by
  E-divisive among runs of one environment (CPU, cores, kernel, runtime, network): docs/history.md.`;

export function makeCommand(): Command {
  return newCommand("history", {
    description: "keep runs in a local file, and see where a branch became slower or faster",
    arguments: [
      new Argument("[action]", "list, add, trend or export").default("list"),
      new Argument("[run]", "the run directory to add"),
    ],
    options: [
      valueOption("subject", "--revision <name>", "what was measured (default: the commit checked out here)"),
      valueOption(
        "subject",
        "--branch <name>",
        "the branch (default: add: the one checked out here; trend: main; list and export: all)",
      ),
      valueOption(
        "subject",
        "--at <time>",
        "date under which the run is sorted, such as 2026-01-31T12:00Z (default: when it was measured)",
      ).argParser(moment),
      listOption("subject", "--study <names>", "only these studies"),
      listOption("subject", "--task <names>", "only these tasks"),
      ...stackOptions(),
      listOption(
        "subject",
        "--metric <names>",
        "only these metrics (default: trend: latencyMs and serverCpuMsPerTask; export: all)",
      ),
      numberOption("effort", "--last <number>", "the last so many runs (default: list 20, trend 250, export all)", [
        1,
        mostRuns,
      ]),
      valueOption("output", "--format <name>", "of export: csv or json (default: by the name of --out, else csv)"),
      valueOption("output", "--out <file>", "where export writes, or trend its picture (SVG)"),
      historyOption(`the history file (default: ${usualHistoryPath})`),
      jsonOption(),
    ],
    examples: [
      "roundtrip history add runs/2026-01-31T12-00-00",
      "roundtrip history list --last 50",
      "roundtrip history trend --stack grpc-js --out trend.svg",
      "roundtrip history export --format csv --out history.csv",
    ],
    sections: [actionHelp],
    run: async (...given: Parameters<typeof history>) => (await import("../actions/history.ts")).history(...given),
  });
}
