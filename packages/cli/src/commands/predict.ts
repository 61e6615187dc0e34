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

const modelHelp = `
Models:
  mm1  random (Poisson) arrivals at one server, exponential service times
  mmc  the same, with several equal servers and one queue
  mva  callers that wait for their answers and think between them, in a network of stations: a file
         { "classes":  [{ "name": "callers", "population": 6, "thinkMs": 9 }],
           "stations": [{ "name": "server CPU", "demandMs": 3.6, "service": "constant" },
                        { "name": "network", "kind": "delay", "demandMs": 1.5 }] }
       A station is a queue with exponential service unless it says otherwise; demandMs is a number, or
       one for each class by name; phaseTwoMs is the part of it that is done after the answer.
  What each assumes, and when it does not hold: docs/models.md.`;

const fromHelp = `
From a run:
  --from RUN takes the demands of each task from one caller of a run of "roundtrip bench": the
  processor time of server and client, and the rest of the round trip as a delay. It predicts, by
  mva, what more callers would see, and with --server-speed and --farther-ms the same after a change.`;

function fromOptions(): readonly Option[] {
  const factor = { ...number, most: 1e6 } as const;
  return [
    valueOption("subject", "--from <run>", "take the demands from this run directory of bench (mva)"),
    listOption("subject", "--task <names>", "only these tasks of the run (--from)"),
    stackOption(),
    valueOption(
      "subject",
      "--server-ms <number>",
      "processor time of a task on the server, instead of the run's; for targets (--from)",
    ).argParser(oneNumber({ ...number, example: "0.4 or 10" })),
    valueOption(
      "subject",
      "--server-speed <number>",
      "what if the server were this many times as fast (--from)",
    ).argParser(oneNumber({ ...factor, least: 1e-3, example: "2 or 0.5" })),
    valueOption("subject", "--farther-ms <number>", "what if a round trip took this much longer (--from)").argParser(
      oneNumber({ ...factor, what: "a number, 0 or more", least: 0, example: "20" }),
    ),
    switchOption("subject", "--shared-client", "all callers share one client process, as in a run (--from)"),
  ];
}

function queueOptions(): readonly Option[] {
  return [
    valueOption("subject", "--rate-hz <numbers>", `arrivals per second: ${rates.example} (from, to, step)`).argParser(
      numberList(rates),
    ),
    valueOption("subject", "--service-ms <number>", "mean service time").argParser(
      oneNumber({ ...number, example: "10 or 0.4" }),
    ),
    numberOption("subject", "--servers <number>", "how many servers take from one queue (mmc)", [1, mostServers]),
  ];
}

function networkOptions(): readonly Option[] {
  return [
    valueOption("subject", "--file <path>", "the network's classes and stations, as JSON (mva)"),
    valueOption(
      "subject",
      "--population <numbers>",
      "other numbers of callers than the file's: 6, 1..20, or of one class readers=1..20 (mva; with --from 1,3,10,30,100)",
    ).argParser(classNumbers(populations)),
    valueOption(
      "subject",
      "--think-ms <numbers>",
      "other think times than the file's (--from: 0): 9, 0..72..9, or of one class readers=0..72..9 (mva)",
    ).argParser(classNumbers(thinkTimes)),
  ];
}

function commonOptions(): readonly Option[] {
  return [
    switchOption("effort", "--simulate", "simulate the same beside it, as an independent check"),
    seedOption("1", "--simulate"),
    valueOption("output", "--out <directory>", "keep the figures as JSON, and pictures, there too"),
    jsonOption(),
  ];
}

export function makeCommand(): Command {
  return newCommand("predict", {
    description: "predict response times by queueing models, from given loads and demands or from a run",
    arguments: [new Argument("[model]", `${modelNames.join(", ")} (see below); none with --from`)],
    options: [...queueOptions(), ...networkOptions(), ...fromOptions(), ...commonOptions()],
    examples: [
      "roundtrip predict mm1 --rate-hz 80 --service-ms 10",
      "roundtrip predict mmc --rate-hz 50..400..50 --service-ms 10 --servers 4 --out prediction",
      "roundtrip predict mva --file demands.json --population 1..20",
      "roundtrip predict --from runs/shop --population 10,100 --think-ms 500 --server-speed 2",
      "roundtrip predict --from runs/shop --population 1..50 --farther-ms 20",
    ],
    sections: [modelHelp, fromHelp],
    run: async (...given: Parameters<typeof predict>) => (await import("../actions/predict.ts")).predict(...given),
  });
}
