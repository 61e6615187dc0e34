// A command as somebody types it, as words: quotes hold words together, and no shell ever reads it.
import { parse } from "shell-quote";
import { CliError } from "../basics/cli-error.ts";

const mostCharacters = 10_000;

/** Throws a usage error for what only a shell could do, and for no words at all. @param flag that it was given with. */
export function commandWords(flag: string, command: string): readonly string[] {
  if (command.length > mostCharacters) throw new CliError("usage", `${flag}: the command is too long`);
  // Variables stay as they stand: there is no shell to look them up.
  const parsed = parse(command, (name) => `$${name}`);
  const words = parsed.map((word) => {
    if (typeof word === "string") return word;
    if ("op" in word && word.op === "glob" && "pattern" in word) return word.pattern;
    const sign = "op" in word ? word.op : "#";
    throw new CliError(
      "usage",
      `${flag} "${command}": "${sign}" is for a shell, and none reads this; put such a command into a script`,
    );
  });
  if (words.length === 0 || words[0] === "") throw new CliError("usage", `${flag}: the command is empty`);
  return words;
}
