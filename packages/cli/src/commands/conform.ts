// `roundtrip conform`: runs the conformance cases against the stacks here, or against a server elsewhere.
import { Argument, Command } from "commander";
import { addExamples } from "../options/help.ts";
import {
  addOptions,
  contractOption,
  httpRulesOption,
  protoPathOption,
  jsonOption,
  quietOption,
  tlsOption,
  stackHelp,
  stackOptions,
} from "../options/options.ts";
import { caOption, targetOption, tokenVariableOption } from "../targets/target-options.ts";
import type { conform } from "../actions/conform.ts";

/** Makes the command. */
export function makeCommand(): Command {
  const command = new Command("conform")
    .description("run the conformance cases against stacks or a running server")
    .addArgument(new Argument("[stacks...]", "which stacks (default: each style's default)").default([], "all"))
    .addOption(contractOption())
    .addOption(protoPathOption())
    .addOption(httpRulesOption());
  addOptions(command, stackOptions());
  command
    .addOption(targetOption())
    .addOption(caOption())
    .addOption(tokenVariableOption())
    .addOption(tlsOption())
    .addOption(jsonOption())
    .addOption(quietOption())
    .action(async (...given: Parameters<typeof conform>) => (await import("../actions/conform.ts")).conform(...given));
  return addExamples(
    command,
    "roundtrip conform rest-express",
    "roundtrip conform --contract shop",
    "roundtrip conform --contract shop --target grpc=http://127.0.0.1:50051",
    "roundtrip conform --target rest=http://127.0.0.1:8080 --quiet",
  ).addHelpText("after", stackHelp);
}
