// Serves stacks as users do: `roundtrip serve` in a separate process, whose output has the addresses.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { atExit } from "../../packages/runner/src/lifetime/ends-with-us.ts";

const program = join(import.meta.dirname, "../../packages/cli/bin/roundtrip.js");

export interface ServedStacks {
  /** The address of a stack's server. Throws for a stack that is not served. */
  readonly url: (stack: string) => string;
  readonly close: () => Promise<void>;
}

/** Starts a Node.js program that prints addresses by stack in its first line and ends on SIGTERM. Rejects if it ends before that. */
export async function servedBy(script: string, ...args: readonly string[]): Promise<ServedStacks> {
  const server = spawn(process.execPath, [script, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const running = atExit(() => server.kill("SIGTERM"));
  const ended = once(server, "exit");
  const [line] = await Promise.race([
    once(createInterface(server.stdout), "line") as Promise<[string]>,
    ended.then(([code]) => Promise.reject(new Error(`${script} ended with ${code}`))),
  ]);
  const addresses = new Map(Object.entries(JSON.parse(line) as Readonly<Record<string, string>>));
  return {
    url(stack) {
      const url = addresses.get(stack);
      if (url === undefined) throw new Error(`${stack} is not served`);
      return url;
    },
    async close() {
      running[Symbol.dispose]();
      await ended;
    },
  };
}

export function servedStacks(stacks: readonly string[]): Promise<ServedStacks> {
  return servedBy(program, "serve", ...stacks, "--json");
}
