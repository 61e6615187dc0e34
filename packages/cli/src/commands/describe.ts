// `roundtrip describe`: shows each operation in each style, and what a style cannot carry.
import { Argument, type Command } from "commander";
import { newCommand } from "../options/help.ts";
import { contractOption, jsonOption, stackOption, valueOption } from "../options/options.ts";
import type { describe } from "../actions/describe.ts";

export function makeCommand(): Command {
  return newCommand("describe", {
    description: "show the contract in each style, and what a style cannot carry",
    arguments: [new Argument("[operations...]", "names or full ids (default: all)").default([], "all")],
    options: [
      contractOption(),
      stackOption(),
      valueOption("output", "--out <directory>", "write OpenAPI, GraphQL schema and others there"),
      jsonOption(),
    ],
    examples: ["roundtrip describe GetCustomer", "roundtrip describe --contract ./proto --out ./schema"],
    topics: ["contract", "stacks", "config"],
    run: async (...args: Parameters<typeof describe>) => (await import("../actions/describe.ts")).describe(...args),
  });
}
