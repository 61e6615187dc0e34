#!/usr/bin/env node
// The entry: runs the program, and turns what goes wrong into one line and an exit status.
import { CommanderError } from "commander";
import { exitStatus, explain } from "./exit-status.ts";
import { handleSignals } from "./interruption.ts";
import { makeProgram } from "./program.ts";

function tell(thrown: unknown): number {
  const { status, text } = explain(thrown);
  process.stderr.write(`roundtrip: ${text}\n`);
  return status;
}

async function main(): Promise<number> {
  try {
    await (await makeProgram()).parseAsync();
    return Number(process.exitCode ?? exitStatus.done);
  } catch (thrown) {
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? exitStatus.done : exitStatus.usage;
    return tell(thrown);
  }
}

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // `| head` closes the pipe early: that is no error.
  process.exit(error.code === "EPIPE" ? exitStatus.done : tell(error));
});
process.stderr.on("error", () => undefined);
process.on("uncaughtException", (thrown) => process.exit(tell(thrown)));
handleSignals();
process.exitCode = await main();
