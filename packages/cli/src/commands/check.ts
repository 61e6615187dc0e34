// `roundtrip check`: reports what a contract change breaks, for each style.
import type { Command } from "commander";
import { newCommand } from "../options/help.ts";
import { contractOption, jsonOption, stackOption, valueOption } from "../options/options.ts";
import type { check } from "../actions/check.ts";

export function makeCommand(): Command {
  return newCommand("check", {
    description: "report what a contract change breaks in each style",
    options: [
      valueOption(
        "subject",
        "--against <ref>",
        "earlier contract: path or revision (default: HEAD^1, the parent commit)",
      ),
      contractOption("proto, else Roundtrip's own"),
      stackOption(),
      valueOption("subject", "--allow <file>", "list of allowed changes, with reasons"),
      valueOption("output", "--format <name>", "text, markdown or json")
        .choices(["text", "markdown", "json"])
        .default("text"),
      jsonOption().conflicts("format"),
    ],
    examples: [
      "roundtrip check --against main",
      "roundtrip check --against old.binpb --contract new.binpb --allow breaks.yaml",
    ],
    topics: ["contract", "stacks", "config"],
    run: async (...args: Parameters<typeof check>) => (await import("../actions/check.ts")).check(...args),
  });
}
