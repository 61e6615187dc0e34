// `roundtrip types`: TypeScript types of a contract, for typed clients and handlers of fakes.
import type { Command } from "commander";
import { newCommand } from "../options/help.ts";
import { contractOptions, jsonOption, switchOption, valueOption } from "../options/options.ts";
import type { types } from "../actions/types.ts";

export function makeCommand(): Command {
  return newCommand("types", {
    description: "write TypeScript types of the contract, for typed clients and handlers",
    options: [
      ...contractOptions(),
      valueOption("output", "--out <directory>", "where the types go; what is stale there is removed"),
      valueOption("output", "--language <name>", "ts for TypeScript, js for JavaScript with declarations")
        .choices(["ts", "js"])
        .default("ts"),
      valueOption(
        "output",
        "--imports <ending>",
        "of files that import each other: js, none (bundlers) or ts (Node.js)",
      )
        .choices(["js", "none", "ts"])
        .default("js"),
      switchOption("output", "--check", "write nothing, and fail when the folder is not up to date"),
      jsonOption(),
    ],
    examples: [
      "roundtrip types --contract ./proto --out src/gen",
      "roundtrip types --contract ./proto --out src/gen --imports ts",
      "roundtrip types --contract ./proto --out src/gen --check",
    ],
    run: async (...given: Parameters<typeof types>) => (await import("../actions/types.ts")).types(...given),
  });
}
