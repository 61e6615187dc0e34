// Servers in a process of their own, as a user would have them running elsewhere.
import { start, until, type Running } from "./run-program.ts";

export interface Served extends AsyncDisposable {
  readonly running: Running;
  /** By stack. */
  readonly urls: Readonly<Record<string, string>>;
}

/** Serves these stacks until disposed of; flags may be among them. */
export function served(...stacks: readonly string[]): Promise<Served> {
  return servedWith({}, ...stacks);
}

/** With these variables. */
export async function servedWith(env: Readonly<Record<string, string>>, ...stacks: readonly string[]): Promise<Served> {
  const running = start(["serve", ...stacks, "--json"], { env });
  const printed = await until(() => (running.output().stdout.endsWith("\n") ? running.output().stdout : undefined));
  return {
    running,
    urls: JSON.parse(printed) as Served["urls"],
    async [Symbol.asyncDispose]() {
      try {
        running.signal("SIGKILL");
      } catch {
        // It has gone already.
      }
      await running.ended;
    },
  };
}
