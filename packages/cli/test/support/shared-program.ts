// Runs the real program where nothing about its process is tested: all command lines share one, which starts once.
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { cleanEnvironment, emptyFolder, type Circumstances, type Outcome } from "./run-program.ts";
import type { SharedAnswer, SharedQuestion } from "./shared-program-process.ts";

const processFile = fileURLToPath(new URL("shared-program-process.ts", import.meta.url));

interface Waiting {
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: Error) => void;
}

const waiting = new Map<number, Waiting>();
let asked = 0;
let shared: ChildProcess | undefined;

function open(): ChildProcess {
  const child = fork(processFile, { stdio: ["ignore", "pipe", "pipe", "ipc"], env: cleanEnvironment() });
  let said = "";
  child.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString()));
  child.on("message", ({ id, outcome }: SharedAnswer) => {
    waiting.get(id)?.resolve(outcome);
    waiting.delete(id);
  });
  child.on("exit", (status) => {
    shared = undefined;
    for (const { reject } of waiting.values()) reject(new Error(`the shared program ended with ${status}: ${said}`));
    waiting.clear();
  });
  // It ends with the channel, so with whoever runs the tests.
  child.unref();
  return child;
}

/** As `run` in run-program.ts, in a process that other command lines have run in before: one at a time. */
export function run(args: readonly string[], { cwd, env }: Omit<Circumstances, "shell"> = {}): Promise<Outcome> {
  shared ??= open();
  asked += 1;
  const question: SharedQuestion = {
    id: asked,
    args,
    cwd: cwd ?? emptyFolder(),
    env: { ...cleanEnvironment(), ...env },
  };
  return new Promise((resolve, reject) => {
    waiting.set(question.id, { resolve, reject });
    shared?.send(question);
  });
}

/** Ends the process. The next command line starts another. */
export async function endProgram(): Promise<void> {
  if (shared === undefined) return;
  const ended = once(shared, "exit");
  shared.ref();
  shared.disconnect();
  await ended;
}
