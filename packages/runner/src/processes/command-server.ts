// A server in any language: a program that prints its address, or listens on the port in its words. It leads a session of its own, so that all its
// processes are measured and ended with it.
import type { ProcessEvidence } from "@roundtrip/analysis";
import { loadStack, serveDefaults } from "@roundtrip/stacks";
import { spawn, type ChildProcess } from "node:child_process";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { closesAfterExit, endsWithUs } from "../lifetime/ends-with-us.ts";
import { RunnerError } from "../basics/runner-error.ts";
import type { ServerCommand } from "../study/version.ts";
import { announcedUrl } from "./announced-url.ts";
import { codeCacheEnvironment } from "./code-cache.ts";
import { pin } from "./cores.ts";
import { freePort } from "./free-port.ts";
import { killSession, SessionCpu } from "../lifetime/session-processes.ts";
import type { MeasuredServer } from "./measured-server.ts";
import { whyNotReady } from "./why-not-ready.ts";

export interface CommandServerOptions {
  readonly command: ServerCommand;
  readonly stack: string;
  /** Its name in messages, for example `base rest-express server`. */
  readonly label: string;
  /** Time to have an address, and to answer there. */
  readonly readyLimitMs: number;
}

const keptErrorText = 4_000;
/** Maximum output before an address: a greeting, not a log. */
const mostGreetingText = 65_536;
/** Characters of its output in a message. */
const shownText = 200;
/** Stands for a free port in a command. */
const portWord = "{port}";
/** Time to print an address once it listens on the port in its words: a server of several styles prints where each is. */
const printLimitMs = 100;

const retryMs = 10;
/** Time for one answer of a server that is starting: it may lose a call that comes too early. */
const probeLimitMs = 5_000;

async function isListening(host: string, port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ host, port });
  socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
  return promise.finally(() => socket.destroy());
}

/** Resolves when the port accepts a connection, or the signal is aborted. */
async function whenListening(host: string, port: number, signal: AbortSignal): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop -- one try after the other
  while (!signal.aborted && !(await isListening(host, port))) await sleep(retryMs);
}

function lastLine(text: string): string {
  const line = text.trimEnd().split("\n").at(-1)?.trim() ?? "";
  return line.length > shownText ? `${line.slice(0, shownText)}…` : line;
}

/** The line with an error, in any language; otherwise the last. */
function errorLine(text: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  const named = lines.filter((line) => /^\s*[\w.]*(error|exception|panic|fatal)\b/i.test(line)).at(-1);
  return lastLine(named ?? text);
}

export class CommandServer implements MeasuredServer {
  readonly gone: Promise<RunnerError>;
  readonly #options: CommandServerOptions;
  readonly #resolveEnd: (how: RunnerError) => void;
  #process: ChildProcess | undefined;
  #kill = (): void => undefined;
  #cpu: SessionCpu | undefined;
  #ended: RunnerError | undefined;
  #isStopped = false;
  #errorText = "";

  constructor(options: CommandServerOptions) {
    this.#options = options;
    const { promise, resolve } = Promise.withResolvers<RunnerError>();
    this.gone = promise;
    this.#resolveEnd = resolve;
  }

  get end(): RunnerError | undefined {
    return this.#ended;
  }

  get wasKilled(): boolean {
    return (this.#process?.signalCode ?? null) !== null;
  }

  get pids(): readonly number[] {
    return this.#cpu?.pids ?? [];
  }

  /**
   * Resolves to its address once it answers calls there. Rejects with a RunnerError: `process-died` if it ends, `no-answer` if it neither prints an
   * address nor listens on the port in its words, or answers nothing.
   */
  async start(): Promise<string> {
    const port = String(await freePort(serveDefaults.host));
    if (this.#isStopped) throw this.#died("was stopped before it began");
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const { readyLimitMs } = this.#options;
    const limit = AbortSignal.timeout(readyLimitMs);
    const missing = this.#namesPort ? `printed no address and did not listen on ${port}` : "printed no address";
    limit.addEventListener("abort", () => reject(this.#silent(`${missing} within ${readyLimitMs / 1_000} s`)));
    void this.gone.then(reject);
    this.#spawn(port, resolve, reject);
    const started = new AbortController();
    if (this.#namesPort) void this.#listening(port, started.signal).then(resolve);
    const url = await promise.finally(() => started.abort());
    await this.#whenAnswering(url, limit);
    // All processes of the server run by now.
    this.#cpu = new SessionCpu(this.#process?.pid ?? 0);
    return url;
  }

  place(cores: number | readonly number[] | undefined): void {
    for (const pid of this.pids) pin(pid, cores);
  }

  cpuMs(): Promise<number | null> {
    return Promise.resolve(this.#ended === undefined ? (this.#cpu?.cpuMs() ?? null) : null);
  }

  /** It does not answer questions. */
  watch(): Promise<void> {
    return Promise.resolve();
  }

  watched(): Promise<ProcessEvidence | undefined> {
    return Promise.resolve(undefined);
  }

  async ended(withinMs: number): Promise<RunnerError | undefined> {
    if (this.#ended === undefined) {
      await Promise.race([this.gone, sleep(withinMs, undefined, { ref: false })]);
    }
    return this.#ended;
  }

  /** Kills all its processes at once, because there is no shutdown request that all programs support. */
  async stop(): Promise<void> {
    this.kill();
    if (this.#process?.pid !== undefined) await this.gone;
  }

  kill(): void {
    this.#isStopped = true;
    this.#kill();
  }

  get #namesPort(): boolean {
    return this.#options.command.argv.some((word) => word.includes(portWord));
  }

  /** The URL of the port in its words, a moment after it listens there. Never resolves once the signal is aborted. */
  async #listening(port: string, signal: AbortSignal): Promise<string> {
    await whenListening(serveDefaults.host, Number(port), signal);
    await sleep(printLimitMs);
    return `http://${serveDefaults.host}:${port}`;
  }

  /** Resolves when the server answers the call by which its style is monitored; a style without one only needs its port. */
  async #whenAnswering(url: string, limit: AbortSignal): Promise<void> {
    const { stack, readyLimitMs } = this.#options;
    const { health, title } = await loadStack(stack);
    if (health === undefined) return;
    for (let why = "no answer"; ;) {
      // oxlint-disable-next-line no-await-in-loop -- one try after the other
      const fault = await whyNotReady(url, health, AbortSignal.any([limit, AbortSignal.timeout(probeLimitMs)]));
      if (this.#ended !== undefined) throw this.#ended;
      if (fault === undefined) return;
      if (limit.aborted) {
        throw this.#silent(
          `listens at ${url} and answers nothing over ${title} within ${readyLimitMs / 1_000} s (${why})`,
        );
      }
      why = fault;
      // oxlint-disable-next-line no-await-in-loop
      await sleep(retryMs);
    }
  }

  #spawn(port: string, resolve: (url: string) => void, reject: (error: RunnerError) => void): void {
    const { command, stack } = this.#options;
    const [program = "", ...args] = command.argv.map((word) => word.replaceAll(portWord, port));
    const child = spawn(program, args, {
      cwd: command.cwd,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...codeCacheEnvironment(), ...process.env, NODE_ENV: "production", PORT: port, ...command.env },
      detached: true,
    });
    this.#process = child;
    this.#kill = endsWithUs(child);
    child.stderr.on("data", (chunk: Buffer) => {
      this.#errorText = (this.#errorText + chunk.toString()).slice(-keptErrorText);
    });
    let greeting: string | undefined = "";
    child.stdout.on("data", (chunk: Buffer) => {
      // Later output is read and dropped, so that the program does not block on a full pipe.
      if (greeting === undefined) return;
      greeting += chunk.toString();
      const lines = greeting.split("\n").slice(0, -1);
      const url = lines.map((line) => announcedUrl(line, stack)).find((found) => found !== undefined);
      if (url !== undefined) {
        greeting = undefined;
        resolve(url);
      } else if (greeting.length > mostGreetingText) {
        const printed = lastLine(greeting);
        greeting = undefined;
        if (!this.#namesPort)
          reject(this.#silent(`printed ${mostGreetingText / 1_024} KiB and no address, at last "${printed}"`));
      }
    });
    child.on("error", (cause) => this.#end(this.#died(`cannot be started: ${cause.message}`)));
    // Its processes end with it, unless they have left its session.
    child.on("exit", () => killSession(child.pid ?? 0));
    closesAfterExit(child);
    child.on("close", (status, signal) => {
      const why = errorLine(this.#errorText);
      const how = `ended by itself (${signal ?? `exit status ${status}`})`;
      this.#end(this.#died(`${how}${why === "" ? "" : `: ${why}`}`));
    });
  }

  #died(how: string): RunnerError {
    return new RunnerError("process-died", `the ${this.#options.label} process ${how}`);
  }

  #silent(how: string): RunnerError {
    const printed = lastLine(this.#errorText);
    const [program = ""] = this.#options.command.argv;
    const what = `the ${this.#options.label} (${program}) ${how}`;
    return new RunnerError("no-answer", printed === "" ? what : `${what}; its last error line was "${printed}"`);
  }

  #end(how: RunnerError): void {
    if (this.#ended !== undefined) return;
    this.#ended = how;
    this.#resolveEnd(how);
  }
}
