// One process of k6: started so that it waits, resumed when all others are ready, ended with whoever started it.
import { closesAfterExit, endsWithUs } from "@roundtrip/runner/lifetime";
import { freePort } from "@roundtrip/runner/parts";
import { spawn, type ChildProcess } from "node:child_process";
import { statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { K6Error } from "../k6-error.ts";
import type { K6Program } from "./find-k6.ts";

export interface InstanceOptions {
  readonly k6: K6Program;
  /** What to call it in messages, for example `k6 instance 2 of 2`. */
  readonly label: string;
  readonly script: string;
  /** Where its samples go, one line each. */
  readonly results: string;
  /** Its part of the test, and all parts, as k6 takes them; undefined for the whole. */
  readonly segment: { readonly own: string; readonly sequence: string } | undefined;
  /** What the script finds in its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** A folder for what k6 would keep at home. */
  readonly home: string;
  /** The core that it is to run on; left to the kernel without one. */
  readonly core: number | undefined;
}

/** How an instance ended. */
export interface InstanceEnd {
  /** Whether it did what it was told, to the end or until it was stopped. */
  readonly isWell: boolean;
  /** Whether a signal ended it: somebody else's, or the kernel's when memory is gone. */
  readonly wasKilled: boolean;
  /** In words, with its last ones. */
  readonly how: string;
}

const host = "127.0.0.1";
const pollEveryMs = 25;
const requestLimitMs = 2_000;
const keptErrorText = 4_000;
/** Of its last words, in a message. */
const shownText = 300;
/** k6 writes what it knows five times a second, also while something in it still waits: after as long nothing is lost. */
const stopLimitMs = 1_000;

/** k6's words for "all is ready, and resume is waited for" (`PausedBeforeRun`). */
const pausedBeforeRun = 4;

interface Status {
  readonly data?: { readonly attributes?: { readonly status?: number; readonly paused?: boolean } };
}

/** k6 tells what went wrong at the level of errors, in the members of a line. */
function lastWords(text: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  const told = lines.findLast((line) => line.includes("level=error")) ?? lines.findLast((line) => line !== "") ?? "";
  const [, message = told] = /\bmsg="((?:[^"\\]|\\.)*)"/.exec(told) ?? [];
  const plain = message.replaceAll(String.raw`\"`, '"').replaceAll(String.raw`\n`, " ");
  return plain.length > shownText ? `${plain.slice(0, shownText)}…` : plain;
}

export class Instance {
  readonly results: string;
  /** Resolves when the process has gone. */
  readonly ended: Promise<InstanceEnd>;
  readonly #options: InstanceOptions;
  #process: ChildProcess | undefined;
  #kill = (): void => undefined;
  #port = 0;
  #errorText = "";
  #end: InstanceEnd | undefined;
  #silence: InstanceEnd | undefined;
  #resumedAtMs = Number.POSITIVE_INFINITY;
  #isStopped = false;
  readonly #tellEnd: (end: InstanceEnd) => void;

  constructor(options: InstanceOptions) {
    this.#options = options;
    this.results = options.results;
    const { promise, resolve } = Promise.withResolvers<InstanceEnd>();
    this.ended = promise;
    this.#tellEnd = resolve;
  }

  get label(): string {
    return this.#options.label;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** How it ended though nobody asked it to, or that it does nothing any more. */
  get failure(): InstanceEnd | undefined {
    return this.#silence ?? (this.#end?.isWell === false ? this.#end : undefined);
  }

  /** Starts it and waits until it waits. Rejects with a K6Error `instance-failed` when it ends before, or is not ready in time. */
  async start(limitMs: number): Promise<void> {
    this.#port = await freePort(host);
    if (this.#isStopped) return;
    this.#spawn();
    const until = performance.now() + limitMs;
    while ((await this.#status()) !== pausedBeforeRun) {
      if (this.#isStopped) return;
      if (this.#end !== undefined) throw this.#failed(this.#end.how);
      if (performance.now() > until) {
        const words = lastWords(this.#errorText);
        throw this.#failed(`was not ready within ${limitMs / 1_000} s${words === "" ? "" : `: ${words}`}`);
      }
      await sleep(pollEveryMs);
    }
  }

  /** Lets it begin. Rejects with a K6Error `instance-failed` when it cannot be reached. */
  async resume(): Promise<void> {
    const body = JSON.stringify({ data: { type: "status", id: "default", attributes: { paused: false } } });
    const status = await this.#request("PATCH", body).catch((cause: unknown) => cause);
    if (status instanceof Error) throw this.#failed(this.#end?.how ?? `could not be resumed: ${status.message}`);
    this.#resumedAtMs = Date.now();
  }

  /** Lets it end what it has begun and write what it knows; kills it when that takes long, and at once where `graceMs` is 0. */
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

  /** True where it goes on and has written nothing for so long: it has failed then, though it is still there. */
  noteSilence(limitMs: number): boolean {
    if (this.#end !== undefined) return false;
    const { mtimeMs = 0 } = statSync(this.results, { throwIfNoEntry: false }) ?? {};
    const silentMs = Date.now() - Math.max(mtimeMs, this.#resumedAtMs);
    if (silentMs <= limitMs) return false;
    this.#silence = { isWell: false, wasKilled: false, how: `has told nothing for ${Math.round(silentMs / 1_000)} s` };
    return true;
  }

  #spawn(): void {
    const { k6, script, results, segment, env, home, core } = this.#options;
    const args = [
      "run",
      "--paused",
      `--address=${host}:${this.#port}`,
      `--out=json=${results}`,
      ...(segment === undefined
        ? []
        : ["--execution-segment", segment.own, "--execution-segment-sequence", segment.sequence]),
      "--include-system-env-vars=false",
      ...Object.entries(env).flatMap(([name, value]) => ["--env", `${name}=${value}`]),
      "--no-thresholds",
      "--no-usage-report",
      "--no-color",
      "--quiet",
      // What is judged are samples: a summary would be computed beside the load.
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
      // Variables of a user's that k6 would take for options, and proxies, have no part in what is measured.
      env: {
        PATH,
        ...(TMPDIR === undefined ? {} : { TMPDIR }),
        HOME: home,
        XDG_CONFIG_HOME: home,
        K6_AUTO_EXTENSION_RESOLUTION: "false",
        // On one core as well: while one thread waits for a moment, another hears of answers.
        ...(core === undefined ? {} : { GOMAXPROCS: "2" }),
      },
      detached: true,
    });
    this.#process = child;
    this.#kill = endsWithUs(child);
    closesAfterExit(child);
    child.stderr.on("data", (chunk: Buffer) => {
      this.#errorText = (this.#errorText + chunk.toString()).slice(-keptErrorText);
    });
    child.on("error", ({ message }) =>
      this.#noteEnd({ isWell: false, wasKilled: false, how: `cannot be started: ${message}` }),
    );
    child.on("close", (status, signal) => {
      const words = lastWords(this.#errorText);
      const how = `ended by itself (${signal ?? `exit status ${status}`})${words === "" ? "" : `: ${words}`}`;
      this.#noteEnd({ isWell: status === 0 || this.#isStopped, wasKilled: signal !== null && !this.#isStopped, how });
    });
  }

  #noteEnd(end: InstanceEnd): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#tellEnd(end);
  }

  /** What it is doing, in k6's numbers; undefined while it cannot be asked. */
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

  #failed(how: string): K6Error {
    return new K6Error("instance-failed", `${this.label} ${how}`);
  }
}
