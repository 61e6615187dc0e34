// The differential test: every stack must answer random requests like the service itself, for existing and for random contracts.
import { toJsonString } from "@bufbuild/protobuf";
import { type FileDescriptorProto, FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { conformanceContract } from "@roundtrip/conformance";
import { builtInContract, type Contract } from "@roundtrip/contract";
import * as fc from "fast-check";
import { contractOfFile } from "../arbitraries/made-up-contract.ts";
import { madeUpFile } from "../arbitraries/made-up-file.ts";
import { type Arm, type Outcome, referenceArm, stackArms } from "./arms.ts";
import { shownSample } from "./lines.ts";
import { type Sample, samplesOf } from "./sample.ts";

/** The first line that differs. An unexpected error precedes all lines that are missing because of it. */
function firstDifference(actual: Outcome, expected: Outcome): string | undefined {
  const error = actual.get("error");
  if (error !== undefined && !expected.has("error")) return `got ${error} ${actual.get("error.message")}`;
  for (const path of new Set([...expected.keys(), ...actual.keys()])) {
    const [got, wanted] = [actual.get(path), expected.get(path)];
    if (got !== wanted) return `${path}: got ${got ?? "nothing"}, expected ${wanted ?? "nothing"}`;
  }
  return undefined;
}

/** The lines to compare. GraphQL has a selection instead of a read mask, so that handlers receive a different mask on each style. */
function comparable(outcome: Outcome, { operation: { readMask } }: Sample, { carriesMetadata }: Arm): Outcome {
  const mask = readMask === undefined ? undefined : `request[0].${readMask.name}`;
  return new Map(
    [...outcome].filter(
      ([path]) =>
        path !== mask && !path.startsWith(`${mask}.`) && (carriesMetadata || !/^(?:answer )?metadata\b/.test(path)),
    ),
  );
}

/** How the outcome on a stack differs from that of the reference; undefined if it does not, or need not be equal. */
async function differenceOn(arm: Arm, sample: Sample, reference: Outcome, contract: Contract) {
  const expected = comparable(reference, sample, arm);
  const outcome = comparable(await arm.outcomeOf(sample), sample, arm);
  const error = outcome.get("error");
  if (!arm.carries(sample.operation)) {
    return error === "UNIMPLEMENTED"
      ? undefined
      : `got ${error ?? "an answer"} to an operation that it does not support`;
  }
  const limits = arm.limits.filter(({ appliesTo }) => appliesTo(sample, contract));
  if (limits.some(({ compared }) => compared === "nothing")) return undefined;
  if (limits.length > 0 && error === expected.get("error")) return undefined;
  return firstDifference(outcome, expected);
}

/** One contract, served on several stacks. */
export interface ComparedStacks {
  /** One line for each stack that differs from the reference. */
  differencesOn(sample: Sample): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Serves the contract on these stacks. Rejects if a stack refuses the contract. */
export async function comparedStacks(contract: Contract, stacks: readonly string[]): Promise<ComparedStacks> {
  const reference = await referenceArm(contract);
  const arms = await stackArms(contract, stacks);
  return {
    async differencesOn(sample) {
      const expected = await reference.outcomeOf(sample);
      const differences: string[] = [];
      for (const arm of arms) {
        const difference = await differenceOn(arm, sample, expected, contract);
        if (difference !== undefined) differences.push(`${arm.stackName}: ${difference}`);
      }
      return differences;
    },
    async close() {
      await Promise.all(arms.map((arm) => arm.close()));
    },
  };
}

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

export interface DifferentialResult {
  /** Requests made to each stack: as many as requested, unless the time was over or answers differed. */
  readonly requests: number;
  /** The request, and how the answers differ, shrunk as far as possible; undefined if all agree. */
  readonly difference: string | undefined;
}

/** The maximum number of requests to one random contract: enough to repay the start of its servers. */
const requestsPerContract = 20;

class DifferentialRun {
  requests = 0;
  readonly #options: DifferentialOptions;
  readonly #startedAt = Date.now();
  /** After the first difference, requests search for a smaller one. */
  #isShrinking = false;
  #tried = 0;

  constructor(options: DifferentialOptions) {
    this.#options = options;
  }

  async #compare(compared: ComparedStacks, contract: Contract, sample: Sample): Promise<void> {
    const differences = await compared.differencesOn(sample);
    if (this.#isShrinking) this.#options.onShrink((this.#tried += 1));
    else this.#options.onProgress((this.requests += 1));
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

  /** Serves the contract while the work runs. */
  async #serving<T>(contract: Contract, work: (compared: ComparedStacks) => Promise<T>): Promise<T> {
    const compared = await comparedStacks(contract, this.#options.stacks);
    try {
      return await work(compared);
    } finally {
      await compared.close();
    }
  }

  async ofContract(contract: Contract, requests: number): Promise<string | undefined> {
    if (requests === 0) return undefined;
    return this.#serving(contract, (compared) => {
      const property = fc.asyncProperty(samplesOf(contract), (sample) => this.#compare(compared, contract, sample));
      return this.#check(this.#options.seed, requests, property);
    });
  }

  async #ofFile(file: FileDescriptorProto, contract: Contract, samples: readonly Sample[]): Promise<void> {
    try {
      await this.#serving(contract, async (compared) => {
        for (const sample of samples) {
          if (!this.#isShrinking && this.requests >= this.#options.requests) return;
          await this.#compare(compared, contract, sample);
        }
      });
    } catch (thrown) {
      this.#isShrinking = true;
      const shown = toJsonString(FileDescriptorProtoSchema, file, { registry: contract.registry, prettySpaces: 1 });
      throw new Error(`${(thrown as Error).message}\n\n${shown}`, { cause: thrown });
    }
  }

  /** Random contracts, until all requests are made. */
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
export async function compareStacks(options: DifferentialOptions): Promise<DifferentialResult> {
  const third = Math.floor(options.requests / 3);
  const run = new DifferentialRun(options);
  const difference =
    (await run.ofContract(builtInContract(), third)) ??
    (await run.ofContract(conformanceContract(), third)) ??
    (await run.ofMadeUpContracts());
  return { requests: run.requests, difference };
}
