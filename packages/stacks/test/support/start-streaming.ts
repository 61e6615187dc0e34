// Starts processes that stream payloads, and talks to them; they end with the test.
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { StreamingAnswer, StreamingQuestion } from "./streaming-process.ts";

const file = fileURLToPath(new URL("streaming-process.ts", import.meta.url));

export interface StreamingProcess {
  /** One question at a time. */
  readonly ask: (question: StreamingQuestion) => Promise<StreamingAnswer>;
  /** Ends it at once, whatever it is doing, without a word to anybody. */
  readonly kill: () => Promise<void>;
}

/** @param onFinished of the test that starts it: Vitest's own knows only one test at a time. */
export function startStreaming(onFinished: (end: () => Promise<void>) => void = onTestFinished): StreamingProcess {
  const child = fork(file, [], { execArgv: ["--expose-gc"] });
  const exit = once(child, "exit");
  const ended = exit.then(([status]) => Promise.reject(new Error(`the process has ended (${String(status)})`)));
  ended.catch(() => undefined);
  onFinished(async () => {
    if (child.connected) child.disconnect();
    await exit;
  });
  return {
    async ask(question) {
      const answer = once(child, "message");
      child.send(question);
      return (await Promise.race([answer, ended]))[0] as StreamingAnswer;
    },
    async kill() {
      child.kill("SIGKILL");
      await exit;
    },
  };
}
