// Options about studies, shared by `bench` and `export`.
import type { Option } from "commander";
import { keyValues, type KeyValues } from "../options/key-values.ts";
import { numberList } from "../options/number-list.ts";
import {
  duration,
  durationOption,
  numberOption,
  operationsOption,
  repeatedOption,
  switchOption,
  valueOption,
} from "../options/options.ts";

export const roundsOption = (description: string): Option =>
  numberOption("effort", "--rounds <number>", description, [1, 1000]);

export const callsOption = (description: string): Option =>
  numberOption("effort", "--calls <number>", description, [1, 1_000_000]);

/** @param verb what the command does with operations, such as `measure`. @param what may be overwritten. */
export const disposableOption = (verb: string, what = "the targets' data"): Option =>
  switchOption("subject", "--disposable", `also ${verb} what overwrites ${what}`);

/** The options that make a study of a contract. @param verb what the command does with it, such as `measure`. */
export const ownStudyOptions = (verb: string): readonly Option[] => [
  operationsOption(verb, "up to 12"),
  valueOption("subject", "--tasks <file>", `file with the tasks to ${verb}`),
];

const decimal = { most: 1e6, whole: false } as const;
const loadKeys = {
  callers: numberList({
    what: "whole numbers of callers from 1 to 1000",
    least: 1,
    most: 1_000,
    whole: true,
    example: "1,3,9",
  }),
  think: numberList({ ...decimal, what: "numbers of milliseconds, 0 or more", least: 0, example: "0,10,100" }),
  rate: numberList({
    ...decimal,
    what: "numbers of arrivals per second from 0.1 on",
    least: 0.1,
    example: "50,100,200",
  }),
  p99: duration,
};

/** The levels of load for tasks of a user's contract, and the limit of a search. */
export type TypedLoad = KeyValues<typeof loadKeys>;

export const loadOption = (): Option =>
  valueOption("effort", "--load <levels>", "levels of load: callers=1,3,think=10,rate=50,p99=20ms").argParser(
    keyValues(loadKeys),
  );

/** @param fake what `--serve fake` does. */
export const serveOptions = (fake: string): readonly Option[] => [
  repeatedOption("subject", "--serve <command>", `starts your server; or STYLE=COMMAND; or fake: ${fake}`),
  valueOption("subject", "--build <command>", "run once before --serve"),
];

export const budgetOptions = (budget: string, warmUp: string): readonly Option[] => [
  durationOption("--budget <duration>", `time for measuring (default: ${budget})`),
  durationOption("--warm-up <duration>", `first part of the warm-up (default: ${warmUp})`),
];
