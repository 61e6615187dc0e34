// `roundtrip check`: what a change of the contract breaks, for each style.
import { Command } from "commander";
import { judgingStyleNames } from "@roundtrip/styles/names";
import { addExamples } from "../options/help.ts";
import {
  contractOption,
  httpRulesOption,
  jsonOption,
  listOption,
  protoPathOption,
  switchOption,
  valueOption,
} from "../options/options.ts";
import type { check } from "../actions/check.ts";

/** Makes the command. */
export function makeCommand(): Command {
  const command = new Command("check")
    .description("report for each style what a contract change breaks (default contract: the folder proto)")
    .addOption(
      valueOption(
        "subject",
        "--against <ref>",
        "earlier contract: a path, or a git revision such as main, HEAD~3 or v1.2",
      ),
    )
    .addOption(contractOption())
    .addOption(protoPathOption())
    .addOption(httpRulesOption())
    .addOption(
      listOption(
        "subject",
        "--style <names>",
        `judge only these of ${judgingStyleNames().join(", ")}, and code for generated source (default: all but code)`,
      ),
    )
    .addOption(valueOption("subject", "--allow <file>", "list of allowed changes, each with its reason"))
    .addOption(switchOption("output", "--markdown", "print Markdown, for a pull request"))
    .addOption(jsonOption())
    .action(async (...given: Parameters<typeof check>) => (await import("../actions/check.ts")).check(...given));
  return addExamples(
    command,
    "roundtrip check --against main",
    "roundtrip check --against v1.2 --contract ./proto --style rest,graphql --markdown",
    "roundtrip check --against old.binpb --contract new.binpb --allow breaks.yaml",
  );
}
