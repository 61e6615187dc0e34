// The programs behind kernel links: their paths, their environment, and why one fails.
import { execFile } from "node:child_process";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { homeFolder, programIn } from "@roundtrip/runs/files";
import { RunnerError } from "../../basics/runner-error.ts";

const execFileAsync = promisify(execFile);
const limitMs = 10_000;

// An ordinary user's path often lacks the folders of system tools and of cargo.
function folders(): readonly string[] {
  const usual = (process.env["PATH"] ?? "").split(delimiter);
  const home = homeFolder();
  return [...usual, "/usr/sbin", "/sbin", ...(home === undefined ? [] : [join(home, ".cargo", "bin")])];
}

/** The environment of these programs, without secrets and log settings of the user. */
export function toolEnvironment(): NodeJS.ProcessEnv {
  return { PATH: folders().join(delimiter), LC_ALL: "C", RUST_LOG: "error" };
}

/** The path of a program that this user may run; undefined if it is missing. */
export function programPath(name: string): string | undefined {
  return programIn(folders(), name);
}

/** The last line of a program's output, which has the reason for a failure. */
export function lastLine(text: string): string {
  return text.trim().split("\n").at(-1)?.trim() ?? "";
}

export type CommandResult = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string };

export async function commandResult(command: readonly string[]): Promise<CommandResult> {
  const [program = "", ...args] = command;
  try {
    const { stdout } = await execFileAsync(program, args, { timeout: limitMs, env: toolEnvironment() });
    return { ok: true, text: stdout };
  } catch (thrown) {
    const { stderr = "", message } = thrown as { readonly stderr?: string; readonly message: string };
    return { ok: false, why: lastLine(stderr) || lastLine(message) };
  }
}

/** The output of a command. Rejects with a RunnerError `link-unavailable` that includes its last line. */
export async function runAt(commandPrefix: readonly string[], command: readonly string[]): Promise<string> {
  const ended = await commandResult([...commandPrefix, ...command]);
  if (ended.ok) return ended.text;
  throw new RunnerError("link-unavailable", `the link cannot be set up: ${command.join(" ")}: ${ended.why}`);
}
