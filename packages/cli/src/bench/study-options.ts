// Options about studies, shared by `bench` and `export`.
import { studyGroups, studyNames } from "@roundtrip/bench";
import type { Option } from "commander";
import { listOption, numberOption, switchOption, valueOption } from "../options/options.ts";

/** The names of all studies and groups: `network stands for all that begin with network-`. */
export function studyList(): string {
  const groups = [...studyGroups().keys()].map((group) => `; ${group} stands for all that begin with ${group}-`);
  return `${studyNames().join(", ")}${groups.join("")}`;
}

export const roundsOption = (description: string): Option =>
  numberOption("effort", "--rounds <number>", description, [1, 1000]);

export const callsOption = (description: string): Option =>
  numberOption("effort", "--calls <number>", description, [1, 1_000_000]);

/** @param verb what the command does with tasks, such as `measure`. */
export const disposableOption = (verb: string): Option =>
  switchOption(
    "subject",
    "--disposable",
    `the targets' data may be overwritten: ${verb} tasks that write there too (default: left out)`,
  );

/** The options that make a study of a contract. @param verb what the command does with it, such as `measure`. */
export const ownStudyOptions = (verb: string): readonly Option[] => [
  listOption("subject", "--operations <names>", `${verb} these operations of the contract (default: up to 12)`),
  valueOption("subject", "--tasks <file>", `${verb} the tasks in this file of YAML or JSON`),
];
