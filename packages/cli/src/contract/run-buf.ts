// Runs buf with a time limit: a hostile contract may keep a compiler busy for minutes.
import { CliError } from "../basics/cli-error.ts";
import { programEnd, type ProgramEnd } from "../basics/program-end.ts";
import { findBuf } from "./find-buf.ts";

const timeoutMs = 60_000;

/** Runs buf. Rejects with a CliError `unavailable` if it cannot start or does not end in time. @param subject the user's name for its input. */
export async function runBuf(args: readonly string[], subject: string): Promise<ProgramEnd> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const end = await programEnd([...findBuf(), ...args], { signal });
    if (!signal.aborted) return end;
    const limit = `not done after ${timeoutMs / 1_000} s`;
    throw new Error(`${limit}; give fewer files, and break lines of thousands of declarations`);
  } catch (cause) {
    throw new CliError("unavailable", `buf ${args[0]} of ${subject}: ${(cause as Error).message}`, { cause });
  }
}
