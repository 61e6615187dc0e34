// `roundtrip conform`: runs the conformance cases against local stacks or a target.
import { Argument, type Command } from "commander";
import { newCommand } from "../options/help.ts";
import {
  contractOptions,
  jsonOption,
  operationsOption,
  quietOption,
  stackHelp,
  stackOption,
  tlsOption,
  valueOption,
} from "../options/options.ts";
import { disposableOption } from "../bench/study-options.ts";
import { targetOptions } from "../targets/typed-target.ts";
import type { conform } from "../actions/conform.ts";

const statusHelp = `
Exit status: 1 if a case of level MUST fails.`;

export function makeCommand(): Command {
  return newCommand("conform", {
    description: "run the conformance cases against stacks or a running server",
    arguments: [new Argument("[stacks...]", "which stacks (default: each style's default)").default([], "all")],
    options: [
      ...contractOptions(),
      operationsOption("test", "all"),
      valueOption("subject", "--tasks <file>", "test the operations that the tasks in this file call"),
      stackOption(),
      ...targetOptions(),
      disposableOption("test"),
      tlsOption(),
      jsonOption(),
      quietOption(),
    ],
    examples: [
      "roundtrip conform rest-express",
      "roundtrip conform --contract proto",
      "roundtrip conform --contract proto --operations GetBook,ListBooks",
      "roundtrip conform --contract proto --target grpc=http://127.0.0.1:50051",
      "roundtrip conform --target rest=http://127.0.0.1:8080 --quiet",
    ],
    sections: [stackHelp, statusHelp],
    run: async (...given: Parameters<typeof conform>) => (await import("../actions/conform.ts")).conform(...given),
  });
}
