// `roundtrip predict`: predicts by queueing models from given loads and demands, without measuring.
import { Argument, InvalidArgumentError, type Command, type Option } from "commander";
import { newCommand } from "../options/help.ts";
import { keyValues, type KeyValues } from "../options/key-values.ts";
import { jsonOption, listOption, numberOption, stackOption, switchOption, valueOption } from "../options/options.ts";
import { modelNames } from "../predict/prediction.ts";
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

const loadKeys = { rate: numberList(rates), callers: classNumbers(populations), think: classNumbers(thinkTimes) };

const factor = { ...number, most: 1e6 } as const;

function yesOrNo(text: string): boolean {
  if (["yes", "no"].includes(text)) return text === "yes";
  throw new InvalidArgumentError("must be yes or no");
}

const changes = {
  "server-speed": oneNumber({ ...factor, least: 1e-3, example: "2 or 0.5" }),
  "farther-ms": oneNumber({ ...factor, what: "a number, 0 or more", least: 0, example: "20" }),
  "shared-client": yesOrNo,
};

export type PredictedLoad = KeyValues<typeof loadKeys>;
export type WhatIf = KeyValues<typeof changes>;

function options(): readonly Option[] {
  return [
    valueOption("subject", "--from <run>", "run directory of bench with the demands"),
    listOption("subject", "--only <tasks>", "only these tasks of --from"),
    stackOption(),
    valueOption("subject", "--what-if <changes>", "server-speed=2,farther-ms=20,shared-client=yes").argParser(
      keyValues(changes),
    ),
    valueOption("subject", "--load <levels>", "rate=10..200..10, or callers=1..20,think=9").argParser(
      keyValues(loadKeys),
    ),
    valueOption("subject", "--service-ms <number>", "mean time that a server works on a task").argParser(
      oneNumber({ ...number, example: "10 or 0.4" }),
    ),
    numberOption("subject", "--servers <number>", "servers of one queue (mmc)", [1, mostServers]),
    valueOption("subject", "--file <path>", "classes and stations, as JSON (mva)"),
    switchOption("effort", "--simulate", "simulate it too, as a check"),
    valueOption("output", "--out <directory>", "keep figures and pictures there"),
    jsonOption(),
  ];
}

export function makeCommand(): Command {
  return newCommand("predict", {
    description: "predict response times by queueing models",
    arguments: [new Argument("[model]", `${modelNames.join(", ")}; none with --from`)],
    options: options(),
    examples: [
      "roundtrip predict mm1 --load rate=80 --service-ms 10",
      "roundtrip predict mva --file demands.json --load callers=1..20",
      "roundtrip predict --from runs/shop --load callers=10,100,think=500 --what-if server-speed=2",
    ],
    topics: ["models", "config"],
    run: async (...given: Parameters<typeof predict>) => (await import("../actions/predict.ts")).predict(...given),
  });
}
