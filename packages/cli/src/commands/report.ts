// `roundtrip report`: renders a run directory, or a CSV of external samples, in any format.
import { formatNames } from "@roundtrip/report/registry";
import { Argument, type Command } from "commander";
import { newCommand } from "../options/help.ts";
import { jsonOption, valueOption } from "../options/options.ts";
import type { report } from "../actions/report.ts";

const notes: Readonly<Record<string, string>> = { summary: " (one screen)", terminal: " (all)" };

function formatList(): string {
  return formatNames()
    .map((name) => `${name}${notes[name] ?? ""}`)
    .join(", ");
}

export function makeCommand(): Command {
  return newCommand("report", {
    description: "render a run directory, or a CSV of samples from elsewhere",
    arguments: [new Argument("<run>", "run directory, or CSV: arm,round,latencyMs; or name, then nanoseconds")],
    options: [
      valueOption("output", "--format <name>", `${formatList()} (default: by the name of --out, else summary)`),
      valueOption("output", "--out <path>", "file; without extension a directory of HTML, Markdown and plots"),
      jsonOption().conflicts("format"),
    ],
    examples: [
      "roundtrip report runs/2026-01-31T12-00-00 --out report.html",
      "roundtrip report samples.csv --format markdown",
    ],
    topics: ["config"],
    run: async (...args: Parameters<typeof report>) => (await import("../actions/report.ts")).report(...args),
  });
}
