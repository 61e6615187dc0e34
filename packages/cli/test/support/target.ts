// A server of examples/targets, started by its command.
import { spawn } from "node:child_process";
import { until } from "./run-program.ts";

export interface Target extends AsyncDisposable {
  /** By style. */
  readonly urls: Readonly<Record<string, string>>;
  /** Ends it as Ctrl-C does. Resolves to its exit status when it has ended; null if a signal ended it. */
  end(): Promise<number | null>;
}

/** Starts a command that serves, and waits for its addresses. */
export async function startTarget(
  [program, ...args]: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv = process.env,
): Promise<Target> {
  const child = spawn(program, args, {
    env,
    stdio: ["ignore", "pipe", "pipe"],
    // The leader of a group: a command may start another process.
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
