// Finds commands by looking into `commands/`: a new command is a new file, and nothing here changes.
import type { Command } from "commander";
import { readdirSync } from "node:fs";
import { extname, join, parse } from "node:path";

// Source runs as .ts, a published package as .js.
const extension = extname(import.meta.filename);
const folder = join(import.meta.dirname, "..", "commands");

/** What a file in `commands/` exports: a function that makes the command. It loads no more than its flags take to be read. */
export type MakeCommand = () => Command;

/** The names of all commands, in alphabetical order. */
export function commandNames(): readonly string[] {
  return readdirSync(folder)
    .filter((file) => extname(file) === extension)
    .map((file) => parse(file).name)
    .toSorted();
}

/** Makes the commands of these names, each with a file in `commands/`. */
export async function makeCommands(names: readonly string[]): Promise<readonly Command[]> {
  const modules = await Promise.all(
    names.map(
      async (name) =>
        (await import(new URL(`../commands/${name}${extension}`, import.meta.url).href)) as {
          makeCommand: MakeCommand;
        },
    ),
  );
  return modules.map(({ makeCommand }) => makeCommand());
}
