// Sends broken exchanges to the server of one stack until the time is over or the server fails.
import { knownStack, loadStack } from "@roundtrip/stacks";
import { loadFuzzedStyle, type AnswerFaults } from "./fuzzed-style.ts";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { corpusFolderOf, corpusOf } from "./corpus.ts";
import { wellBehavedCaller, type WellBehavedCaller } from "./well-behaved-caller.ts";
import { mutatedHttp, mutatedHttp2, randomFrom } from "./mutate.ts";
import { exchange } from "./raw-exchange.ts";
import { served, smallLimits, type Served } from "./served.ts";

export interface FuzzOptions {
  readonly stackName: string;
  readonly seed: number;
  readonly limitMs: number;
  /** The maximum number of exchanges. */
  readonly exchanges: number;
}

export interface FuzzResult {
  readonly exchanges: number;
  /** The failure of the server, and the file with the exchange that caused it; undefined if there was none. */
  readonly failure: { readonly what: string; readonly file: string } | undefined;
}

/** Concurrent exchanges, each on a connection of its own. */
const atOnce = 16;
/** The server waits for the rest of an incomplete request; a fuzzer need not. */
const listenMs = 150;

/** The conformance case of messages that nobody can parse. A library that answers them as INTERNAL deviates from it. */
const unparsableCase = "RT-0183";
const internalFault = /"internal"|grpc-status 13|HTTP\/1\.1 500/;

/** The signs of a fault of this stack's server: INTERNAL is none where the library answers unparsable messages so. */
async function faultsOf(stackName: string, faults: AnswerFaults): Promise<AnswerFaults> {
  const { deviations } = await loadStack(stackName);
  if (!deviations.some(({ caseId }) => caseId === unparsableCase)) return faults;
  return {
    ...faults,
    faultIn(answer) {
      const fault = faults.faultIn(answer);
      return fault !== undefined && internalFault.test(fault) ? undefined : fault;
    },
  };
}

const limits = { ...smallLimits, maxConnections: 1_000 };

/** The failure of the server over one batch, with the inputs that caused it. */
async function faultOver(
  inputs: readonly Buffer[],
  {
    target,
    faults,
    caller,
  }: { readonly target: Served; readonly faults: AnswerFaults; readonly caller: WellBehavedCaller },
): Promise<{ readonly what: string; readonly inputs: readonly Buffer[] } | undefined> {
  const heard = await Promise.all(
    inputs.map((input) =>
      exchange({ url: target.url, pieces: [input], pauseMs: 0, listenMs, isComplete: faults.isComplete }),
    ),
  );
  for (const [index, { bytes }] of heard.entries()) {
    const fault = faults.faultIn(bytes);
    if (fault !== undefined) return { what: `it answered ${fault}`, inputs: inputs.slice(index, index + 1) };
  }
  try {
    await caller.call();
  } catch (thrown) {
    return { what: target.end() ?? `a polite call failed: ${String(thrown)}`, inputs };
  }
  return undefined;
}

function kept({ stackName, seed }: FuzzOptions, exchanges: number, inputs: readonly Buffer[]): string {
  const folder = join(corpusFolderOf(knownStack(stackName).style), "failures");
  mkdirSync(folder, { recursive: true });
  const files = inputs.map((input, index) => {
    const file = join(folder, `${seed}-${exchanges}-${index}.bin`);
    writeFileSync(file, input);
    return file;
  });
  return files.join(", ");
}

/** Sends the corpus as it is, then broken. Rejects for a style without a corpus, or one that does not define faults of a server. */
export async function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  const { stackName, seed, limitMs } = options;
  const { style } = knownStack(stackName);
  const { answerFaults } = await loadFuzzedStyle(style);
  if (answerFaults === undefined)
    throw new Error(`${stackName}: its style does not define server faults, so it cannot be fuzzed`);
  const faults = await faultsOf(stackName, answerFaults);
  const mutated = faults.framing === "http/2" ? mutatedHttp2 : mutatedHttp;
  const corpus = corpusOf(style);
  const random = randomFrom(seed);
  const target = await served(stackName, limits);
  const caller = await wellBehavedCaller(stackName, target.url);
  const startedAt = Date.now();
  try {
    let exchanges = 0;
    while (exchanges < options.exchanges && Date.now() - startedAt < limitMs) {
      const inputs = Array.from({ length: atOnce }, (_, index) => {
        return corpus[exchanges + index] ?? mutated(random.pick(corpus), corpus, random);
      });
      const fault = await faultOver(inputs, { target, faults, caller });
      if (fault !== undefined) {
        return { exchanges, failure: { what: fault.what, file: kept(options, exchanges, fault.inputs) } };
      }
      exchanges += inputs.length;
    }
    return { exchanges, failure: undefined };
  } finally {
    await caller.close();
    await target.close();
  }
}
