// Runs a program of `processes/` in a fresh process and reads its output.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { atExit } from "@roundtrip/runner/lifetime";

const run = promisify(execFile);

/** The output of the program, parsed as JSON. Rejects if it fails. @param flags of Node.js. @param given arguments of the program. */
export async function runProbe<T>(
  name: string,
  flags: readonly string[] = [],
  given: readonly string[] = [],
): Promise<T> {
  const file = join(import.meta.dirname, "processes", `${name}.ts`);
  const running = run(process.execPath, [...flags, file, ...given]);
  using _ = atExit(() => running.child.kill());
  const { stdout } = await running;
  return JSON.parse(stdout) as T;
}
