// `roundtrip bench`: runs studies, writes a run directory, prints tables, a box plot and what follows.
import { defaultStudies } from "@roundtrip/bench";
import { Argument, type Command, type Option } from "commander";
import { arrivalsOption } from "../bench/arrivals.ts";
import { engineOptions } from "../bench/engine.ts";
import { callsOption, disposableOption, levelOptions, ownStudyOptions, roundsOption } from "../bench/study-options.ts";
import { newCommand } from "../options/help.ts";
import { linkOption } from "../options/link-option.ts";
import {
  contractOption,
  durationOption,
  fullOption,
  jsonOption,
  quietOption,
  repeatedOption,
  seedOption,
  stackOption,
  switchOption,
  tlsOption,
  valueOption,
} from "../options/options.ts";
import { targetOptions } from "../targets/typed-target.ts";
import { setOption } from "../options/key-values.ts";
import type { bench } from "../actions/bench.ts";

function subjectOptions(): readonly Option[] {
  return [
    contractOption(),
    ...ownStudyOptions("measure"),
    stackOption(),
    setOption("options of stacks and services; several values are compared"),
    ...targetOptions(),
    repeatedOption("subject", "--serve <command>", "command that starts your server, or STYLE=COMMAND for each"),
    valueOption("subject", "--build <command>", "run once before --serve"),
    switchOption("subject", "--fakes", "measure the fake, not the configured --serve"),
    disposableOption("measure"),
    tlsOption(),
  ];
}

/** How long, how often and at which pace to measure. */
function effortOptions(): readonly Option[] {
  return [
    roundsOption("fresh starts of all processes (default: the study's)"),
    callsOption("calls per round (default: the study's)"),
    arrivalsOption(),
    durationOption("--p99 <duration>", "limit of p99 in load-calls (default: 20ms)"),
    ...levelOptions(),
    durationOption("--budget <duration>", "time for measuring (default: 57s or the studies' own)"),
    durationOption("--warm-up <duration>", "first part of the warm-up (default: 450ms)"),
    seedOption("another each time"),
  ];
}

function outputOptions(): readonly Option[] {
  return [
    valueOption("output", "--out <directory>", "run directory (default: runs/TIME)"),
    fullOption(),
    jsonOption(),
    quietOption(),
  ];
}

export function makeCommand(): Command {
  return newCommand("bench", {
    description: "measure what the contract costs over each style, and report it",
    arguments: [
      new Argument("[studies...]", `default: ${defaultStudies.join(" ")}; with --contract, its own operations`),
    ],
    options: [...subjectOptions(), linkOption(), ...engineOptions(), ...effortOptions(), ...outputOptions()],
    examples: [
      "roundtrip bench hello --stack grpc,rest --rounds 10",
      "roundtrip bench network-distance --link rtt=1,50",
      "roundtrip bench --contract proto load --operations GetBook --p99 50ms",
      "roundtrip bench --contract proto --tasks tasks.yaml --target grpc=https://api.example.com",
    ],
    topics: [
      "arrivals",
      "contract",
      "engines",
      "load",
      "network",
      "settings",
      "stacks",
      "studies",
      "targets",
      "config",
    ],
    run: async (...given: Parameters<typeof bench>) => (await import("../actions/bench.ts")).bench(...given),
  });
}
