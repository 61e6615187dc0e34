// Runs a program of `processes/` in a fresh process and reads what it prints.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { atExit } from "@roundtrip/runner/lifetime";

const run = promisify(execFile);

/** What the program prints, parsed. Rejects when it fails. @param flags of Node.js. @param given what the program receives. */
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
