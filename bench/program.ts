// Common parts of the development programs (`pnpm fuzz` and the like): parsing a command line, reporting errors, handling interrupts.
import { onStarterGone } from "@roundtrip/runner/starter";
import { Argument, Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { randomInt } from "node:crypto";

/** Exit statuses: found what it looks for (a difference, a missed target), wrong usage, Ctrl-C. */
export const exitStatus = { found: 1, usage: 2, interrupted: 130 } as const;

interface NumberRange {
  readonly least: number;
  readonly most: number;
}

function wholeNumber({ least, most }: NumberRange): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It has to be a whole number from ${least} to ${most}.`);
  };
}

export const count = wholeNumber({ least: 1, most: 1_000_000_000 });

/** `--seed`: determines all random choices. @param otherwise the default, in words. */
export function seedOption(otherwise = "a new one each time"): Option {
  const about = `what is drawn follows from it (unless given: ${otherwise})`;
  return new Option("--seed <n>", about).argParser(wholeNumber({ least: 0, most: 2 ** 31 - 1 }));
}

export function seedFrom(given: number | undefined): number {
  return given ?? randomInt(2 ** 31);
}

export function namesArgument(name: string, about: string, known: readonly string[]): Argument {
  return new Argument(name, about).choices(known);
}

/** `--stack NAME…`: serves or calls this stack instead of the default stack of its style. */
export function stackOption(known: readonly string[]): Option {
  return new Option("--stack <name...>", "in place of the default stack of its style").choices(known);
}

/** `--json`: prints the figures as JSON, and nothing else on standard output. */
export function jsonOption(): Option {
  return new Option("--json", "print the figures as JSON, and nothing else");
}

/** A program called as `pnpm NAME`, without its options and action. */
export function programNamed(name: string, about: string): Command {
  return new Command(`pnpm ${name}`)
    .description(about)
    .helpOption("-h, --help", "print this, and do nothing else")
    .exitOverride()
    .allowExcessArguments(false)
    .configureOutput({
      // Prints a single line, whatever the library adds.
      outputError: (text, write) => write(`${text.trim().replaceAll(/\s*\n\s*/g, " ")}\n`),
    });
}

function onSignal(): void {
  // Ends a line of progress.
  process.stderr.write(process.stderr.isTTY ? "\r\u001B[Kinterrupted\n" : "interrupted\n");
  // Exit handlers clean up; processes with a channel to this one end with it.
  process.exit(exitStatus.interrupted);
}

/** Parses the command line and runs the program. Wrong usage prints one line and exits with status 2; Ctrl-C exits with 130. */
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

export function printJson(figures: unknown): void {
  process.stdout.write(`${JSON.stringify(figures, null, 1)}\n`);
}
