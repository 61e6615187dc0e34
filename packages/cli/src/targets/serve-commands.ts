// `--serve COMMAND` starts the servers of all stacks, `--serve STYLE=COMMAND` those of a style or stack.
import { allStacks, knownStack } from "@roundtrip/stacks";
import { CliError } from "../basics/cli-error.ts";
import { stackOf } from "./known-targets.ts";
import { commandWords } from "./command-words.ts";

export interface ServeCommands {
  /** Throws a usage error for a stack that no command serves. */
  readonly wordsFor: (stack: string) => readonly string[];
  /** The stacks with a command of their own; undefined if one serves all. */
  readonly stacks: readonly string[] | undefined;
}

/** Throws a usage error for an unknown style or stack, two commands for one, and an invalid command. */
export function serveCommands(texts: readonly string[]): ServeCommands {
  const known = allStacks();
  const commands = new Map<string | undefined, readonly string[]>();
  for (const text of texts) {
    const [, name, command = text] = /^([\w-]+)=(.*)$/s.exec(text) ?? [];
    if (name !== undefined) stackOf(name, known);
    if (commands.has(name)) throw new CliError("usage", `--serve: two commands for ${name ?? "all stacks"}`);
    commands.set(name, commandWords("--serve", command));
  }
  const names = [...commands.keys()].filter((name) => name !== undefined);
  return {
    wordsFor(stack) {
      const words = commands.get(stack) ?? commands.get(knownStack(stack).style) ?? commands.get(undefined);
      if (words === undefined) throw new CliError("usage", `--serve has no command for ${stack}`);
      return words;
    },
    stacks: commands.has(undefined) ? undefined : names.map((name) => stackOf(name, known)),
  };
}
