// A server process of this project: one stack, the service, nothing else. It answers requests, so it can be watched.
import type { ProcessEvidence } from "@roundtrip/runs";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { Child, childCpuMs, type MeasuredProcess, processFile } from "./child.ts";
import { pin } from "./cores.ts";
import type { ServerRequest, ServerStart, ServerStarted } from "./messages.ts";

export interface MeasuredServer extends MeasuredProcess {
  /** The known ids of its processes; empty before it has started. */
  readonly pids: readonly number[];
  /** Starts it. Resolves to its URL; rejects if it ends, or does not become ready. */
  start(how: ServerStart): Promise<string>;
  /** Pins it to one or more cores; undefined lets the kernel choose. */
  place(cores: number | readonly number[] | undefined): void;
  /** CPU time so far; null if it has ended, or is unknown. */
  cpuMs(): Promise<number | null>;
  /** Watches it until {@link watched}, if it supports that. */
  watch(): Promise<void>;
  /** The evidence since {@link watch}; undefined if it does not report it. */
  watched(): Promise<ProcessEvidence | undefined>;
  /** Bytes of its live heap, after a forced collection; undefined if it does not report it. */
  heapBytes(): Promise<number | undefined>;
}

export interface OwnServerOptions {
  readonly stack: string;
  readonly commandPrefix: readonly string[];
  readonly label: string;
  /** The folder with the sources that it runs; undefined for those of this runner. */
  readonly checkout: string | undefined;
  readonly answerLimitMs: number;
}

/** Paths in a folder with this project's sources. */
const sourcePaths = {
  process: "packages/runner/src/processes/server-process.ts",
  preload: "packages/runner/src/processes/preload.ts",
  service: "packages/service/src/index.ts",
} as const;

/** The missing file if servers of this project cannot be started from a folder; undefined if they can. */
export function missingIn(checkout: string): string | undefined {
  return Object.values(sourcePaths).find((path) => !existsSync(join(checkout, path)));
}

export class OwnServer extends Child implements MeasuredServer {
  readonly #answerLimitMs: number;
  readonly #checkout: string | undefined;

  /** It begins to load at once. */
  constructor({ stack, commandPrefix, label, checkout, answerLimitMs }: OwnServerOptions) {
    const inside = (path: string): string => join(checkout ?? "", path);
    super({
      file: checkout === undefined ? processFile("server") : inside(sourcePaths.process),
      commandPrefix,
      label,
      loads: `${stack} server ${checkout ?? ""}`,
      ...(checkout === undefined ? {} : { cwd: checkout, preload: pathToFileURL(inside(sourcePaths.preload)).href }),
    });
    this.#checkout = checkout;
    this.#answerLimitMs = answerLimitMs;
  }

  get pids(): readonly number[] {
    return this.pid === undefined ? [] : [this.pid];
  }

  async start(how: ServerStart): Promise<string> {
    const module =
      this.#checkout === undefined ? undefined : pathToFileURL(join(this.#checkout, sourcePaths.service)).href;
    const service = module === undefined ? how.service : { ...how.service, module };
    const { url } = await this.ask<ServerStarted>({ ...how, service });
    return url;
  }

  place(cores: number | readonly number[] | undefined): void {
    pin(this.pid, cores);
  }

  async cpuMs(): Promise<number | null> {
    return childCpuMs(this).catch((thrown: unknown) => {
      if (this.end !== undefined) return null;
      throw thrown;
    });
  }

  async watch(): Promise<void> {
    await this.#askInTime<undefined>({ ask: "watch" });
  }

  watched(): Promise<ProcessEvidence | undefined> {
    return this.#askInTime<ProcessEvidence>({ ask: "watched" });
  }

  heapBytes(): Promise<number | undefined> {
    return this.#askInTime<number>({ ask: "heap" });
  }

  /** Resolves to undefined without an answer in time: missing evidence does not fail a run. */
  async #askInTime<A>(request: ServerRequest): Promise<A | undefined> {
    const answered = new AbortController();
    const late = sleep(this.#answerLimitMs, undefined, { signal: answered.signal, ref: false });
    try {
      return await Promise.race([this.ask<A>(request), late]);
    } catch {
      return undefined;
    } finally {
      answered.abort();
      late.catch(() => undefined);
    }
  }
}
