// The programs for who works on this project (`pnpm fuzz` and its like): one way to read a command line, to report what is wrong with
// it, and to be interrupted.
import { onStarterGone } from "@roundtrip/runner/starter";
import { Argument, Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { randomInt } from "node:crypto";

/** Exit statuses: what was looked for was found (a difference, a missed target), wrong usage, Ctrl-C. */
export const exitStatus = { found: 1, usage: 2, interrupted: 130 } as const;

/** What a number on the command line may be. */
interface NumberRange {
  readonly least: number;
  readonly most: number;
}

/** Reads a whole number within a range. */
function wholeNumber({ least, most }: NumberRange): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It has to be a whole number from ${least} to ${most}.`);
  };
}

/** A count of things to do, at least one. */
export const count = wholeNumber({ least: 1, most: 1_000_000_000 });

/** `--seed`: all that is drawn follows from it. @param otherwise what it is unless given, in words. */
export function seedOption(otherwise = "a new one each time"): Option {
  const about = `what is drawn follows from it (unless given: ${otherwise})`;
  return new Option("--seed <n>", about).argParser(wholeNumber({ least: 0, most: 2 ** 31 - 1 }));
}

/** The seed that was given, or a new one. */
export function seedFrom(given: number | undefined): number {
  return given ?? randomInt(2 ** 31);
}

/** Any number of names out of those that there are. */
export function namesArgument(name: string, about: string, known: readonly string[]): Argument {
  return new Argument(name, about).choices(known);
}

/** `--stack NAME…`: served or called in place of the default stack of its style. */
export function stackOption(known: readonly string[]): Option {
  return new Option("--stack <name...>", "in place of the default stack of its style").choices(known);
}

/** `--json`: the figures for programs, and nothing else on standard output. */
export function jsonOption(): Option {
  return new Option("--json", "print the figures as JSON, and nothing else");
}

/** A program called as `pnpm NAME`, without its options and its work. */
export function programNamed(name: string, about: string): Command {
  return new Command(`pnpm ${name}`)
    .description(about)
    .helpOption("-h, --help", "print this, and do nothing else")
    .exitOverride()
    .allowExcessArguments(false)
    .configureOutput({
      // One line, whatever the library adds to it.
      outputError: (text, write) => write(`${text.trim().replaceAll(/\s*\n\s*/g, " ")}\n`),
    });
}

function onSignal(): void {
  // A line of progress may stand there.
  process.stderr.write(process.stderr.isTTY ? "\r\u001B[Kinterrupted\n" : "interrupted\n");
  // What has to be undone is undone on the way out; processes that hang on a channel to this one end with it.
  process.exit(exitStatus.interrupted);
}

/** Reads this process' command line and does the work. Wrong usage is one line and the status 2; Ctrl-C ends it with 130. */
export async function run(program: Command): Promise<void> {
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal).on("SIGHUP", onSignal);
  onStarterGone(onSignal);
  try {
    await program.parseAsync();
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
    process.exitCode = thrown.exitCode === 0 ? 0 : exitStatus.usage;
  }
}

/** Prints the figures of a program as JSON. */
export function printJson(figures: unknown): void {
  process.stdout.write(`${JSON.stringify(figures, null, 1)}\n`);
}
