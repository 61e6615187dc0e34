// `roundtrip fake`: serves a fake of the contract over every style until Ctrl-C.
import { Argument, Command } from "commander";
import { addExamples } from "../options/help.ts";
import {
  addOptions,
  contractOption,
  httpRulesOption,
  jsonOption,
  listOf,
  protoPathOption,
  quietOption,
  seedOption,
  tlsOption,
  valueOption,
  stackHelp,
  stackOptions,
} from "../options/options.ts";
import { caOutOption, detachedOption, hostOption, portOption } from "../options/serving-options.ts";
import { caOption } from "../targets/target-options.ts";
import { targetsOf } from "../targets/typed-target.ts";
import type { fake } from "../actions/fake.ts";

/** Makes the command. */
export function makeCommand(): Command {
  const command = new Command("fake")
    .description("serve a fake of the contract over every style, with a page to watch and control it")
    .addArgument(new Argument("[stacks...]", "which stacks (default: each style's default)").default([], "all styles"))
    .addOption(contractOption())
    .addOption(protoPathOption())
    .addOption(httpRulesOption());
  addOptions(command, stackOptions());
  command
    .addOption(
      valueOption("subject", "--stubs <path>", "answers to some requests: a YAML or JSON file, or a folder of them"),
    )
    .addOption(
      valueOption(
        "subject",
        "--faults <plan>",
        "failures and delays: a YAML or JSON file, or flaky, slow, overloaded, down, hanging",
      ),
    )
    .addOption(
      valueOption(
        "subject",
        "--record <style=url>",
        "forward calls to a running server, and record its answers in --out",
      ).argParser(targetsOf),
    )
    .addOption(caOption())
    .addOption(valueOption("subject", "--replay <file>", "answer from a recording only"))
    .addOption(tlsOption())
    .addOption(caOutOption())
    .addOption(hostOption())
    .addOption(portOption("the first server; the others and the page follow"))
    .addOption(detachedOption())
    .addOption(
      valueOption(
        "subject",
        "--allow-origin <origins>",
        "origins whose pages may call: https://app.example, loopback, * or none (default: loopback)",
      ).argParser(listOf),
    )
    .addOption(seedOption("1"))
    .addOption(valueOption("output", "--out <file>", "stub file that --record writes"))
    .addOption(jsonOption())
    .addOption(quietOption())
    .action(async (...given: Parameters<typeof fake>) => {
      const { withKeptResolutions } = await import("../serving/kept-resolutions.ts");
      await withKeptResolutions("fake", async () => (await import("../actions/fake.ts")).fake(...given));
    });
  return addExamples(
    command,
    "roundtrip fake",
    "roundtrip fake --contract proto --stubs stubs.yaml --port 8080",
    "roundtrip fake --record grpc=http://127.0.0.1:50051 --out recorded.yaml",
    "roundtrip fake rest-express --faults flaky --allow-origin https://app.example",
  ).addHelpText("after", stackHelp);
}
