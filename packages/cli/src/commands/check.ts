// `roundtrip check`: reports what a contract change breaks, for each style.
import type { Command } from "commander";
import { newCommand } from "../options/help.ts";
import { contractOptions, jsonOption, stackOption, switchOption, valueOption } from "../options/options.ts";
import type { check } from "../actions/check.ts";

const statusHelp = `
Of a stack, its style is judged. --stack code judges generated source of what operations use.
Exit status: 1 if something breaks that --allow does not list.`;

export function makeCommand(): Command {
  return newCommand("check", {
    description: "report for each style what a contract change breaks",
    options: [
      valueOption(
        "subject",
        "--against <ref>",
        "earlier contract: a path, or a git revision such as main or v1.2 (default: HEAD^1, the parent commit)",
      ),
      ...contractOptions("the folder proto if there is one, else Roundtrip's own contract"),
      stackOption(),
      valueOption("subject", "--allow <file>", "list of allowed changes, each with its reason"),
      switchOption("output", "--markdown", "print Markdown, for a pull request"),
      jsonOption(),
    ],
    examples: [
      "roundtrip check --against main",
      "roundtrip check --against v1.2 --contract ./proto --stack rest,graphql --markdown",
      "roundtrip check --against old.binpb --contract new.binpb --allow breaks.yaml",
    ],
    sections: [statusHelp],
    run: async (...given: Parameters<typeof check>) => (await import("../actions/check.ts")).check(...given),
  });
}
