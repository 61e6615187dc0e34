// The runner's end of the conversation with one of its processes.
import { spawn, type ChildProcess } from "node:child_process";
import { extname, join } from "node:path";
import { RunnerError } from "../runner-error.ts";
import type { ClientQuestion, Envelope, ServerQuestion } from "./messages.ts";

/** A fault that a process reported in answer to a question; `code` is the original error's code, if it had one. */
export class ProcessFault extends Error {
  override readonly name = "ProcessFault";
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

export interface ChildOptions {
  /** `server` or `client`: which of the process files to run. */
  readonly role: "server" | "client";
  /** What to call it in messages, for example `grpc-js server`. */
  readonly label: string;
  /** The core to run on; undefined leaves it to the kernel. */
  readonly core: number | undefined;
}

const keptErrorText = 4_000;

/** One process of a round. Its pid is known at once; it dies with the runner, whatever happens. */
export class Child {
  readonly label: string;
  readonly #process: ChildProcess;
  #errorText = "";
  #ended: RunnerError | undefined;
  #waiting: { resolve(value: never): void; reject(error: Error): void } | undefined;

  constructor({ role, label, core }: ChildOptions) {
    this.label = label;
    const file = join(import.meta.dirname, `${role}-process${extname(import.meta.filename)}`);
    const [command, args] =
      core === undefined ? [process.execPath, [file]] : ["taskset", ["-c", String(core), process.execPath, file]];
    this.#process = spawn(command, args, {
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      serialization: "advanced",
      env: { ...process.env, NODE_NO_WARNINGS: "1" },
    });
    this.#process.stderr?.on("data", (chunk: Buffer) => {
      this.#errorText = (this.#errorText + chunk.toString()).slice(-keptErrorText);
    });
    this.#process.on("message", (envelope: Envelope) => {
      const waiting = this.#waiting;
      this.#waiting = undefined;
      if (envelope.ok) waiting?.resolve(envelope.value as never);
      else waiting?.reject(new ProcessFault(envelope.message, envelope.code));
    });
    this.#process.on("error", (cause) => this.#end(`cannot be started: ${cause.message}`));
    this.#process.on("exit", (status, signal) => this.#end(`ended by itself (${signal ?? `exit status ${status}`})`));
  }

  /** The process id; undefined when it could not be started. */
  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** Asks and waits for the answer. Rejects with a ProcessFault, or with a RunnerError `process-died`. */
  ask<A>(question: ServerQuestion | ClientQuestion): Promise<A> {
    return new Promise<A>((resolve, reject) => {
      if (this.#ended !== undefined) {
        reject(this.#ended);
        return;
      }
      this.#waiting = { resolve, reject };
      this.#process.send(question, (error) => {
        if (error !== null) this.#end(`cannot be reached: ${error.message}`);
      });
    });
  }

  /** Ends the process: asked politely first, killed when it has not gone after the grace time. */
  async stop(graceMs = 2_000): Promise<void> {
    if (this.#ended !== undefined) return;
    const gone = new Promise<void>((resolve) => this.#process.once("exit", () => resolve()));
    const timer = setTimeout(() => this.#process.kill("SIGKILL"), graceMs);
    await this.ask({ ask: "stop" }).catch(() => undefined);
    if (this.#process.connected) this.#process.disconnect();
    await gone;
    clearTimeout(timer);
  }

  /** Ends the process at once. */
  kill(): void {
    this.#process.kill("SIGKILL");
  }

  #end(how: string): void {
    if (this.#ended !== undefined) return;
    // The last line that Node prints before a stack is the message; the stack itself is of no use to the reader.
    const lines = this.#errorText.split("\n").filter((line) => /^\s*\w*(Error|error)\b/.test(line));
    const why = lines.at(-1)?.trim();
    const message = `the ${this.label} process ${how}${why === undefined ? "" : `: ${why}`}`;
    this.#ended = new RunnerError("process-died", message);
    this.#waiting?.reject(this.#ended);
    this.#waiting = undefined;
  }
}
