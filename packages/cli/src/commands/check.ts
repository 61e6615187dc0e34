// `roundtrip check`: reports what a contract change breaks, for each style.
import type { Command } from "commander";
import { defaultStyleNames } from "@roundtrip/stacks/names";
import { judgingStyleNames } from "@roundtrip/changes/names";
import { newCommand } from "../options/help.ts";
import { contractOptions, jsonOption, listOption, switchOption, valueOption } from "../options/options.ts";
import type { check } from "../actions/check.ts";

const statusHelp = `
Exit status: 1 if something breaks that --allow does not list.`;

export function makeCommand(): Command {
  const judging = judgingStyleNames();
  const usual = defaultStyleNames().filter((style) => judging.includes(style));
  return newCommand("check", {
    description: "report for each style what a contract change breaks",
    options: [
      valueOption(
        "subject",
        "--against <ref>",
        "earlier contract: a path, or a git revision such as main or v1.2 (default: HEAD^1, the parent commit)",
      ),
      ...contractOptions("the folder proto if there is one, else Roundtrip's own contract"),
      listOption(
        "subject",
        "--style <names>",
        `judge only these of ${judging.join(", ")}, and code for generated source of what operations use (default: ${usual.join(", ")})`,
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
    sections: [statusHelp],
    run: async (...given: Parameters<typeof check>) => (await import("../actions/check.ts")).check(...given),
  });
}
