// Runs the program, and turns what goes wrong into one line and an exit status.
import { CommanderError } from "commander";
import { CliError } from "./basics/cli-error.ts";
import { exitStatus, ofCliError } from "./basics/exit-status.ts";
import { makeProgram } from "./program/program.ts";

async function report(thrown: unknown): Promise<number> {
  // Loaded when something went wrong: it knows the errors of every package.
  const { explain } = await import("./basics/explain.ts");
  const { status, text } = explain(thrown);
  process.stderr.write(`roundtrip: ${text}\n`);
  return status;
}

async function reportAndExit(thrown: unknown): Promise<void> {
  try {
    process.exit(await report(thrown));
  } catch {
    // The report of errors fails itself, for example because a file is incomplete. Reporting that too might never end.
    process.stderr.write(`roundtrip: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}\n`);
    process.exit(exitStatus.ourFault);
  }
}

/** Runs a command line (`process.argv`) and gives the exit status that it asks for; what went wrong is said on standard error. */
export async function statusOf(argv: readonly string[]): Promise<number> {
  try {
    await (await makeProgram(argv.slice(2))).parseAsync(argv);
    return Number(process.exitCode ?? exitStatus.done);
  } catch (thrown) {
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? exitStatus.done : exitStatus.usage;
    if (thrown instanceof CliError) {
      process.stderr.write(`roundtrip: ${thrown.message}\n`);
      return ofCliError[thrown.code];
    }
    return report(thrown);
  }
}

/** Runs the program with `process.argv`, and sets the exit status of this process. */
export async function runProgram(argv: readonly string[]): Promise<void> {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // `| head` closes the pipe early: that is no error.
    if (error.code === "EPIPE") process.exit(exitStatus.done);
    void reportAndExit(error);
  });
  process.stderr.on("error", () => undefined);
  process.on("uncaughtException", (thrown) => void reportAndExit(thrown));
  const status = await statusOf(argv);
  process.exitCode = status;
  // Nothing that a failed command leaves open, such as a connection to a server that never answers, keeps the program.
  if (status !== exitStatus.done) process.stdout.write("", () => process.exit(status));
}
