// `--engine`, `--instances`, `--import` and `--plan`: the load generator of a run, local or remote.
import { InvalidArgumentError, type Option } from "commander";
import { numberOption, repeatedOption, valueOption } from "../options/options.ts";

export const engineNames = ["node", "k6"] as const;

export type EngineName = (typeof engineNames)[number];

export interface EngineFlags {
  readonly engine: EngineName;
  readonly instances?: number;
  readonly import?: readonly string[];
  readonly plan?: readonly string[];
}

/** More processes on one machine have no benefit. */
const mostInstances = 64;

export function engineOptions(): readonly Option[] {
  return [
    valueOption("effort", "--engine <name>", "who makes the calls that are timed: node or k6 (see below)")
      .argParser(engineOf)
      .default("node" satisfies EngineName, "node"),
    numberOption("effort", "--instances <number>", "processes of k6 that share the load, and one core (default: 1)", [
      1,
      mostInstances,
    ]),
    repeatedOption(
      "subject",
      "--import <files...>",
      "with --engine k6: results of k6 that ran elsewhere, instead of measuring",
    ),
    repeatedOption(
      "subject",
      "--plan <directory>",
      "with --engine k6: the export that k6 ran; may be given several times (default: where the results are)",
    ),
  ];
}

function engineOf(value: string): EngineName {
  const engine = engineNames.find((name) => name === value);
  if (engine !== undefined) return engine;
  throw new InvalidArgumentError(`unknown engine (valid: ${engineNames.join(", ")})`);
}

export const engineHelp = `
Engines:
  node  this project's own clients, one process for each stack.
  k6    k6 1.x or 2.x on this machine: what it cannot do is left out, with a note. Servers start, answer
        alike and warm up as always; then k6 makes the calls, with the same requests and arrivals.
  "roundtrip export k6" writes what k6 runs where you have it; --import brings its results home.`;
