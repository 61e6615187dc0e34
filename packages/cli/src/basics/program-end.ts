// Runs other programs until they end. They never outlive this program.
import { endsWithUs, whyNotStarted } from "@roundtrip/runner/lifetime";
import { spawn } from "node:child_process";
import { buffer, text } from "node:stream/consumers";
import { CliError } from "./cli-error.ts";

export interface ProgramOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string | Uint8Array;
  /** Kills the program and its child processes. */
  readonly signal: AbortSignal;
}

export interface ProgramEnd {
  /** Null if a signal ended it. */
  readonly status: number | null;
  /** As text: `exit status 1`, or the signal. */
  readonly how: string;
  readonly stdout: Buffer;
  readonly stderr: string;
  /** The last line of standard error, or else {@link how}. */
  readonly why: string;
  /** The end of both outputs, interleaved as received. */
  readonly tail: string;
}

const tailCharacters = 8_000;
/** A program that prints without end is killed. */
const mostOutputMiB = 512;

/** Runs a program in its own session. Rejects with a CliError `unavailable` if it cannot start. */
export async function programEnd(
  [program = "", ...args]: readonly string[],
  { cwd, env, input = "", signal }: ProgramOptions,
): Promise<ProgramEnd> {
  const child = spawn(program, args, { cwd, env, detached: true });
  const kill = endsWithUs(child);
  signal.addEventListener("abort", kill, { once: true });
  if (signal.aborted) kill();
  // A program that ends before reading all its input reports why on standard error.
  child.stdin.on("error", () => undefined).end(input);
  let tail = "";
  let bytes = 0;
  const keep = (chunk: Buffer): void => {
    tail = (tail + chunk.toString()).slice(-tailCharacters);
    bytes += chunk.length;
    if (bytes > mostOutputMiB * 2 ** 20) kill();
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const ended = new Promise<Pick<ProgramEnd, "status" | "how">>((resolve, reject) => {
    child.once("error", (cause) => reject(new CliError("unavailable", whyNotStarted(program, cause), { cause })));
    child.once("close", (status, name) => resolve({ status, how: name ?? `exit status ${status}` }));
  });
  try {
    const [end, stdout, stderr] = await Promise.all([ended, buffer(child.stdout), text(child.stderr)]);
    if (bytes > mostOutputMiB * 2 ** 20) {
      throw new CliError("unavailable", `${program} printed more than ${mostOutputMiB} MiB`);
    }
    const why = stderr.trim().split("\n").at(-1) || end.how;
    return { ...end, stdout, stderr, why, tail };
  } finally {
    signal.removeEventListener("abort", kill);
  }
}
