#!/usr/bin/env node
// The `roundtrip` program: finds its commands, runs one, and turns what goes wrong into one line and an exit status.
import tab from "@bomb.sh/tab/commander";
import { Command, CommanderError, type Option } from "commander";
import { readFileSync } from "node:fs";
import { allCommands } from "./commands.ts";
import { applyConfigFile } from "./config-file.ts";
import { exitStatus, explain } from "./exit-status.ts";

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  version: string;
};

function environmentName(option: Option): string {
  return `ROUNDTRIP_${option.name().replaceAll("-", "_").toUpperCase()}`;
}

async function program(): Promise<Command> {
  const root = new Command("roundtrip")
    .description("What does my contract cost over gRPC, REST and GraphQL, on my network, and how should I call it?")
    .version(version)
    .showHelpAfterError("(see --help)")
    .addHelpText(
      "after",
      "\nStart with:\n  $ roundtrip bench\n\nEvery flag can be set in the environment (ROUNDTRIP_ROUNDS=3) or in roundtrip.config.ts.",
    );
  const commands = await allCommands();
  const optionNames = commands.flatMap((command) => command.options.map((option) => option.attributeName()));
  for (const command of commands) {
    for (const option of command.options) option.env(environmentName(option));
    command.hook("preAction", (_root, action) => applyConfigFile(action, optionNames));
    command.showHelpAfterError("(see --help)");
    root.addCommand(command);
  }
  for (const command of [root, ...commands]) command.exitOverride();
  tab(root);
  return root;
}

async function main(): Promise<number> {
  try {
    await (await program()).parseAsync();
    return Number(process.exitCode ?? exitStatus.done);
  } catch (thrown) {
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? exitStatus.done : exitStatus.usage;
    const { status, text } = explain(thrown);
    process.stderr.write(`roundtrip: ${text}\n`);
    return status;
  }
}

// `| head` closes the pipe early: that is no error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(exitStatus.done);
});
process.exitCode = await main();
