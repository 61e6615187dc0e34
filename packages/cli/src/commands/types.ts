// `roundtrip types`: TypeScript types of a contract, for typed clients and for handlers of fakes.
import { Command } from "commander";
import { addExamples } from "../options/help.ts";
import {
  contractOption,
  httpRulesOption,
  jsonOption,
  protoPathOption,
  switchOption,
  valueOption,
} from "../options/options.ts";
import type { types } from "../actions/types.ts";

/** Makes the command. */
export function makeCommand(): Command {
  const command = new Command("types")
    .description("write TypeScript types of the contract, for typed clients and handlers")
    .addOption(contractOption())
    .addOption(protoPathOption())
    .addOption(httpRulesOption())
    .addOption(valueOption("output", "--out <directory>", "where the types go; what is stale there is removed"))
    .addOption(
      valueOption("output", "--language <name>", "ts for TypeScript, js for JavaScript with declarations")
        .choices(["ts", "js"])
        .default("ts"),
    )
    .addOption(
      valueOption(
        "output",
        "--imports <ending>",
        "of files that import each other: js, none (bundlers) or ts (Node.js)",
      )
        .choices(["js", "none", "ts"])
        .default("js"),
    )
    .addOption(switchOption("output", "--check", "write nothing, and fail when the folder is not up to date"))
    .addOption(jsonOption())
    .action(async (...given: Parameters<typeof types>) => (await import("../actions/types.ts")).types(...given));
  return addExamples(
    command,
    "roundtrip types --contract ./proto --out src/gen",
    "roundtrip types --contract ./proto --out src/gen --imports ts",
    "roundtrip types --contract ./proto --out src/gen --check",
  );
}
