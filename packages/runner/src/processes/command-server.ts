// A server in any language: a program that prints its address, or listens on the port that it is given. It leads a session of its own, so that all
// its processes are measured and ended with it.
import { type ProcessEnd, processEndText } from "@roundtrip/runs";
import { loadStack, serveDefaults } from "@roundtrip/stacks";
import { spawn, type ChildProcess } from "node:child_process";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { closesAfterExit, endsWithUs, whyNotStarted } from "../lifetime/ends-with-us.ts";
import { ProcessLoss, RunnerError } from "../basics/runner-error.ts";
import type { ServerCommand } from "../study/sources.ts";
import { announcedUrl, whyNotReady } from "./server-readiness.ts";
import { codeCacheEnvironment, exitOf, MeasuredProcess } from "./child.ts";
import { pin } from "./cores.ts";
import { freePort } from "./free-port.ts";
import { killSession, SessionCpu } from "../lifetime/session-processes.ts";
import type { MeasuredServer } from "./own-server.ts";
import { ProgramOutput } from "./program-output.ts";

export interface CommandServerOptions {
  readonly command: ServerCommand;
  readonly stack: string;
  /** Its name in messages, for example `base rest-express server`. */
  readonly label: string;
  /** Time to have an address, and to answer there. */
  readonly readyLimitMs: number;
}

/** Stands for a free port in a command. */
const portWord = "{port}";
/** Time to print an address once it listens on the port: a server of several styles prints where each is. */
const printLimitMs = 100;
/** The advice for servers that listen where others do. */
const onItsPort = `several run at once, so each must listen on ${portWord} or $PORT`;

const retryMs = 10;
/** Time for one answer of a server that is starting: it may lose a call that comes too early. */
const probeLimitMs = 5_000;

async function isListening(host: string, port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ host, port });
  // A socket without a listener may be given the same port, and so reach itself.
  socket.once("connect", () => resolve(socket.localPort !== port)).once("error", () => resolve(false));
  return promise.finally(() => socket.destroy());
}

/** Resolves when the port accepts a connection, or the signal is aborted. */
async function whenListening(host: string, port: number, signal: AbortSignal): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop -- one try after the other
  while (!signal.aborted && !(await isListening(host, port))) await sleep(retryMs);
}

/** The servers of this process by where they listen. The kernel may spread the calls of one address over two servers. */
const listening = new Map<string, CommandServer>();

export class CommandServer extends MeasuredProcess implements MeasuredServer {
  readonly #options: CommandServerOptions;
  #process: ChildProcess | undefined;
  #kill = (): void => undefined;
  #cpu: SessionCpu | undefined;
  #output: ProgramOutput | undefined;
  #isStopped = false;
  #isReady = false;

  constructor(options: CommandServerOptions) {
    super();
    this.#options = options;
  }

  get wasKilled(): boolean {
    return (this.#process?.signalCode ?? null) !== null;
  }

  get pids(): readonly number[] {
    return this.#cpu?.pids ?? [];
  }

  /**
   * Resolves to its address once it answers calls there. Rejects with a RunnerError: `process-died` if it ends, `no-answer` if it neither prints an
   * address nor listens on its port, or answers nothing, `bad-plan` if another server listens at its address.
   */
  async start(): Promise<string> {
    const port = String(await freePort(serveDefaults.host));
    if (this.#isStopped) throw new ProcessLoss({ name: this.#options.label, how: "stopped" });
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const { readyLimitMs } = this.#options;
    const limit = AbortSignal.timeout(readyLimitMs);
    const failure = this.#namesPort
      ? `did not listen on ${portWord}, here ${port},`
      : `neither printed its address nor listened on $PORT, here ${port},`;
    limit.addEventListener("abort", () => reject(this.#silent(`${failure} within ${readyLimitMs / 1_000} s`)));
    void this.gone.then(reject);
    this.#spawn(port, resolve);
    const started = new AbortController();
    void this.#listening(port, started.signal).then(resolve);
    const url = await promise.finally(() => started.abort());
    this.#output?.ignoreLines();
    this.#requireOwnAddress(url);
    await this.#whenAnswering(url, limit);
    this.#isReady = true;
    // All processes of the server run by now.
    this.#cpu = new SessionCpu(this.#process?.pid ?? 0);
    return url;
  }

  place(cores: number | readonly number[] | undefined): void {
    for (const pid of this.pids) pin(pid, cores);
  }

  cpuMs(): Promise<number | null> {
    return Promise.resolve(this.end === undefined ? (this.#cpu?.cpuMs() ?? null) : null);
  }

  /** It does not answer requests. */
  watch(): Promise<void> {
    return Promise.resolve();
  }

  watched(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  heapBytes(): Promise<undefined> {
    return Promise.resolve(undefined);
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

  /** The URL of its port, a moment after it listens there. Its value is meaningless once the signal is aborted. */
  async #listening(port: string, signal: AbortSignal): Promise<string> {
    await whenListening(serveDefaults.host, Number(port), signal);
    await sleep(printLimitMs);
    const scheme = this.#options.command.ca === undefined ? "http" : "https";
    return `${scheme}://${serveDefaults.host}:${port}`;
  }

  #requireOwnAddress(url: string): void {
    if (this.end !== undefined) throw this.end;
    const address = new URL(url).host.replace(/^localhost\b/, serveDefaults.host);
    const earlier = listening.get(address);
    if (earlier !== undefined) {
      const names = new Set([earlier, this].map((server) => server.#options.label));
      throw new RunnerError("bad-plan", `two servers listen at ${url} (${[...names].join(", ")}): ${onItsPort}`);
    }
    listening.set(address, this);
    void this.gone.then(() => listening.delete(address));
  }

  /** Resolves when the server answers the call by which its style is monitored; a style without one only needs its port. */
  async #whenAnswering(url: string, limit: AbortSignal): Promise<void> {
    const { stack, readyLimitMs } = this.#options;
    const { health, title } = await loadStack(stack);
    if (health === undefined) return;
    for (let why = "no answer"; ;) {
      // oxlint-disable-next-line no-await-in-loop -- one try after the other
      const fault = await whyNotReady(url, health, AbortSignal.any([limit, AbortSignal.timeout(probeLimitMs)]));
      if (this.end !== undefined) throw this.end;
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

  #spawn(port: string, resolve: (url: string) => void): void {
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
    const output = new ProgramOutput(child.stdout, child.stderr, (line) => {
      const url = announcedUrl(line, stack, this.#namesPort ? port : undefined);
      if (url !== undefined) resolve(url);
    });
    this.#output = output;
    const noteEnd = (how: Omit<ProcessEnd, "name">, advice = ""): void => {
      const end = { name: this.#options.label, ...how };
      this.noteEnd(new ProcessLoss(end, processEndText(end) + advice));
    };
    child.on("error", (cause) => noteEnd({ how: "not-started", text: whyNotStarted(program, cause) }));
    // Its processes end with it, unless they have left its session.
    child.on("exit", () => killSession(child.pid ?? 0));
    closesAfterExit(child);
    child.on("close", (status, signal) => {
      const isFailedStart = signal === null && !this.#isReady;
      const text = output.errorLine || (isFailedStart ? output.lastLine : "");
      noteEnd({ ...exitOf(status, signal), text }, output.reportsTakenPort && !this.#isReady ? `; ${onItsPort}` : "");
    });
  }

  #silent(how: string): ProcessLoss {
    const printed = this.#output?.lastLine ?? "";
    const { command, label } = this.#options;
    const what = `the ${label} (${command.argv[0]}) ${how}`;
    const message = printed === "" ? what : `${what}; its last line was "${printed}"`;
    return new ProcessLoss({ name: label, how: "silent", text: printed }, message);
  }
}
