// Runs buf to its end, which comes with the end of this program at the latest: a hostile contract may keep a compiler busy for minutes.
import { endsWithUs } from "@roundtrip/runner/lifetime";
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { CliError } from "../basics/cli-error.ts";
import { createRequire, findPackageJSON } from "node:module";
import { dirname, join } from "node:path";

/** A program, and the arguments that stand before all others. */
interface BufProgram {
  readonly file: string;
  readonly args: readonly string[];
}

/** The program for this machine, which its npm package brings, without the launcher in front of it that takes longer than buf. */
function findBuf(): BufProgram {
  const installed = findPackageJSON("@bufbuild/buf", import.meta.url) ?? "";
  try {
    // A dependency of buf's package, not of this one.
    const name = `@bufbuild/buf-${process.platform}-${process.arch}/bin/buf`;
    return { file: createRequire(installed).resolve(name), args: [] };
  } catch {
    // Where the package of this machine has another name, or is not installed, the launcher knows more.
    return { file: process.execPath, args: [join(dirname(installed), "bin", "buf")] };
  }
}

/** How to run buf. */
const bufProgram: BufProgram = findBuf();

const timeoutMs = 60_000;

/** How buf ended. */
export interface BufEnd {
  /** Null when a signal ended it. */
  readonly status: number | null;
  /** The same in words. */
  readonly how: string;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs buf in a session of its own. Rejects with a CliError `unavailable` when it cannot be started or does not end in time.
 *
 * @param subject what it works on, as the user names it.
 */
export async function runBuf(args: readonly string[], subject: string): Promise<BufEnd> {
  const child = spawn(bufProgram.file, [...bufProgram.args, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const kill = endsWithUs(child);
  let isLate = false;
  const limit = setTimeout(() => {
    isLate = true;
    kill();
  }, timeoutMs);
  const ended = new Promise<readonly [number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.once("error", reject).once("close", (status, signal) => resolve([status, signal]));
  });
  try {
    const [stdout, stderr, [status, signal]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    if (isLate)
      throw new Error(
        `not done after ${timeoutMs / 1_000} s; give fewer files, and break lines of thousands of declarations`,
      );
    return { status, how: `it ended with ${signal ?? `status ${status}`}`, stdout, stderr };
  } catch (cause) {
    throw new CliError("unavailable", `buf ${args[0]} of ${subject}: ${(cause as Error).message}`, { cause });
  } finally {
    clearTimeout(limit);
  }
}
