// Runs the real program in a process of its own, as a user would.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import type { AddressInfo, Server } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../../bin/roundtrip.js", import.meta.url));

export interface Outcome {
  /** 130 and the like as a shell shows them: the signal's number above 128 when a signal ended the program. */
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Circumstances {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A shell command line in which `"$@"` stands for the program. */
  readonly shell?: string;
}

export interface Running {
  readonly pid: number;
  /** Sends a signal as a terminal does: to the program and every process of its group. */
  signal(name: NodeJS.Signals): void;
  /** What it has printed so far. */
  output(): { readonly stdout: string; readonly stderr: string };
  readonly ended: Promise<Outcome>;
}

const signalNumbers: Readonly<Record<string, number>> = { SIGINT: 2, SIGKILL: 9, SIGTERM: 15 };

/** Nothing of the machine's own settings reaches the program. It hardly warms up: no test is about the numbers that it measures. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const foreign = /^(ROUNDTRIP_|NO_COLOR$|FORCE_COLOR$|CI$|VITEST|NODE_OPTIONS$)/;
  const kept = Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
  return { ...kept, ROUNDTRIP_WARM_UP: "1ms" };
}

export function start(args: readonly string[], { cwd, env, shell }: Circumstances = {}): Running {
  const program = [process.execPath, main, ...args];
  const [command = "", ...rest] = shell === undefined ? program : ["bash", "-c", shell, "bash", ...program];
  const child = spawn(command, rest, {
    cwd: cwd ?? emptyFolder(),
    env: { ...cleanEnvironment(), ...env },
    stdio: ["ignore", "pipe", "pipe"],
    // The leader of a group, as a shell makes it.
    detached: true,
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = new Promise<Outcome>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      const status = code ?? 128 + (signalNumbers[signal ?? ""] ?? 0);
      resolve({ status, stdout, stderr });
    });
  });
  const { pid = 0 } = child;
  return { pid, signal: (name) => void process.kill(-pid, name), output: () => ({ stdout, stderr }), ended };
}

export async function run(args: readonly string[], circumstances: Circumstances = {}): Promise<Outcome> {
  return start(args, circumstances).ended;
}

export function emptyFolder(): string {
  return mkdtempSync(join(tmpdir(), "roundtrip-cli-"));
}

type Files = Readonly<Record<string, string | Uint8Array>>;

export function writeFiles(folder: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

export function folderWith(files: Files): string {
  const folder = emptyFolder();
  writeFiles(folder, files);
  return folder;
}

/** Listens on loopback. Resolves to the address. */
export async function listening(server: Server): Promise<string> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

// Somewhat less than a test may take: then the test says what it waited for. A slow machine takes its time.
const patienceMs = 55_000;

/** Waits until something is there to be had. Rejects when that is not about to happen. */
export async function until<T>(look: () => T | undefined): Promise<T> {
  const giveUpAt = Date.now() + patienceMs;
  for (;;) {
    const found = look();
    if (found !== undefined) return found;
    if (Date.now() > giveUpAt) throw new Error(`it did not come about within ${patienceMs / 1000} s`);
    // oxlint-disable-next-line no-await-in-loop
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
