// A server that a command starts in a folder, and what its callers need.
import { CliError } from "../basics/cli-error.ts";
import { parse } from "shell-quote";
import { allStacks, knownStack } from "@roundtrip/stacks";
import { stackOf, type ServerAccess } from "./known-targets.ts";
import { accessIn, type TypedAccess } from "./typed-target.ts";
import type { ServerCommand } from "@roundtrip/runner";
import { programEnd } from "../basics/program-end.ts";
import { spaceFault } from "@roundtrip/runs/files";
import { markedEnvironment } from "./left-running.ts";

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

/** The value of `--serve` for the fake of the contract. A program of that name is `./fake`. */
const fake = "fake";

export function servesFake(texts: readonly string[] | undefined): boolean {
  return texts?.at(-1) === fake;
}

export interface ServeCommands {
  /** What callers of the servers need: `ca=FILE` and `token-env=VARIABLE` among the commands. */
  readonly access: TypedAccess;
  /** Throws a usage error for a stack that no command serves. */
  readonly wordsFor: (stack: string) => readonly string[];
  /** The stacks with a command of their own; undefined if one serves all. */
  readonly stacks: readonly string[] | undefined;
}

/** The texts of `--serve` that are commands. */
export function commandsIn(texts: readonly string[] = []): readonly string[] {
  return texts.filter((text) => accessIn(text) === undefined);
}

/** What the texts of `--serve` say that callers need. */
export function accessAmong(texts: readonly string[] = []): TypedAccess {
  return Object.assign({}, ...texts.map(accessIn)) as TypedAccess;
}

/** Throws a usage error for an unknown style or stack, two commands for one, and an invalid command. */
export function serveCommands(texts: readonly string[]): ServeCommands {
  const known = allStacks();
  const commands = new Map<string | undefined, readonly string[]>();
  for (const text of commandsIn(texts)) {
    const [, name, command = text] = /^([\w-]+)=(.*)$/s.exec(text) ?? [];
    if (name !== undefined) stackOf(name, known);
    if (commands.has(name)) throw new CliError("usage", `--serve: two commands for ${name ?? "all stacks"}`);
    commands.set(name, commandWords("--serve", command));
  }
  if (commands.size === 0) throw new CliError("usage", "--serve: ca and token-env go with a command");
  const names = [...commands.keys()].filter((name) => name !== undefined);
  return {
    access: accessAmong(texts),
    wordsFor(stack) {
      const words = commands.get(stack) ?? commands.get(knownStack(stack).style) ?? commands.get(undefined);
      if (words === undefined) throw new CliError("usage", `--serve has no command for ${stack}`);
      return words;
    },
    stacks: commands.has(undefined) ? undefined : names.map((name) => stackOf(name, known)),
  };
}

/** Output lines to show of a failed build. */
const shownLines = 12;

interface ServedCommand {
  /** The program and its arguments, in which `{stack}` stands for the name of the stack. */
  readonly words: readonly string[];
  readonly cwd: string;
  readonly access: ServerAccess;
}

export function served({ words, cwd, access }: ServedCommand, stack: string): ServerCommand {
  const argv = words.map((word) => word.replaceAll("{stack}", stack));
  return { kind: "command", argv, cwd, env: markedEnvironment(), ...access };
}

interface Build {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** What is built, in messages. */
  readonly label: string;
  readonly signal: AbortSignal;
}

/** Rejects with a CliError `unavailable` with the last lines of a build that fails, and on abort. */
export async function runBuild({ argv, cwd, label, signal }: Build): Promise<void> {
  const { status, how, tail } = await programEnd(argv, { cwd, signal }).catch((cause: Error) => {
    throw new CliError("unavailable", `${label} does not build: ${cause.message}`, { cause });
  });
  signal.throwIfAborted();
  if (status === 0) return;
  const lines = tail.trim().split("\n").slice(-shownLines).join("\n  ");
  const full = spaceFault(cwd, tail);
  const why = `${full === undefined ? "" : `${full}; `}${argv.join(" ")} ended with ${how}`;
  throw new CliError("unavailable", `${label} does not build: ${why}\n  ${lines}`);
}
