// `roundtrip describe`: what the contract becomes in each style, operation by operation, and what a style cannot carry.
import { Argument, Command } from "commander";
import { addExamples } from "../options/help.ts";
import {
  addOptions,
  contractOption,
  httpRulesOption,
  protoPathOption,
  jsonOption,
  valueOption,
  stackHelp,
  stackOptions,
} from "../options/options.ts";
import type { describe } from "../actions/describe.ts";

/** Makes the command. */
export function makeCommand(): Command {
  const command = new Command("describe")
    .description("show what the contract becomes in each style, and what a style cannot carry")
    .addArgument(
      new Argument("[operations...]", "which operations, by name or full id (default: all)").default([], "all"),
    )
    .addOption(contractOption())
    .addOption(protoPathOption())
    .addOption(httpRulesOption());
  addOptions(command, stackOptions());
  command
    .addOption(
      valueOption("output", "--out <directory>", "write the styles' documents (OpenAPI, GraphQL schema) there instead"),
    )
    .addOption(jsonOption())
    .action(async (...given: Parameters<typeof describe>) =>
      (await import("../actions/describe.ts")).describe(...given),
    );
  return addExamples(
    command,
    "roundtrip describe GetCustomer",
    "roundtrip describe --contract ./proto --out ./schema",
  ).addHelpText("after", stackHelp);
}
