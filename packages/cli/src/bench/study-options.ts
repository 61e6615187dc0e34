// Options about studies, shared by `bench` and `export`.
import { studyGroups, studyNames } from "@roundtrip/bench";
import type { Option } from "commander";
import { numberList } from "../options/number-list.ts";
import { numberOption, operationsOption, switchOption, valueOption } from "../options/options.ts";

/** The names of all studies and groups: `network stands for all that begin with network-`. */
export function studyList(): string {
  const groups = [...studyGroups().keys()].map((group) => `; ${group} stands for all that begin with ${group}-`);
  return `${studyNames().join(", ")}${groups.join("")}`;
}

export const roundsOption = (description: string): Option =>
  numberOption("effort", "--rounds <number>", description, [1, 1000]);

export const callsOption = (description: string): Option =>
  numberOption("effort", "--calls <number>", description, [1, 1_000_000]);

/** @param verb what the command does with operations, such as `measure`. @param what may be overwritten. */
export const disposableOption = (verb: string, what = "the targets' data"): Option =>
  switchOption(
    "subject",
    "--disposable",
    `${what} may be overwritten: ${verb} what writes there too (default: left out)`,
  );

/** The options that make a study of a contract. @param verb what the command does with it, such as `measure`. */
export const ownStudyOptions = (verb: string): readonly Option[] => [
  operationsOption(verb, "up to 12"),
  valueOption("subject", "--tasks <file>", `${verb} the tasks in this file of YAML or JSON`),
];

const decimal = { most: 1e6, whole: false } as const;
const ranges = {
  ratesHz: { ...decimal, what: "numbers of arrivals per second from 0.1 on", least: 0.1, example: "50,100,200" },
  callers: { what: "whole numbers of callers from 1 to 1000", least: 1, most: 1_000, whole: true, example: "1,3,9" },
  thinkMs: { ...decimal, what: "numbers of milliseconds, 0 or more", least: 0, example: "0,10,100" },
} as const;

/** The levels of load for tasks of a user's contract. */
export function levelOptions(): readonly Option[] {
  return [
    valueOption("effort", "--rate-hz <numbers>", "arrivals per second of load-rates: 50,100,200").argParser(
      numberList(ranges.ratesHz),
    ),
    valueOption("effort", "--callers <numbers>", "callers of concurrency (default: 1,3,9)").argParser(
      numberList(ranges.callers),
    ),
    valueOption("effort", "--think-ms <numbers>", "mean think times of concurrency (default: 0,2,12)").argParser(
      numberList(ranges.thinkMs),
    ),
  ];
}

export const levelHelp = `
Load of your contract:
  With --contract, --tasks or --operations, three studies take those tasks instead of their own:
    load-calls    the rate that each style carries with p99 within --p99: searched, then measured
    load-rates    response times at the arrivals of --rate-hz, beside queueing models
    concurrency   --callers who wait for answers and pause for --think-ms, beside a model
  Without --operations, the first 3 that can be measured. "load" is load-calls, and load-rates with
  --rate-hz. "roundtrip predict --from RUN" predicts other loads from such a run.`;
