// `roundtrip bench`: runs studies, writes a run directory, prints tables, a box plot and what follows.
import { defaultStudies } from "@roundtrip/bench";
import { Argument, type Command, type Option } from "commander";
import { arrivalsOption } from "../bench/arrivals.ts";
import { engineOptions } from "../bench/engine.ts";
import {
  budgetOptions,
  callsOption,
  disposableOption,
  loadOption,
  ownStudyOptions,
  roundsOption,
  serveOptions,
} from "../bench/study-options.ts";
import { newCommand } from "../options/help.ts";
import { linkOption } from "../options/link-option.ts";
import {
  contractOption,
  jsonOption,
  quietOption,
  seedOption,
  stackOption,
  switchOption,
  tlsOption,
  valueOption,
} from "../options/options.ts";
import { targetOption } from "../targets/typed-target.ts";
import { setOption } from "../options/key-values.ts";
import type { bench } from "../actions/bench.ts";

function subjectOptions(): readonly Option[] {
  return [
    contractOption(),
    ...ownStudyOptions("measure"),
    stackOption(),
    setOption("options of stacks and services"),
    targetOption(),
    ...serveOptions("the contract's"),
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
    loadOption(),
    ...budgetOptions("57s or the studies' own", "450ms"),
    switchOption("effort", "--full", "all studies of a publication, also those that take long"),
    seedOption("random"),
  ];
}

function outputOptions(): readonly Option[] {
  return [
    valueOption("output", "--out <directory>", "run directory (default: runs/TIME)"),
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
      "roundtrip bench --contract proto load --operations GetBook --load p99=50ms",
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
    run: async (...args: Parameters<typeof bench>) => (await import("../actions/bench.ts")).bench(...args),
  });
}
