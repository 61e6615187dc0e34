// A pool with a fixed number of computing threads and one queue.
import { CallError } from "@roundtrip/contract";
import { extname } from "node:path";
import type { Piscina } from "piscina";
import { matrixDomain, JobQueue } from "./job-queue.ts";
import { allocatePowerMemory, powerMemory, type PowerMemory } from "./raise-to-power.ts";
import type { PowerDone, PowerTask } from "./power-thread.ts";

/** The module that threads run. It is next to this file, compiled if this file is. */
const threadFile = new URL(`power-thread${extname(import.meta.url)}`, import.meta.url).href;

export interface PowerPoolOptions {
  readonly threads: number;
  /** The maximum number of waiting requests. */
  readonly queueLimit: number;
  /** The module that each thread runs. It must export `computePower`. */
  readonly threadFile?: string;
}

/** A matrix, and the requested exponent. It is copied to memory shared with the threads when its turn comes: what waits does not hold it twice. */
export class PowerRequest {
  readonly exponent: number;
  readonly #size: number;
  readonly #elements: readonly number[];
  #block: SharedArrayBuffer | undefined;
  #memory: PowerMemory | undefined;

  /** @param elements as many as the square of the size, row by row */
  constructor(size: number, elements: readonly number[], exponent: number) {
    this.exponent = exponent;
    this.#size = size;
    this.#elements = elements;
  }

  get block(): SharedArrayBuffer {
    return (this.#block ??= allocatePowerMemory(this.#size));
  }

  get memory(): PowerMemory {
    if (this.#memory === undefined) {
      this.#memory = powerMemory(this.block, this.#size);
      this.#memory.base.set(this.#elements);
    }
    return this.#memory;
  }
}

/** A power, and the start and end of its computation on the clock `hrtime`. */
export interface ComputedPower {
  readonly elements: number[];
  readonly startedAtNs: bigint;
  readonly endedAtNs: bigint;
}

/** All threads start with the first request and run until {@link close}. An unused pool costs nothing. */
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

  /** The number of threads that have exited unexpectedly. Each was replaced. */
  get lostThreads(): number {
    return this.#lostThreads;
  }

  /**
   * Computes a power on the next free thread. If the signal aborts, the request leaves the queue, or its thread stops before the next multiplication.
   * Rejects with the signal's reason, with RESOURCE_EXHAUSTED if the queue is full, and with UNAVAILABLE if the thread exits or the pool is closed.
   */
  async raise(request: PowerRequest, signal: AbortSignal): Promise<ComputedPower> {
    const { startedAtNs, endedAtNs, power } = await this.#queue.serve(() => this.#compute(request, signal), signal);
    if (power === undefined) throw CallError.from(signal.reason);
    const { memory } = request;
    const elements = Array.from(power === "base" ? memory.base : memory.products[power]);
    return { elements, startedAtNs, endedAtNs };
  }

  /** Ends the threads. Running and waiting requests fail with UNAVAILABLE. */
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
      // A computation throws no error, so the thread has exited.
      throw this.#unavailable(cause);
    } finally {
      signal.removeEventListener("abort", abandon);
    }
  }

  #unavailable(cause?: unknown): CallError {
    if (this.#isClosed) return new CallError("UNAVAILABLE", "the service is closed", {}, { cause });
    const metadata = { lostThreads: String(this.#lostThreads) };
    const details = { reason: "THREAD_LOST", domain: matrixDomain, metadata };
    return new CallError("UNAVAILABLE", "the computing thread exited and is being replaced; try again", details, {
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
      // A thread does nothing between two powers, so it can block while it waits.
      atomics: "sync",
      // A request waits here only while an exited thread is replaced; requests stay in order.
      stricterFIFO: true,
      recordTiming: false,
    });
    piscina.on("workerDestroy", () => {
      if (!this.#isClosed) this.#lostThreads += 1;
    });
    // If an idle thread exits, no request fails.
    piscina.on("error", () => undefined);
    return piscina;
  }
}
