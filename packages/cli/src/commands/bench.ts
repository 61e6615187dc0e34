// `roundtrip bench`: runs studies, writes a run directory, prints tables, a box plot and what follows.
import { defaultStudies } from "@roundtrip/bench";
import { Argument, type Command, type Option } from "commander";
import { arrivalsHelp, arrivalsOption } from "../bench/arrivals.ts";
import { engineHelp, engineOptions } from "../bench/engine.ts";
import {
  callsOption,
  disposableOption,
  levelHelp,
  levelOptions,
  ownStudyOptions,
  roundsOption,
  studyList,
} from "../bench/study-options.ts";
import { newCommand } from "../options/help.ts";
import { linkOption, networkHelp } from "../options/link-option.ts";
import {
  contractOptions,
  durationOption,
  fullOption,
  jsonOption,
  quietOption,
  repeatedOption,
  seedOption,
  stackHelp,
  stackOption,
  switchOption,
  tlsOption,
  valueOption,
} from "../options/options.ts";
import { targetOptions } from "../targets/typed-target.ts";
import { setOption } from "../options/key-values.ts";
import type { bench } from "../actions/bench.ts";

const ownHelp = `
Your contract:
  With --contract and no study, the contract itself is measured: its fake answers over every style,
  in a process of its own. Each unary operation is called as it is, with a request that was found to
  be answered; where it takes a read mask, also field by field. --tasks FILE measures what you do
  with it: steps, loops over answers, sets of calls at once. With --target, your servers answer
  instead of the fake.`;

const libraryHelp = `
  The study libraries selects every server with its style's default client, every client with its
  default server, and a server and client without libraries with each other; --stack all measures
  every server with every client of its style.`;

const settingHelp = `
Settings:
  "roundtrip describe" lists what can be set on each stack and service. Several values are levels,
  measured in processes of their own beside each other: --set grpc-js.maxConcurrentStreams=2,100.
  Of several settings all combinations are measured, 8 of a stack at most. Stacks are compared at
  their defaults (or where the same is set on both), levels of one stack with each other.`;

const targetHelp = `
Targets:
  A target is measured as it is: only its clients start anew each round, its CPU time is not known,
  and tasks that write are left out unless it is --disposable. Beside targets, only the stacks that
  --stack names are served here. The floor (a TCP echo, the lower bound) is measured when something
  is served here, or when it is a target itself: "roundtrip serve floor" on the servers' machine
  gives one.
  With --serve, a command starts your server anew in each round, as compare does: it listens on {port}
  or prints its address. Its CPU time is known, and operations that may write are called if --tasks or
  --operations names them. A typed --target or --fakes wins over a --serve of roundtrip.config.ts.`;

function subjectOptions(): readonly Option[] {
  return [
    ...contractOptions(),
    ...ownStudyOptions("measure"),
    stackOption(),
    setOption("a setting of a stack or service; several values, with commas, are compared (see below)"),
    ...targetOptions(),
    repeatedOption(
      "subject",
      "--serve <command>",
      "a command that starts your server in every round, or STYLE=COMMAND for each",
    ),
    valueOption("subject", "--build <command>", "run once before --serve"),
    switchOption("subject", "--fakes", "measure the contract's fake, though a setting names a command that serves"),
    disposableOption("measure"),
    tlsOption(),
  ];
}

/** How long, how often and at which pace to measure. */
function effortOptions(): readonly Option[] {
  return [
    roundsOption("fresh starts of every server and client (default: the study's)"),
    callsOption("times each variant runs on each stack, per round (default: the study's)"),
    arrivalsOption(),
    durationOption("--p99 <duration>", "p99 limit of the search for capacity in load-calls (default: 20ms)"),
    ...levelOptions(),
    durationOption(
      "--budget <duration>",
      "time for measuring (default: 57s or the studies' own, three times that for k6, and more for more --rounds); a shorter one leaves out variants of tasks (cells), then calls, then rounds",
    ),
    durationOption(
      "--warm-up <duration>",
      "first part of the warm-up, all stacks at once, longer for more than four; each then warms up until it settles (default: 450ms)",
    ),
    seedOption("another each time"),
  ];
}

function outputOptions(): readonly Option[] {
  return [
    valueOption("output", "--out <directory>", "the run directory (default: runs/ and the time)"),
    fullOption(),
    jsonOption(),
    quietOption(),
  ];
}

export function makeCommand(): Command {
  return newCommand("bench", {
    description: "measure what the contract costs over each style, and report it",
    arguments: [
      new Argument(
        "[studies...]",
        `which studies: ${studyList()} (default: ${defaultStudies.join(" ")}; with --contract, the contract itself)`,
      ),
    ],
    options: [...subjectOptions(), linkOption(), ...engineOptions(), ...effortOptions(), ...outputOptions()],
    examples: [
      "roundtrip bench hello --stack grpc,rest --rounds 10",
      "roundtrip bench facade --budget 5m --out runs/facade",
      "roundtrip bench network-distance --stack grpc-js,rest-express",
      "roundtrip bench hello --target rest=https://api.example.com --rounds 10",
      "roundtrip bench hello --stack grpc-js --set grpc-js.requestCompression=identity,gzip",
      "roundtrip bench hello --arrivals poisson:500 --calls 2000",
      "roundtrip bench load-rates --engine k6 --instances 2",
      "roundtrip bench --contract proto --operations GetBook,ListBooks",
      "roundtrip bench --contract proto load --operations GetBook --p99 50ms",
      "roundtrip bench --contract proto --tasks tasks.yaml --target grpc=https://api.example.com",
    ],
    sections: [
      ownHelp,
      levelHelp,
      `${stackHelp}${libraryHelp}`,
      settingHelp,
      targetHelp,
      networkHelp,
      arrivalsHelp,
      engineHelp,
    ],
    run: async (...given: Parameters<typeof bench>) => (await import("../actions/bench.ts")).bench(...given),
  });
}
