// Runs small commands at an end of a link while it is set up.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { RunnerError } from "../../runner-error.ts";

const execFileAsync = promisify(execFile);
const limitMs = 10_000;

/** What the command prints. Rejects with a RunnerError `link-unavailable` that has its own words. */
export async function runAt(enter: readonly string[], command: readonly string[]): Promise<string> {
  const [program = "", ...args] = [...enter, ...command];
  try {
    const { stdout } = await execFileAsync(program, args, { timeout: limitMs });
    return stdout;
  } catch (cause) {
    const { stderr, message } = cause as { readonly stderr?: string; readonly message: string };
    const why = stderr?.trim().split("\n").at(-1) ?? message;
    throw new RunnerError("link-unavailable", `the link cannot be set up: ${command.join(" ")}: ${why}`, { cause });
  }
}
