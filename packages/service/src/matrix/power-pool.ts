// The threads that compute, a fixed number of them, and the one queue in front of them.
import { CallError } from "@roundtrip/contract";
import { extname } from "node:path";
import type { Piscina } from "piscina";
import { matrixDomain } from "./matrix-domain.ts";
import { allocatePowerMemory, powerMemory, type PowerMemory } from "./power-memory.ts";
import type { PowerDone, PowerTask } from "./power-thread.ts";
import { JobQueue } from "./job-queue.ts";

/** The module that threads run: beside this file, compiled or not as it is. */
const threadFile = new URL(`power-thread${extname(import.meta.url)}`, import.meta.url).href;

export interface PowerPoolOptions {
  readonly threads: number;
  /** How many requests may wait while all threads compute. */
  readonly queueLimit: number;
  /** What each thread runs: a module that exports `computePower`. */
  readonly threadFile?: string;
}

/** A matrix in memory that is shared with the threads, and the power that is asked for. */
export class PowerRequest {
  readonly exponent: number;
  readonly block: SharedArrayBuffer;
  readonly memory: PowerMemory;

  /** @param elements as many as the square of the size, row by row */
  constructor(size: number, elements: readonly number[], exponent: number) {
    this.exponent = exponent;
    this.block = allocatePowerMemory(size);
    this.memory = powerMemory(this.block, size);
    this.memory.base.set(elements);
  }
}

/** A power, and by the clock `hrtime` when it was begun and ended. */
export interface ComputedPower {
  readonly elements: number[];
  readonly startedAtNs: bigint;
  readonly endedAtNs: bigint;
}

/** Threads start with the first request, all at once, and stay until {@link close}: what nobody calls costs nothing. */
export class PowerPool {
  readonly #options: Required<PowerPoolOptions>;
  readonly #queue: JobQueue;
  #piscina: Promise<Piscina<PowerTask, PowerDone>> | undefined;
  #lostThreads = 0;
  #isClosed = false;

  constructor(options: PowerPoolOptions) {
    this.#options = { threadFile, ...options };
    this.#queue = new JobQueue({ servers: options.threads, queueLimit: options.queueLimit });
  }

  /** How many threads have ended that should not have. Each was replaced. */
  get lostThreads(): number {
    return this.#lostThreads;
  }

  /**
   * The power, computed by the next thread that is free. When the signal aborts, the request leaves the queue, or its thread stops before
   * its next multiplication. Rejects with the signal's reason then, with RESOURCE_EXHAUSTED when as many wait as may, and with UNAVAILABLE
   * when its thread was lost or the pool is closed.
   */
  async raise(request: PowerRequest, signal: AbortSignal): Promise<ComputedPower> {
    const { memory } = request;
    const { startedAtNs, endedAtNs, power } = await this.#queue.serve(() => this.#compute(request, signal), signal);
    if (power === undefined) throw CallError.from(signal.reason);
    const elements = Array.from(power === "base" ? memory.base : memory.products[power]);
    return { elements, startedAtNs, endedAtNs };
  }

  /** Ends the threads; what they compute, and what waits, fails with UNAVAILABLE. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await (await this.#piscina)?.destroy();
  }

  async #compute({ block, memory, exponent }: PowerRequest, signal: AbortSignal): Promise<PowerDone> {
    if (this.#isClosed) throw this.#unavailable();
    const piscina = await (this.#piscina ??= this.#start());
    const abandon = (): void => memory.abandon();
    if (signal.aborted) abandon();
    signal.addEventListener("abort", abandon, { once: true });
    try {
      return await piscina.run({ block, size: memory.size, exponent });
    } catch (cause) {
      // A computation throws nothing: its thread is gone.
      throw this.#unavailable(cause);
    } finally {
      signal.removeEventListener("abort", abandon);
    }
  }

  #unavailable(cause?: unknown): CallError {
    if (this.#isClosed) return new CallError("UNAVAILABLE", "the service is closed", {}, { cause });
    const metadata = { lostThreads: String(this.#lostThreads) };
    const details = { reason: "THREAD_LOST", domain: matrixDomain, metadata };
    return new CallError("UNAVAILABLE", "the thread that computed this was lost; another takes its place", details, {
      cause,
    });
  }

  async #start(): Promise<Piscina<PowerTask, PowerDone>> {
    const { threads, threadFile: filename } = this.#options;
    const { Piscina: Pool } = await import("piscina");
    const piscina = new Pool<PowerTask, PowerDone>({
      filename,
      name: "computePower",
      minThreads: threads,
      maxThreads: threads,
      idleTimeout: Number.POSITIVE_INFINITY,
      // Nothing happens in a thread between two powers, so it may sleep on its request.
      atomics: "sync",
      // A request waits here only while a lost thread is being replaced; the order is kept then too.
      stricterFIFO: true,
      recordTiming: false,
    });
    piscina.on("workerDestroy", () => {
      if (!this.#isClosed) this.#lostThreads += 1;
    });
    // A thread that is lost while it computes nothing fails nobody.
    piscina.on("error", () => undefined);
    return piscina;
  }
}
