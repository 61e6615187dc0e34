// Builds one version, with the command that somebody named: what it prints is shown when it fails.
import { endsWithUs } from "@roundtrip/runner/lifetime";
import { spawn } from "node:child_process";
import { CliError } from "../basics/cli-error.ts";

const keptText = 8_000;
const shownLines = 12;

/**
 * Runs a command in a folder, in a session of its own, so that all of it ends when the signal says so. Rejects with a CliError `unavailable` that has its
 * last words, and with the signal's reason.
 */
export async function build(
  argv: readonly string[],
  folder: string,
  label: string,
  signal: AbortSignal,
): Promise<void> {
  const [program = "", ...args] = argv;
  const child = spawn(program, args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"], detached: true });
  let said = "";
  const keep = (chunk: Buffer): void => void (said = (said + chunk.toString()).slice(-keptText));
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const kill = endsWithUs(child);
  signal.addEventListener("abort", kill, { once: true });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  child.on("error", reject);
  child.on("close", (status, name) => resolve(status === 0 ? "" : (name ?? `exit status ${status}`)));
  try {
    const failed = await promise.catch((cause: unknown) => (cause as Error).message);
    signal.throwIfAborted();
    if (failed === "") return;
    const lines = said.trim().split("\n").slice(-shownLines).join("\n  ");
    throw new CliError("unavailable", `${label} does not build: ${argv.join(" ")} ended with ${failed}\n  ${lines}`);
  } finally {
    signal.removeEventListener("abort", kill);
  }
}
