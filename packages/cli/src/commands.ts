// Finds commands by looking into `commands/`: a new command is a new file, and nothing here changes.
import type { Command } from "commander";
import { readdirSync } from "node:fs";
import { extname, join } from "node:path";

// Source runs as .ts, a published package as .js.
const extension = extname(import.meta.filename);
const folder = join(import.meta.dirname, "commands");

/** What a file in `commands/` exports: a function that makes the command. */
export type MakeCommand = () => Command;

/** All commands, in alphabetical order. */
export async function allCommands(): Promise<readonly Command[]> {
  const files = readdirSync(folder).filter((file) => extname(file) === extension);
  const modules = await Promise.all(
    files
      .toSorted()
      .map(
        async (file) =>
          (await import(new URL(`./commands/${file}`, import.meta.url).href)) as { makeCommand: MakeCommand },
      ),
  );
  return modules.map(({ makeCommand }) => makeCommand());
}
