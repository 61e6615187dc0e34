// `roundtrip check`: reports what a contract change breaks, for each style.
import type { Command } from "commander";
import { judgingStyleNames } from "@roundtrip/styles/names";
import { newCommand } from "../options/help.ts";
import { contractOptions, jsonOption, listOption, switchOption, valueOption } from "../options/options.ts";
import type { check } from "../actions/check.ts";

export function makeCommand(): Command {
  return newCommand("check", {
    description: "report for each style what a contract change breaks (default contract: the folder proto)",
    options: [
      valueOption(
        "subject",
        "--against <ref>",
        "earlier contract: a path, or a git revision such as main, HEAD~3 or v1.2",
      ),
      ...contractOptions(),
      listOption(
        "subject",
        "--style <names>",
        `judge only these of ${judgingStyleNames().join(", ")}, and code for generated source (default: all but code)`,
      ),
      valueOption("subject", "--allow <file>", "list of allowed changes, each with its reason"),
      switchOption("output", "--markdown", "print Markdown, for a pull request"),
      jsonOption(),
    ],
    examples: [
      "roundtrip check --against main",
      "roundtrip check --against v1.2 --contract ./proto --style rest,graphql --markdown",
      "roundtrip check --against old.binpb --contract new.binpb --allow breaks.yaml",
    ],
    run: async (...given: Parameters<typeof check>) => (await import("../actions/check.ts")).check(...given),
  });
}
