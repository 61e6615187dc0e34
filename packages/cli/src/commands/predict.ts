// `roundtrip predict`: predicts by queueing models from given loads and demands, without measuring.
import { Argument, type Command, type Option } from "commander";
import { newCommand } from "../options/help.ts";
import {
  jsonOption,
  listOption,
  numberOption,
  seedOption,
  stackOption,
  switchOption,
  valueOption,
} from "../options/options.ts";
import { modelNames } from "../predict/model-flags.ts";
import { classNumbers, numberList, oneNumber } from "../options/number-list.ts";
import type { predict } from "../actions/predict.ts";

const positive = { what: "numbers above 0", least: 1e-9, most: 1e12, whole: false } as const;
const number = { ...positive, what: "a number above 0" } as const;
const rates = { ...positive, example: "80 or 10,20,50 or 10..200..10" } as const;
const populations = {
  what: "whole numbers of callers from 1 on",
  example: "6 or 1..20",
  least: 1,
  most: 1_000_000_000,
  whole: true,
} as const;
const thinkTimes = {
  ...positive,
  what: "numbers of milliseconds, 0 or more",
  least: 0,
  example: "9 or 0..72..9",
} as const;
const mostServers = 100_000;

function fromOptions(): readonly Option[] {
  const factor = { ...number, most: 1e6 } as const;
  return [
    valueOption("subject", "--from <run>", "run directory of bench with the demands"),
    listOption("subject", "--only <tasks>", "only these tasks of --from"),
    stackOption(),
    valueOption("subject", "--server-ms <number>", "CPU time of a task on the server, for targets").argParser(
      oneNumber({ ...number, example: "0.4 or 10" }),
    ),
    valueOption("subject", "--server-speed <number>", "what if the server were so many times as fast").argParser(
      oneNumber({ ...factor, least: 1e-3, example: "2 or 0.5" }),
    ),
    valueOption("subject", "--farther-ms <number>", "what if a round trip took so much longer").argParser(
      oneNumber({ ...factor, what: "a number, 0 or more", least: 0, example: "20" }),
    ),
    switchOption("subject", "--shared-client", "all callers share one client process"),
  ];
}

function queueOptions(): readonly Option[] {
  return [
    valueOption("subject", "--rate-hz <numbers>", `arrivals per second: ${rates.example}`).argParser(numberList(rates)),
    valueOption("subject", "--service-ms <number>", "mean service time").argParser(
      oneNumber({ ...number, example: "10 or 0.4" }),
    ),
    numberOption("subject", "--servers <number>", "servers of one queue (mmc)", [1, mostServers]),
  ];
}

function networkOptions(): readonly Option[] {
  return [
    valueOption("subject", "--file <path>", "classes and stations, as JSON (mva)"),
    valueOption("subject", "--population <numbers>", "numbers of callers: 6, 1..20 or readers=1..20 (mva)").argParser(
      classNumbers(populations),
    ),
    valueOption("subject", "--think-ms <numbers>", "think times: 9, 0..72..9 or readers=0..72..9 (mva)").argParser(
      classNumbers(thinkTimes),
    ),
  ];
}

function commonOptions(): readonly Option[] {
  return [
    switchOption("effort", "--simulate", "simulate it too, as a check"),
    seedOption("1", "--simulate"),
    valueOption("output", "--out <directory>", "keep figures and pictures there"),
    jsonOption(),
  ];
}

export function makeCommand(): Command {
  return newCommand("predict", {
    description: "predict response times by queueing models",
    arguments: [new Argument("[model]", `${modelNames.join(", ")}; none with --from`)],
    options: [...queueOptions(), ...networkOptions(), ...fromOptions(), ...commonOptions()],
    examples: [
      "roundtrip predict mm1 --rate-hz 80 --service-ms 10",
      "roundtrip predict mva --file demands.json --population 1..20",
      "roundtrip predict --from runs/shop --population 10,100 --think-ms 500 --server-speed 2",
    ],
    topics: ["models", "config"],
    run: async (...given: Parameters<typeof predict>) => (await import("../actions/predict.ts")).predict(...given),
  });
}
