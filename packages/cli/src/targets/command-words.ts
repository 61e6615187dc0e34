// Reads a command as a shell would, without a shell.
import { CliError } from "../basics/cli-error.ts";
import { parse } from "shell-quote";

const mostCommandCharacters = 10_000;

/** Splits a command into words, without a shell. Throws a usage error for shell syntax and for an empty command. @param flag the command's flag. */
export function commandWords(flag: string, command: string): readonly string[] {
  if (command.length > mostCommandCharacters) throw new CliError("usage", `${flag}: the command is too long`);
  // Keeps variables unchanged: there is no shell to expand them.
  const parsed = parse(command, (name) => `$${name}`);
  const words = parsed.map((word) => {
    if (typeof word === "string") return word;
    if ("op" in word && word.op === "glob" && "pattern" in word) return word.pattern;
    const sign = "op" in word ? word.op : "#";
    throw new CliError(
      "usage",
      `${flag} "${command}": "${sign}" is shell syntax, which is not supported here; put the command into a script`,
    );
  });
  if (words.length === 0 || words[0] === "") throw new CliError("usage", `${flag}: the command is empty`);
  return words;
}
