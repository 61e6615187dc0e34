// Options about studies, shared by `bench` and `export`.
import type { Option } from "commander";
import { numberList } from "../options/number-list.ts";
import { numberOption, operationsOption, switchOption, valueOption } from "../options/options.ts";

export const roundsOption = (description: string): Option =>
  numberOption("effort", "--rounds <number>", description, [1, 1000]);

export const callsOption = (description: string): Option =>
  numberOption("effort", "--calls <number>", description, [1, 1_000_000]);

/** @param verb what the command does with operations, such as `measure`. @param what may be overwritten. */
export const disposableOption = (verb: string, what = "the targets' data"): Option =>
  switchOption("subject", "--disposable", `also ${verb} what writes: ${what} may be overwritten`);

/** The options that make a study of a contract. @param verb what the command does with it, such as `measure`. */
export const ownStudyOptions = (verb: string): readonly Option[] => [
  operationsOption(verb, "up to 12"),
  valueOption("subject", "--tasks <file>", `file with the tasks to ${verb}`),
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
    valueOption("effort", "--rate-hz <numbers>", "arrivals per second of load-rates").argParser(
      numberList(ranges.ratesHz),
    ),
    valueOption("effort", "--callers <numbers>", "callers of concurrency (default: 1,3,9)").argParser(
      numberList(ranges.callers),
    ),
    valueOption("effort", "--think-ms <numbers>", "think times of concurrency (default: 0,2,12)").argParser(
      numberList(ranges.thinkMs),
    ),
  ];
}
