// `roundtrip conform`: runs the conformance cases against the stacks here, or against a server elsewhere.
import { Argument, Command } from "commander";
import { addExamples } from "../help.ts";
import { contractOption, jsonOption, quietOption, stackOption, tlsOption, valueOption } from "../options.ts";
import { targetsOf } from "../target.ts";
import type { conform } from "../actions/conform.ts";

/** Makes the command. */
export function makeCommand(): Command {
  const command = new Command("conform")
    .description("check that stacks keep the contract, case by case")
    .addArgument(new Argument("[stacks...]", "which stacks (default: all)").default([], "all"))
    .addOption(contractOption())
    .addOption(stackOption())
    .addOption(
      valueOption(
        "subject",
        "--target <stack=url>",
        "a server that runs already; several with commas, or given several times",
      ).argParser(targetsOf),
    )
    .addOption(valueOption("subject", "--ca <file>", "certificate authority of the targets, in PEM"))
    .addOption(tlsOption())
    .addOption(jsonOption())
    .addOption(quietOption())
    .action(async (...given: Parameters<typeof conform>) => (await import("../actions/conform.ts")).conform(...given));
  return addExamples(
    command,
    "roundtrip conform rest-express",
    "roundtrip conform --target rest-express=http://127.0.0.1:8080 --quiet",
  );
}
