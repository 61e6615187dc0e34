// `roundtrip conform`: runs the conformance cases against local stacks or a target.
import { Argument, type Command } from "commander";
import { newCommand } from "../options/help.ts";
import {
  contractOption,
  jsonOption,
  operationsOption,
  quietOption,
  stackOption,
  tlsOption,
} from "../options/options.ts";
import { disposableOption } from "../bench/study-options.ts";
import { targetOption } from "../targets/typed-target.ts";
import type { conform } from "../actions/conform.ts";

export function makeCommand(): Command {
  return newCommand("conform", {
    description: "run the conformance cases against stacks or a running server",
    arguments: [new Argument("[stacks...]", "as --stack").default([], "all")],
    options: [
      contractOption(),
      operationsOption("test", "all"),
      stackOption(),
      targetOption(),
      disposableOption("test"),
      tlsOption(),
      jsonOption(),
      quietOption(),
    ],
    examples: [
      "roundtrip conform rest-express",
      "roundtrip conform --contract proto --operations GetBook,ListBooks",
      "roundtrip conform --target rest=http://127.0.0.1:8080",
    ],
    topics: ["contract", "stacks", "targets", "config"],
    run: async (...args: Parameters<typeof conform>) => (await import("../actions/conform.ts")).conform(...args),
  });
}
