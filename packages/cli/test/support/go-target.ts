// The server in Go of examples/targets, built once and started on free ports.
import { execFile, spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { emptyFolder, until } from "./run-program.ts";

/** Its sources. */
export const goFolder = fileURLToPath(new URL("../../../../examples/targets/go", import.meta.url));

/** No network: modules are those that the machine has. No revision is written into programs: git may refuse the folder of another user. */
export const goEnvironment = { ...process.env, GOPROXY: "off", GOTOOLCHAIN: "auto", GOFLAGS: "-buildvcs=false" };

const runFile = promisify(execFile);

/** Runs go in the sources' folder. Resolves to its output; rejects if it fails. */
export async function go(...args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await runFile("go", args, { cwd: goFolder, env: goEnvironment });
  return stdout + stderr;
}

/** Resolves to the path of a new program. @param source the folder of its sources, below those of the target */
export async function builtTarget(source = "."): Promise<string> {
  const program = join(emptyFolder(), "roundtrip-target");
  await go("build", "-o", program, source);
  return program;
}

export interface GoTarget extends AsyncDisposable {
  /** By style. */
  readonly urls: Readonly<Record<string, string>>;
  /** Ends it as Ctrl-C does. Resolves to its exit status when it has ended; null if a signal ended it. */
  end(): Promise<number | null>;
}

/** Starts a command that serves in Go, and waits for its addresses. */
export async function startTarget(program: string, ...args: readonly string[]): Promise<GoTarget> {
  const child = spawn(program, args, {
    env: goEnvironment,
    stdio: ["ignore", "pipe", "pipe"],
    // The leader of a group: go run starts another process.
    detached: true,
  });
  let printed = "";
  child.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  const signal = (name: NodeJS.Signals): void => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid ?? 0), name);
  };
  const text = await until(() => {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${printed}`);
    return printed.includes("Ctrl-C") ? printed : undefined;
  });
  return {
    urls: Object.fromEntries(
      [...text.matchAll(/^(\w+) +(http:\S+)$/gm)].map(([, style = "", url = ""]) => [style, url]),
    ),
    end() {
      signal("SIGINT");
      return ended;
    },
    async [Symbol.asyncDispose]() {
      signal("SIGKILL");
      await ended;
    },
  };
}
