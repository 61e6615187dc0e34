// `roundtrip serve`: the real service on every stack, until Ctrl-C.
import { Argument, Command } from "commander";
import { addExamples } from "../options/help.ts";
import {
  addOptions,
  contractOption,
  httpRulesOption,
  protoPathOption,
  jsonOption,
  switchOption,
  tlsOption,
  valueOption,
  stackHelp,
  stackOptions,
} from "../options/options.ts";
import { caOutOption, detachedOption, hostOption, portOption } from "../options/serving-options.ts";
import { setOption } from "../stack-settings/typed-settings.ts";
import type { serve } from "../actions/serve.ts";

/** Makes the command. */
export function makeCommand(): Command {
  const command = new Command("serve")
    .description("serve the real service over every stack, and print the addresses")
    .addArgument(new Argument("[stacks...]", "which stacks (default: each style's default)").default([], "all"))
    .addOption(contractOption())
    .addOption(protoPathOption())
    .addOption(httpRulesOption());
  addOptions(command, stackOptions());
  command
    .addOption(setOption("a setting of a stack's server or of a service; roundtrip describe lists them"))
    .addOption(tlsOption())
    .addOption(caOutOption())
    .addOption(hostOption())
    .addOption(portOption("the first stack; the others follow"))
    .addOption(detachedOption())
    .addOption(
      valueOption("subject", "--token-env <variable>", "answer only callers with the bearer token in this variable"),
    )
    .addOption(
      valueOption(
        "subject",
        "--token-file <file>",
        "answer only callers with one of the bearer tokens in this file, one per line",
      ),
    )
    .addOption(
      switchOption("subject", "--request-id", "send an x-request-id with each answer, the caller's or a new one"),
    )
    .addOption(jsonOption())
    .action(async (...given: Parameters<typeof serve>) => {
      const { withKeptResolutions } = await import("../serving/kept-resolutions.ts");
      await withKeptResolutions("serve", async () => (await import("../actions/serve.ts")).serve(...given));
    });
  return addExamples(
    command,
    "roundtrip serve rest-express --port 8080",
    "roundtrip serve --tls --ca-out ca.pem",
    "roundtrip serve --token-file tokens.txt --request-id",
    "roundtrip serve grpc-js --set grpc-js.maxConcurrentStreams=100 --set matrix.threads=4",
  ).addHelpText("after", stackHelp);
}
