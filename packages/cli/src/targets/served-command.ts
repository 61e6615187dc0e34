// A server that a command starts in a folder, and what its callers need.
import type { ServerCommand } from "@roundtrip/runner";
import { CliError } from "../basics/cli-error.ts";
import { programEnd } from "../basics/program-end.ts";
import { certificateAuthority } from "./known-targets.ts";

/** Output lines to show of a failed build. */
const shownLines = 12;

export interface ServerAccess {
  readonly tokenVariable?: string;
  /** Certificate authority in PEM. */
  readonly ca?: string;
}

interface AccessFlags {
  readonly tokenEnv?: string;
  readonly ca?: string;
}

/** Rejects with a usage error for a file without a certificate. */
export async function accessOf({ tokenEnv, ca: path }: AccessFlags): Promise<ServerAccess> {
  const ca = await certificateAuthority(path);
  return { ...(tokenEnv === undefined ? {} : { tokenVariable: tokenEnv }), ...(ca === undefined ? {} : { ca }) };
}

interface ServedCommand {
  /** The program and its arguments, in which `{stack}` stands for the name of the stack. */
  readonly words: readonly string[];
  readonly cwd: string;
  readonly access: ServerAccess;
}

export function served({ words, cwd, access }: ServedCommand, stack: string): ServerCommand {
  const argv = words.map((word) => word.replaceAll("{stack}", stack));
  return { kind: "command", argv, cwd, env: {}, ...access };
}

interface Build {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** What is built, in messages. */
  readonly label: string;
  readonly signal: AbortSignal;
}

/** Rejects with a CliError `unavailable` with the last lines of a build that fails, and on abort. */
export async function runBuild({ argv, cwd, label, signal }: Build): Promise<void> {
  const { status, how, tail } = await programEnd(argv, { cwd, signal }).catch((cause: Error) => {
    throw new CliError("unavailable", `${label} does not build: ${cause.message}`, { cause });
  });
  signal.throwIfAborted();
  if (status === 0) return;
  const lines = tail.trim().split("\n").slice(-shownLines).join("\n  ");
  throw new CliError("unavailable", `${label} does not build: ${argv.join(" ")} ended with ${how}\n  ${lines}`);
}
