// Runs the program, and converts errors to one line and an exit status.
import { type Command, CommanderError } from "commander";
import { CliError, exitStatus, ofCliError } from "./basics/cli-error.ts";

async function report(thrown: unknown): Promise<number> {
  // Loaded only on errors: it imports the errors of every package.
  const { explain } = await import("./basics/explain.ts");
  const { status, text } = explain(thrown);
  process.stderr.write(`roundtrip: ${text}\n`);
  return status;
}

async function reportAndExit(thrown: unknown): Promise<void> {
  try {
    process.exit(await report(thrown));
  } catch {
    // The error report itself failed, for example because a file is incomplete. Reporting that too might never end.
    process.stderr.write(`roundtrip: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}\n`);
    process.exit(exitStatus.ourFault);
  }
}

type MakeProgram = (args: readonly string[]) => Command | Promise<Command>;

/** Runs a command line (`process.argv`) and returns its exit status; prints errors on standard error. */
export async function statusOf(argv: readonly string[], make: MakeProgram): Promise<number> {
  try {
    await (await make(argv.slice(2))).parseAsync(argv);
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

export async function runProgram(argv: readonly string[], make: MakeProgram): Promise<void> {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // `| head` closes the pipe early, which is not an error.
    if (error.code === "EPIPE") process.exit(exitStatus.done);
    void reportAndExit(error);
  });
  process.stderr.on("error", () => undefined);
  process.on("uncaughtException", (thrown) => void reportAndExit(thrown));
  const status = await statusOf(argv, make);
  process.exitCode = status;
  // A failed command may leave handles open, such as a connection to a server that never answers.
  if (status !== exitStatus.done) process.stdout.write("", () => process.exit(status));
}
