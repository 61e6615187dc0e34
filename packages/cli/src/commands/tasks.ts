// `roundtrip tasks`: makes tasks and arrivals for `bench` from the log of a server.
import { Argument, type Command } from "commander";
import { newCommand } from "../options/help.ts";
import { keyValues } from "../options/key-values.ts";
import { contractOption, durationOption, jsonOption, numberOption, valueOption } from "../options/options.ts";
import type { tasks } from "../actions/tasks.ts";
import type { FieldMap } from "../tasks/log-formats.ts";

const fieldNames = [
  "time",
  "method",
  "target",
  "status",
  "grpc-status",
  "media-type",
  "body",
] as const satisfies readonly (keyof FieldMap)[];

export function makeCommand(): Command {
  return newCommand("tasks", {
    description: "make tasks and arrivals for bench from logs",
    arguments: [new Argument("<logs...>", "access logs, HAR files, or those of a fake")],
    options: [
      contractOption(),
      valueOption("subject", "--base-path <path>", "what precedes the contract's paths in the log"),
      valueOption("subject", "--fields <field=member>", "names in JSON lines: time=ts").argParser(
        keyValues(fieldNames),
      ),
      durationOption("--window <duration>", "length of the busiest stretch, which is written (default: 3s)"),
      numberOption("effort", "--speed <number>", "replay so many times as fast (default: 1)", [1, 100_000]),
      valueOption("output", "--out <file>", "the tasks; the arrivals go beside them").default("day.yaml"),
      jsonOption(),
    ],
    examples: [
      "roundtrip tasks access.log --contract ./proto --out day.yaml",
      "roundtrip tasks access.log.1.gz access.log --contract ./proto --window 10s",
    ],
    topics: ["logs", "contract", "config"],
    run: async (...args: Parameters<typeof tasks>) => (await import("../actions/tasks.ts")).tasks(...args),
  });
}
