// `roundtrip compare`: reports whether one version is slower than another, with a stated error rate.
import { comparisonFormatNames } from "@roundtrip/report/registry";
import { budgetOptions, disposableOption, ownStudyOptions, serveOptions } from "../bench/study-options.ts";
import { Argument, InvalidArgumentError, type Command, type Option } from "commander";
import { newCommand } from "../options/help.ts";
import {
  contractOption,
  jsonOption,
  listOf,
  listOption,
  numberOption,
  quietOption,
  seedOption,
  switchOption,
  valueOption,
  stackOption,
} from "../options/options.ts";
import type { compare } from "../actions/compare.ts";

/** Parses `2%` or `0.02` as 0.02. Throws an InvalidArgumentError outside 0 to 1; the caller decides whether 0 is allowed. */
function share(value: string): number {
  const text = value.trim();
  const [, digits, percent] = /^(\d+(?:\.\d+)?|\.\d+)(%?)$/.exec(text) ?? [];
  const number = digits === undefined ? Number.NaN : Number(digits) / (percent === "%" ? 100 : 1);
  if (!(number >= 0 && number <= 1)) throw new InvalidArgumentError("must be a share such as 2% or 0.02");
  return number;
}

const metrics = ["latencyMs", "serverCpuMsPerTask"] as const;

function metricList(value: string, before: readonly string[] | undefined): readonly string[] {
  // Before the first value, `before` is the default.
  const names = listOf(value, before === metrics ? undefined : before);
  const unknown = names.find((name) => !metrics.some((metric) => metric === name));
  if (unknown !== undefined) throw new InvalidArgumentError(`must be of ${metrics.join(", ")}`);
  return names;
}

function subjectOptions(): readonly Option[] {
  return [
    ...serveOptions("the contracts'"),
    contractOption(),
    ...ownStudyOptions("compare"),
    disposableOption("compare", "the servers' data"),
    listOption("subject", "--study <names>", "studies to compare (default: gate)"),
    listOption("subject", "--answers-may-differ <tasks>", "tasks or operations with other answers"),
    stackOption(),
    valueOption("subject", "--metric <names>", `of ${metrics.join(", ")}`)
      .argParser(metricList)
      .default(metrics, "both"),
  ];
}

/** Error rates and maximum duration. */
function effortOptions(): readonly Option[] {
  return [
    valueOption("effort", "--tolerate <share>", "ignore slowdowns up to this share")
      .argParser(share)
      .default(0.02, "2%"),
    valueOption("effort", "--detect <share>", "find slowdowns of this share or more")
      .argParser(share)
      .default(0.05, "5%"),
    valueOption("effort", "--alpha <share>", "maximum false-failure rate").argParser(share).default(0.01, "1%"),
    ...budgetOptions("150s, or the study's own", "80ms per stack"),
    numberOption("effort", "--rounds <number>", "default: as many as the budget holds", [1, 1000]),
    seedOption("random"),
    switchOption("effort", "--strict", "exit with status 2 if inconclusive"),
  ];
}

function outputOptions(): readonly Option[] {
  return [
    valueOption("output", "--out <directory>", "run directory (default: runs/TIME)"),
    valueOption("output", "--format <name>", `${comparisonFormatNames().join(", ")} (default: terminal)`),
    jsonOption().conflicts("format"),
    quietOption(),
  ];
}

export function makeCommand(): Command {
  return newCommand("compare", {
    description: "report whether one version is slower than another",
    arguments: [
      new Argument("[base]", "before the change (default: HEAD^1, the parent commit)"),
      new Argument("[head]", "after the change (default: HEAD)"),
    ],
    options: [...subjectOptions(), ...effortOptions(), ...outputOptions()],
    examples: [
      "roundtrip compare main HEAD",
      "roundtrip compare dir=../main dir=.",
      "roundtrip compare main HEAD --contract proto --stack grpc --build make --serve bin/server",
    ],
    topics: ["versions", "contract", "stacks", "studies", "config"],
    run: async (...args: Parameters<typeof compare>) => (await import("../actions/compare.ts")).compare(...args),
  });
}
