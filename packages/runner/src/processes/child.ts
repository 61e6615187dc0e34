// The runner's side of the conversation with one of its processes.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { extname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { cpuMsOf } from "../evidence/process-cpu.ts";
import { guard } from "../lifetime/ends-with-us.ts";
import { StackError } from "@roundtrip/stacks/error";
import { ProcessLoss, RunnerError } from "../basics/runner-error.ts";
import type { ProcessEnd } from "@roundtrip/runs";
import type { ClientRequest, CpuAnswer, Envelope, RelayRequest, ServerRequest } from "./messages.ts";
import { cacheFolder } from "@roundtrip/runs/files";
import type { ModuleResolutions } from "./module-resolutions.ts";
import { isCanonicalCode } from "@roundtrip/contract";

/** How a process ended, by its exit status or the signal that killed it. */
export function exitOf(status: number | null, signal: string | null): Pick<ProcessEnd, "how" | "status" | "signal"> {
  return signal === null ? { how: "exited", status } : { how: "killed", signal };
}

export abstract class MeasuredProcess {
  /** Resolves when the process has ended, for any reason. */
  readonly gone: Promise<ProcessLoss>;
  readonly #resolveEnd: (how: ProcessLoss) => void;
  #end: ProcessLoss | undefined;

  constructor() {
    const { promise, resolve } = Promise.withResolvers<ProcessLoss>();
    this.gone = promise;
    this.#resolveEnd = resolve;
  }

  /** How the process ended; undefined until that is known. */
  get end(): ProcessLoss | undefined {
    return this.#end;
  }

  /** How the process ended, if it does so within this time. */
  async ended(withinMs: number): Promise<ProcessLoss | undefined> {
    if (this.#end === undefined) await Promise.race([this.gone, sleep(withinMs, undefined, { ref: false })]);
    return this.#end;
  }

  /** Keeps how the process ended, the first time. */
  protected noteEnd(how: ProcessLoss): void {
    if (this.#end !== undefined) return;
    this.#end = how;
    this.#resolveEnd(how);
  }

  /** Whether it ended by a signal that the runner did not send, such as the kernel's when memory runs out. */
  abstract get wasKilled(): boolean;
  /** Asks it to end, if it answers requests, and kills it after the grace time. A grace time of 0 kills it at once. */
  abstract stop(graceMs?: number): Promise<void>;
  abstract kill(): void;
}

type Fault = Extract<Envelope, { readonly ok: false }>;

/**
 * `bad-plan` for a study or contract that cannot be served; `no-answer` for a server that does not answer at all; `answers-differ` for another failed
 * call before anything was timed. Anything else is a bug in this project: an Error without a code.
 */
function processFault(label: string, { message, code }: Fault): Error {
  const words = `${label}: ${message}`;
  if (code === "bad-plan" || code === "unusable-contract") return new RunnerError("bad-plan", words);
  if (code === "no-answer" || code === "UNAVAILABLE") {
    return new ProcessLoss({ name: label, how: "silent", text: message }, words);
  }
  if (code === "missing-library") return new StackError("missing-library", words);
  if (code === "answers-differ") return new RunnerError("answers-differ", words);
  if (isCanonicalCode(code)) {
    return new RunnerError("answers-differ", `${label}: ${code}: ${message}; no number is given`);
  }
  return new Error(words);
}

/**
 * The environment that makes a process cache compiled code, because a round starts eight processes anew, which spend most of their start on compiling
 * the same modules: in a folder that only this user can write, because the cache is executable. Node.js
 * separates its versions in it. Empty for a user without a cache folder: then everything is compiled each time.
 */
export function codeCacheEnvironment(): NodeJS.ProcessEnv {
  const folder = cacheFolder();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: join(folder, "roundtrip", "code") };
}

export interface ChildOptions {
  readonly file: string;
  /** The command to start it with, such as one that enters a network namespace; empty starts it directly. See {@link LinkEnd}. */
  readonly commandPrefix: readonly string[];
  /** Its name in messages, for example `grpc-js server`. */
  readonly label: string;
  /** A key for the modules that the process loads. Later processes with the same key get their resolved paths. */
  readonly loads?: string;
  /** Default: the current directory. */
  readonly cwd?: string;
  /** The module that is loaded before all others if `loads` is set. Default: that of this runner. */
  readonly preload?: string;
}

/** Resolved paths of modules by {@link ChildOptions.loads}, for the life of the runner. */
const resolutions = new Map<string, ModuleResolutions>();

const ownPreload = import.meta.resolve(`./preload${extname(import.meta.filename)}`);

const keptErrorText = 4_000;
// How long to wait for the error output of a process that cannot be reached.
const outputGraceMs = 1_000;

export function processFile(role: "server" | "client"): string {
  return join(import.meta.dirname, `${role}-process${extname(import.meta.filename)}`);
}

/** One process of a round. Its pid is known at once; it ends with the runner, whatever happens. */
export class Child extends MeasuredProcess {
  readonly label: string;
  readonly #process: ChildProcess;
  #errorText = "";
  #stopping: Promise<void> | undefined;
  readonly #waiting = new Map<number, { resolve(value: never): void; reject(error: Error): void }>();
  #asked = 0;

  constructor({ file, commandPrefix, label, loads, cwd, preload = ownPreload }: ChildOptions) {
    super();
    this.label = label;
    const preloaded = loads === undefined ? [] : ["--import", preload];
    const [program, ...args] = [...commandPrefix, process.execPath, ...preloaded, file];
    this.#process = spawn(program, args, {
      stdio: [loads === undefined ? "ignore" : "pipe", "ignore", "pipe", "ipc"],
      serialization: "advanced",
      ...(cwd === undefined ? {} : { cwd }),
      // Libraries are slower in development mode.
      env: { ...codeCacheEnvironment(), ...process.env, NODE_ENV: "production", NODE_NO_WARNINGS: "1" },
    });
    if (this.#process.pid !== undefined) {
      // It ends with the channel to this process, unless it is suspended.
      this.#process.once("exit", guard("process", this.#process.pid));
    }
    if (loads !== undefined) {
      // If the process ends before it has read, its end is reported.
      this.#process.stdin?.on("error", () => undefined).end(JSON.stringify(resolutions.get(loads) ?? {}));
    }
    this.#process.stderr?.on("data", (chunk: Buffer) => {
      this.#errorText = (this.#errorText + chunk.toString()).slice(-keptErrorText);
    });
    this.#process.on("message", (envelope: Envelope) => {
      const waiting = this.#waiting.get(envelope.number);
      this.#waiting.delete(envelope.number);
      if (envelope.ok) {
        if (loads !== undefined && envelope.resolutions !== undefined) resolutions.set(loads, envelope.resolutions);
        waiting?.resolve(envelope.value as never);
      } else waiting?.reject(processFault(this.label, envelope));
    });
    this.#process.on("error", ({ message }) => this.#end({ how: "not-started" }, message));
    // Not "exit": the error output may not have been read by then.
    this.#process.on("close", (status, signal) => this.#end(exitOf(status, signal)));
  }

  /** The process id; undefined if it failed to start. */
  get pid(): number | undefined {
    return this.#process.pid;
  }

  get wasKilled(): boolean {
    return this.#process.signalCode !== null;
  }

  /** Asks and waits for the answer; requests may overlap. Rejects with the error of {@link processFault}, or with a RunnerError `process-died`. */
  ask<A>(request: ServerRequest | ClientRequest | RelayRequest): Promise<A> {
    return new Promise<A>((resolve, reject) => {
      if (this.end !== undefined) {
        reject(this.end);
        return;
      }
      this.#asked += 1;
      this.#waiting.set(this.#asked, { resolve, reject });
      this.#process.send({ ...request, number: this.#asked }, (error) => {
        if (error !== null) setTimeout(() => this.#end({ how: "unreachable" }, error.message), outputGraceMs).unref();
      });
    });
  }

  /** Asks the process to end, and kills it after the grace time. A grace time of 0 kills it at once. Two servers may share a client that both stop. */
  async stop(graceMs = 2_000): Promise<void> {
    // The output of an ended process may not have been read completely: "close" comes after "exit".
    const { exitCode, signalCode } = this.#process;
    if (this.end !== undefined || exitCode !== null || signalCode !== null) return;
    if (graceMs === 0) this.kill();
    // It answers one request to stop.
    await (this.#stopping ??= this.#stop(graceMs));
  }

  async #stop(graceMs: number): Promise<void> {
    const gone = once(this.#process, "exit");
    const timer = setTimeout(() => this.#process.kill("SIGKILL"), graceMs);
    if (graceMs > 0) {
      await this.ask({ ask: "stop" }).catch(() => undefined);
      if (this.#process.connected) this.#process.disconnect();
    }
    await gone;
    clearTimeout(timer);
  }

  kill(): void {
    this.#process.kill("SIGKILL");
  }

  /** @param cause the system's message */
  #end(how: Omit<ProcessEnd, "name" | "text">, cause?: string): void {
    if (this.end !== undefined) return;
    // The last line that Node.js prints before a stack is the message; the stack itself does not help the reader.
    const lines = this.#errorText.split("\n").filter((line) => /^\s*\w*(Error|error)\b/.test(line));
    const text = [cause, lines.at(-1)?.trim()].filter(Boolean).join(": ");
    const end = new ProcessLoss({ name: this.label, ...how, text });
    for (const asked of this.#waiting.values()) asked.reject(end);
    this.#waiting.clear();
    this.noteEnd(end);
  }
}

/** CPU time of one of our processes: from the kernel, or from the process itself if the kernel does not provide it. */
export async function childCpuMs(child: Pick<Child, "pid" | "ask">): Promise<number> {
  const cpuMs = child.pid === undefined ? undefined : cpuMsOf(child.pid);
  return cpuMs ?? (await child.ask<CpuAnswer>({ ask: "cpu" })).cpuMs;
}
