// The differential test: every stack must answer generated requests alike, for existing and generated contracts.
import type { FileDescriptorProto } from "@bufbuild/protobuf/wkt";
import { builtInContract, type Contract } from "@roundtrip/contract";
import { conformanceContract } from "@roundtrip/conformance";
import * as fc from "fast-check";
import { contractOfFile } from "../arbitraries/made-up-contract.ts";
import { madeUpFile } from "../arbitraries/made-up-file.ts";
import { spelled } from "../arbitraries/spellings.ts";
import { knownStack } from "@roundtrip/stacks";
import { loadFuzzedStyle } from "../fuzzed-style.ts";
import { panelOf, type Beyond, type Panel } from "./panel.ts";
import { samplesOf, type Sample } from "./sample.ts";
import { shownSpelling, rawValuePanel } from "./raw-value-panel.ts";
import { shownContract, shownSample } from "./shown.ts";

export interface DifferentialOptions {
  readonly stacks: readonly string[];
  /** The number of requests to each stack. */
  readonly requests: number;
  /** Determines all requests. */
  readonly seed: number;
  /** After this time, no more requests are made, and shrinking ends. */
  readonly limitMs: number;
  readonly onProgress: (done: number) => void;
  /** Called after each request of the search for a smaller difference. These requests do not count. */
  readonly onShrink: (tried: number) => void;
}

/** The samples beyond a limit. */
export interface LimitUse {
  readonly style: string;
  readonly reason: string;
  readonly applied: number;
  /** How many of them had a different outcome; 0 for a limit that is no longer needed. */
  readonly differed: number;
}

export interface DifferentialResult {
  /** Requests made to each stack: as many as requested, unless the time was over or answers differed. */
  readonly requests: number;
  readonly limits: readonly LimitUse[];
  /** The request, and how the answers differ, shrunk as far as possible; undefined if all agree. */
  readonly difference: string | undefined;
}

/** The maximum number of requests to one generated contract: enough to repay the start of its servers. */
const requestsPerContract = 20;

class Run {
  requests = 0;
  readonly #beyond: Beyond[] = [];
  readonly #options: DifferentialOptions;
  readonly #startedAt = Date.now();
  /** After the first difference, requests search for a smaller one. */
  #isShrinking = false;
  #tried = 0;

  constructor(options: DifferentialOptions) {
    this.#options = options;
  }

  #count(beyond: readonly Beyond[] = []): void {
    this.requests += 1;
    this.#beyond.push(...beyond);
    this.#options.onProgress(this.requests);
  }

  async #compare(panel: Panel, contract: Contract, sample: Sample): Promise<void> {
    const { beyond, differences } = await panel.verdictOn(sample);
    if (this.#isShrinking) this.#options.onShrink((this.#tried += 1));
    else this.#count(beyond);
    if (differences.length === 0) return;
    this.#isShrinking = true;
    throw new Error(`${shownSample(sample, contract)}\n${differences.join("\n")}`);
  }

  get #leftMs(): number {
    return this.#options.limitMs - (Date.now() - this.#startedAt);
  }

  async #check<T>(seed: number, numRuns: number, property: fc.IAsyncProperty<[T]>): Promise<string | undefined> {
    const interruptAfterTimeLimit = Math.max(1, this.#leftMs);
    const { counterexample, errorInstance } = await fc.check(property, { seed, numRuns, interruptAfterTimeLimit });
    // fast-check also counts a run that was interrupted before its first answer as failed. It shows nothing.
    if (counterexample === null) return undefined;
    return errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  }

  /** All limits of the compared styles, in their order. */
  async limits(): Promise<readonly LimitUse[]> {
    const styles = new Set(this.#options.stacks.map((name) => knownStack(name).style));
    const uses = Array.from(styles, async (style) =>
      (await loadFuzzedStyle(style)).knownLimits.calls.map((limit): LimitUse => {
        const samples = this.#beyond.filter((one) => one.style === style && one.limit === limit);
        const differed = samples.filter(({ differs }) => differs).length;
        return { style, reason: limit.reason, applied: samples.length, differed };
      }),
    );
    return (await Promise.all(uses)).flat();
  }

  async ofContract(contract: Contract, requests: number): Promise<string | undefined> {
    if (requests === 0) return undefined;
    const panel = await panelOf(contract, this.#options.stacks);
    try {
      const property = fc.asyncProperty(samplesOf(contract), (sample) => this.#compare(panel, contract, sample));
      return await this.#check(this.#options.seed, requests, property);
    } finally {
      await panel.close();
    }
  }

  async #ofFile(file: FileDescriptorProto, contract: Contract, samples: readonly Sample[]): Promise<void> {
    try {
      const panel = await panelOf(contract, this.#options.stacks);
      try {
        for (const sample of samples) {
          if (!this.#isShrinking && this.requests >= this.#options.requests) return;
          await this.#compare(panel, contract, sample);
        }
      } finally {
        await panel.close();
      }
    } catch (thrown) {
      this.#isShrinking = true;
      throw new Error(`${(thrown as Error).message}\n\n${shownContract(file)}`, { cause: thrown });
    }
  }

  /** Values in raw spellings, which our clients do not write. */
  async ofSpellings(requests: number): Promise<string | undefined> {
    if (requests === 0) return undefined;
    const panel = await rawValuePanel(this.#options.stacks);
    const property = fc.asyncProperty(spelled, async (one) => {
      const differences = await panel.differencesOn(one);
      if (this.#isShrinking) this.#options.onShrink((this.#tried += 1));
      else this.#count();
      if (differences.length === 0) return;
      this.#isShrinking = true;
      throw new Error(`${shownSpelling(one)}\n${differences.join("\n")}`);
    });
    try {
      return await this.#check(this.#options.seed, requests, property);
    } finally {
      await panel.close();
    }
  }

  /** Generated contracts, until all requests are made. */
  async ofMadeUpContracts(): Promise<string | undefined> {
    const cases = madeUpFile.chain((file) => {
      const contract = contractOfFile(file);
      const samples = fc.array(samplesOf(contract), { minLength: 1, maxLength: requestsPerContract, size: "max" });
      return samples.map((some) => ({ file, contract, samples: some }));
    });
    const property = fc.asyncProperty(cases, ({ file, contract, samples }) => this.#ofFile(file, contract, samples));
    // The number of requests to a contract is random, so new contracts are drawn until no requests are left.
    for (let { seed } = this.#options; this.#leftMs > 0; seed += 1) {
      const left = this.#options.requests - this.requests;
      if (left <= 0) return undefined;
      const difference = await this.#check(seed, Math.ceil(left / requestsPerContract), property);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
}

/** Makes requests until all are done, the time is over or an answer differs. */
export async function differential(options: DifferentialOptions): Promise<DifferentialResult> {
  const quarter = Math.floor(options.requests / 4);
  const run = new Run(options);
  const difference =
    (await run.ofContract(builtInContract(), quarter)) ??
    (await run.ofContract(conformanceContract(), quarter)) ??
    (await run.ofSpellings(quarter)) ??
    (await run.ofMadeUpContracts());
  return { requests: run.requests, limits: await run.limits(), difference };
}
