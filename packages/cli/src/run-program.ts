// Runs the program, and turns what goes wrong into one line and an exit status.
import { CommanderError } from "commander";
import { exitStatus } from "./exit-status.ts";
import { explain } from "./explain.ts";
import { makeProgram } from "./program.ts";

function tell(thrown: unknown): number {
  const { status, text } = explain(thrown);
  process.stderr.write(`roundtrip: ${text}\n`);
  return status;
}

async function statusOf(argv: readonly string[]): Promise<number> {
  try {
    await (await makeProgram()).parseAsync(argv);
    return Number(process.exitCode ?? exitStatus.done);
  } catch (thrown) {
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? exitStatus.done : exitStatus.usage;
    return tell(thrown);
  }
}

/** Runs the program with `process.argv`, and sets the exit status of this process. */
export async function runProgram(argv: readonly string[]): Promise<void> {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // `| head` closes the pipe early: that is no error.
    process.exit(error.code === "EPIPE" ? exitStatus.done : tell(error));
  });
  process.stderr.on("error", () => undefined);
  process.on("uncaughtException", (thrown) => process.exit(tell(thrown)));
  const status = await statusOf(argv);
  process.exitCode = status;
  // Nothing that a failed command leaves open, such as a connection to a server that never answers, keeps the program.
  if (status !== exitStatus.done) process.stdout.write("", () => process.exit(status));
}
