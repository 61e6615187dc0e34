// `roundtrip describe`: shows each operation in each style, and what a style cannot carry.
import { Argument, type Command } from "commander";
import { newCommand } from "../options/help.ts";
import { contractOptions, jsonOption, stackHelp, stackOption, valueOption } from "../options/options.ts";
import type { describe } from "../actions/describe.ts";

export function makeCommand(): Command {
  return newCommand("describe", {
    description: "show what the contract becomes in each style, and what a style cannot carry",
    arguments: [
      new Argument("[operations...]", "which operations, by name or full id (default: all)").default([], "all"),
    ],
    options: [
      ...contractOptions(),
      stackOption(),
      valueOption("output", "--out <directory>", "write the styles' documents (OpenAPI, GraphQL schema) there instead"),
      jsonOption(),
    ],
    examples: ["roundtrip describe GetCustomer", "roundtrip describe --contract ./proto --out ./schema"],
    sections: [stackHelp],
    run: async (...given: Parameters<typeof describe>) => (await import("../actions/describe.ts")).describe(...given),
  });
}
