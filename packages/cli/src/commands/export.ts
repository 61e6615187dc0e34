// `roundtrip export`: writes files for another load generator that runs the same studies.
import { Argument, type Command } from "commander";
import { callsOption, disposableOption, ownStudyOptions, roundsOption } from "../bench/study-options.ts";
import { arrivalsOption } from "../bench/arrivals.ts";
import { clusterOption } from "../export/cluster-options.ts";
import { newCommand } from "../options/help.ts";
import { contractOption, durationOption, seedOption, stackOption, valueOption } from "../options/options.ts";
import { setOption } from "../options/key-values.ts";
import { targetOption } from "../targets/typed-target.ts";
import type { exportStudies } from "../actions/export.ts";

export function makeCommand(): Command {
  return newCommand("export", {
    description: "write the studies for another load generator",
    arguments: [
      new Argument("<engine>", "load generator: k6"),
      new Argument("[studies...]", "default: with --contract, its own operations"),
    ],
    options: [
      contractOption(),
      ...ownStudyOptions("export"),
      stackOption(),
      setOption("options of stacks and services"),
      targetOption(),
      disposableOption("export"),
      roundsOption("rounds to choose from in k6 (default: the study's)"),
      callsOption("calls per round (default: the study's)"),
      arrivalsOption(),
      durationOption("--call-time <duration>", "expected time of a call (default: 5ms)"),
      seedOption("random"),
      valueOption("output", "--out <directory>", "(required) new or empty directory"),
      clusterOption(),
    ],
    examples: ["roundtrip export k6 --contract proto --operations GetBook,ListBooks --out k6-books"],
    topics: ["arrivals", "contract", "engines", "settings", "stacks", "studies", "targets", "config"],
    run: async (...args: Parameters<typeof exportStudies>) =>
      (await import("../actions/export.ts")).exportStudies(...args),
  });
}
