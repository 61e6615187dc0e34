// One process of k6. It starts paused, is resumed when all others are ready, and ends with this program.
import { closesAfterExit, endsWithUs } from "@roundtrip/runner/lifetime";
import { exitOf, freePort } from "@roundtrip/runner/parts";
import { type ProcessEnd, processEndText } from "@roundtrip/runs";
import { spawn, type ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { K6Error } from "../basics/k6-error.ts";
import type { K6Program } from "./find-k6.ts";

export interface InstanceOptions {
  readonly k6: K6Program;
  /** Its name in messages, for example `k6 instance 2 of 2`. */
  readonly label: string;
  readonly script: string;
  /** The file for its samples, one per line. */
  readonly results: string;
  /** Its execution segment, and the sequence of all segments; undefined for the whole test. */
  readonly segment: { readonly own: string; readonly sequence: string } | undefined;
  /** The script's environment variables. */
  readonly env: Readonly<Record<string, string>>;
  /** More of them, for k6 itself or secret: they are in the environment of the process, and in none of its arguments, which other users can read. */
  readonly secrets: Readonly<Record<string, string>>;
  /** A folder to use instead of the user's home. */
  readonly home: string;
  /** The core to run on; undefined lets the kernel choose. */
  readonly core: number | undefined;
}

export interface InstanceEnd {
  /** Whether it ran to the end, or until it was stopped. */
  readonly isWell: boolean;
  /** Whether a signal ended it that this program did not send, such as the kernel's when memory runs out. */
  readonly wasKilled: boolean;
  readonly end: ProcessEnd;
}

const host = "127.0.0.1";
const pollEveryMs = 25;
const requestLimitMs = 2_000;
const keptErrorText = 4_000;
/** The most characters of its output in a message. */
const shownText = 300;
/** k6 flushes its results five times a second, so nothing is lost after this time. */
const stopLimitMs = 1_000;

/** k6's status `PausedBeforeRun`: it is ready and waits to be resumed. */
const pausedBeforeRun = 4;

interface Status {
  readonly data?: { readonly attributes?: { readonly status?: number; readonly paused?: boolean } };
}

/** What the script prints when it has chosen T0. */
const t0Line = /\bmsg="T0 (\d+)"/;

/** The message of the last line at k6's error level, or else the last line. */
function lastError(text: string): string {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => !t0Line.test(line));
  const last = lines.findLast((line) => line.includes("level=error")) ?? lines.findLast((line) => line !== "") ?? "";
  const [, message = last] = /\bmsg="((?:[^"\\]|\\.)*)"/.exec(last) ?? [];
  const plain = message.replaceAll(String.raw`\"`, '"').replaceAll(String.raw`\n`, " ");
  return plain.length > shownText ? `${plain.slice(0, shownText)}…` : plain;
}

export class Instance {
  readonly results: string;
  readonly ended: Promise<InstanceEnd>;
  /** Resolves to the T0 that it has chosen, in milliseconds since 1970. */
  readonly t0Ms: Promise<number>;
  readonly #options: InstanceOptions;
  #process: ChildProcess | undefined;
  #kill = (): void => undefined;
  #port = 0;
  #errorText = "";
  #end: InstanceEnd | undefined;
  #isStopped = false;
  readonly #resolveEnd: (end: InstanceEnd) => void;
  readonly #resolveT0: (ms: number) => void;

  constructor(options: InstanceOptions) {
    this.#options = options;
    this.results = options.results;
    const { promise, resolve } = Promise.withResolvers<InstanceEnd>();
    this.ended = promise;
    this.#resolveEnd = resolve;
    const t0 = Promise.withResolvers<number>();
    this.t0Ms = t0.promise;
    this.#resolveT0 = t0.resolve;
  }

  get label(): string {
    return this.#options.label;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** How it ended by itself; undefined otherwise. */
  get failure(): InstanceEnd | undefined {
    return this.#end?.isWell === false ? this.#end : undefined;
  }

  /** Starts it and waits until it is paused. Rejects with a K6Error `instance-failed` if it ends before, or is not ready in time. */
  async start(limitMs: number): Promise<void> {
    this.#port = await freePort(host);
    if (this.#isStopped) return;
    this.#spawn();
    const until = performance.now() + limitMs;
    while ((await this.#status()) !== pausedBeforeRun) {
      if (this.#isStopped) return;
      if (this.#end !== undefined) throw new K6Error("instance-failed", processEndText(this.#end.end));
      if (performance.now() > until) {
        const words = lastError(this.#errorText);
        throw new K6Error(
          "instance-failed",
          `${this.label} was not ready within ${limitMs / 1_000} s${words === "" ? "" : `: ${words}`}`,
        );
      }
      await sleep(pollEveryMs);
    }
  }

  /** Resumes it. Rejects with a K6Error `instance-failed` if it cannot be reached. */
  async resume(): Promise<void> {
    const body = JSON.stringify({ data: { type: "status", id: "default", attributes: { paused: false } } });
    const status = await this.#request("PATCH", body).catch((cause: unknown) => cause);
    if (!(status instanceof Error)) return;
    const { end = { name: this.label, how: "unreachable", text: status.message } as const } = this.#end ?? {};
    throw new K6Error("instance-failed", processEndText(end));
  }

  /** Asks it to end and flush its results. Kills it after `graceMs`, at once if that is 0. */
  async stop(graceMs = stopLimitMs): Promise<void> {
    this.#isStopped = true;
    if (this.#process?.pid === undefined || this.#end !== undefined) return;
    if (graceMs > 0) {
      this.#process.kill("SIGINT");
      const over = new AbortController();
      await Promise.race([this.ended, sleep(graceMs, undefined, { signal: over.signal }).catch(() => undefined)]);
      over.abort();
    }
    this.#kill();
    await this.ended;
  }

  #spawn(): void {
    const { k6, script, results, segment, env, secrets, home, core } = this.#options;
    const args = [
      "run",
      "--paused",
      `--address=${host}:${this.#port}`,
      `--out=json=${results}`,
      ...(segment === undefined
        ? []
        : ["--execution-segment", segment.own, "--execution-segment-sequence", segment.sequence]),
      // The script reads these variables beside those below. The environment has none of the user's but the secrets.
      `--include-system-env-vars=${Object.keys(secrets).length > 0}`,
      ...Object.entries(env).flatMap(([name, value]) => ["--env", `${name}=${value}`]),
      "--no-thresholds",
      "--no-usage-report",
      "--no-color",
      "--quiet",
      // Only samples are read. Computing a summary would compete with the load.
      k6.major === 1 ? "--no-summary" : "--summary-mode=disabled",
      script,
    ];
    const [program = "", ...its] = [
      ...(core === undefined ? [] : ["taskset", "--cpu-list", String(core)]),
      k6.path,
      ...args,
    ];
    const { PATH, TMPDIR } = process.env;
    const child = spawn(program, its, {
      stdio: ["ignore", "ignore", "pipe"],
      // Neither proxies nor the user's variables with k6 options may affect the measurement.
      env: {
        ...secrets,
        PATH,
        ...(TMPDIR === undefined ? {} : { TMPDIR }),
        HOME: home,
        XDG_CONFIG_HOME: home,
        K6_AUTO_EXTENSION_RESOLUTION: "false",
        // Two threads even on one core: one can receive answers while the other waits for a moment.
        ...(core === undefined ? {} : { GOMAXPROCS: "2" }),
      },
      detached: true,
    });
    this.#process = child;
    this.#kill = endsWithUs(child);
    closesAfterExit(child);
    child.stderr.on("data", (chunk: Buffer) => {
      this.#errorText = (this.#errorText + chunk.toString()).slice(-keptErrorText);
      const [, t0] = t0Line.exec(this.#errorText) ?? [];
      if (t0 !== undefined) this.#resolveT0(Number(t0));
    });
    child.on("error", ({ message }) =>
      this.#noteEnd({
        isWell: false,
        wasKilled: false,
        end: { name: this.label, how: "not-started", text: message },
      }),
    );
    child.on("close", (status, signal) => {
      const end = { name: this.label, ...exitOf(status, signal), text: lastError(this.#errorText) };
      this.#noteEnd({ isWell: status === 0 || this.#isStopped, wasKilled: signal !== null && !this.#isStopped, end });
    });
  }

  #noteEnd(end: InstanceEnd): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#resolveEnd(end);
  }

  /** k6's status number; undefined while it cannot be reached. */
  async #status(): Promise<number | undefined> {
    return this.#request("GET").then(
      ({ data }) => data?.attributes?.status,
      () => undefined,
    );
  }

  async #request(method: "GET" | "PATCH", body?: string): Promise<Status> {
    const response = await fetch(`http://${host}:${this.#port}/v1/status`, {
      method,
      signal: AbortSignal.timeout(requestLimitMs),
      headers: { "content-type": "application/json", connection: "close" },
      ...(body === undefined ? {} : { body }),
    });
    if (!response.ok) throw new Error(`k6 answered with status ${response.status}`);
    return (await response.json()) as Status;
  }
}
