// `roundtrip fake` as a program that a test talks to.
import { expect } from "vitest";
import { type Outcome, type Running, start, until } from "./run-program.ts";

export interface Started extends AsyncDisposable {
  readonly program: Running;
  readonly urls: Readonly<Record<string, string>>;
}

/** Resolves when it serves. */
export async function started(args: readonly string[], cwd: string): Promise<Started> {
  const program = start(["fake", ...args], { cwd });
  let outcome: Outcome | undefined;
  void program.ended.then((ended) => (outcome = ended));
  const text = await until(() => {
    const { stdout } = outcome ?? program.output();
    return outcome !== undefined || stdout.includes("Ctrl-C ends it") ? stdout : undefined;
  });
  expect(outcome).toBeUndefined();
  const urls = Object.fromEntries([...text.matchAll(/^(\S+) +(http\S+)$/gm)].map(([, name, url]) => [name, url]));
  return {
    program,
    urls,
    async [Symbol.asyncDispose]() {
      program.signal("SIGTERM");
      await program.ended;
    },
  };
}
