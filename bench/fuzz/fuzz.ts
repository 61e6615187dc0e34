// Sends broken exchanges to the server of one stack until the time is over or the server fails.
import { knownStack } from "@roundtrip/stacks";
import { loadFuzzedStyle, type AnswerFaults } from "./fuzzed-style.ts";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { corpusFolderOf, corpusOf } from "./corpus-of.ts";
import { wellBehavedCaller, type WellBehavedCaller } from "./well-behaved-caller.ts";
import { randomFrom } from "./random.ts";
import { exchange } from "./raw-exchange.ts";
import { served, smallLimits, type Served } from "./served.ts";
import { mutatedHttp, mutatedHttp2 } from "./mutate.ts";

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
  const { answerFaults: faults } = await loadFuzzedStyle(style);
  if (faults === undefined)
    throw new Error(`${stackName}: its style does not define server faults, so it cannot be fuzzed`);
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
