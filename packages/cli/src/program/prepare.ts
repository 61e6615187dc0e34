// What the program and each of its commands have in common: the version, the format of help, and errors of the command line.
import { type Command, Option, type CommanderError } from "commander";
import { CliError } from "../basics/cli-error.ts";
import { helpStyle } from "../options/help.ts";
import { usageText } from "./usage-text.ts";
import { readFileSync } from "node:fs";

export const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  version: string;
};

/** Converts parser errors to usage errors, except for help and version. */
function rethrow(command: Command): (error: CommanderError) => never {
  return (error) => {
    if (error.exitCode === 0 || error.code === "commander.help") throw error;
    const name = command.parent === null ? command.name() : `${command.parent.name()} ${command.name()}`;
    throw new CliError("usage", `${usageText(error)} (see ${name} --help)`, { cause: error });
  };
}

/** Formats help, and makes errors of the command line a CliError. */
export function prepare(command: Command): Command {
  return command
    .configureHelp(helpStyle)
    .configureOutput({ outputError: () => undefined })
    .addHelpOption(new Option("-h, --help", "show this help").hideHelp(command.name() !== "roundtrip"))
    .exitOverride(rethrow(command));
}
