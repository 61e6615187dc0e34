// Runs command lines in one process, one after the other, as each were in a process of its own: with its directory, its environment and its
// own standard output and error.
import { enableCompileCache } from "node:module";
import { guardTerminal } from "../../src/output/terminal.ts";
import { makeProgram } from "../../src/program/program.ts";
import { statusOf } from "../../src/run-program.ts";
import type { Outcome } from "./run-program.ts";

export interface SharedQuestion {
  readonly id: number;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

export interface SharedAnswer {
  readonly id: number;
  readonly outcome: Outcome;
}

enableCompileCache();

/** Replaces a stream's `write`, and guards it as the program does. Gives what puts it back and returns what was written. */
function capture(stream: NodeJS.WriteStream): () => string {
  let written = "";
  const usual = stream.write.bind(stream);
  const write = (chunk: string | Uint8Array, ...rest: readonly unknown[]): boolean => {
    written += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
    const done = rest.at(-1);
    if (typeof done === "function") process.nextTick(done);
    return true;
  };
  stream.write = write;
  guardTerminal(stream);
  return () => {
    stream.write = usual;
    return written;
  };
}

async function answer({ args, cwd, env }: SharedQuestion): Promise<Outcome> {
  process.chdir(cwd);
  // Not another object in its place: the system's own environment is what some of Node.js reads.
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.exitCode = undefined;
  const [stdout, stderr] = [capture(process.stdout), capture(process.stderr)];
  const status = await statusOf([process.execPath, "roundtrip", ...args], makeProgram);
  return { status, stdout: stdout(), stderr: stderr() };
}

async function answerAfter(before: Promise<void>, question: SharedQuestion): Promise<void> {
  await before;
  process.send?.({ id: question.id, outcome: await answer(question) } satisfies SharedAnswer);
}

let turn = Promise.resolve();
process.on("message", (question: SharedQuestion) => {
  turn = answerAfter(turn, question);
});
