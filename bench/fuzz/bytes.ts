// Sends captured calls with broken bytes to the server of one stack until the time is over or the server fails.
import { knownStack, loadStack } from "@roundtrip/stacks";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { capturedCorpus } from "./captured-calls.ts";
import { type AnswerFaults, loadFuzzedStyle } from "./fuzzed-style.ts";
import { mutatedHttp, mutatedHttp2, randomFrom } from "./mutate.ts";
import { PoliteCaller } from "./polite-caller.ts";
import { exchange } from "./raw-exchange.ts";
import { served, smallLimits, type Served } from "./served.ts";

export interface FuzzOptions {
  readonly stackName: string;
  readonly seed: number;
  readonly limitMs: number;
  /** The maximum number of exchanges. */
  readonly exchanges: number;
  /** Files with bytes to send first: those of an earlier failure. */
  readonly first?: readonly string[];
}

export interface FuzzResult {
  readonly exchanges: number;
  /** The failure of the server, and the files with the bytes that caused it; undefined if there was none. */
  readonly failure: { readonly what: string; readonly files: readonly string[] } | undefined;
}

/** Concurrent exchanges, each on a connection of its own. */
const atOnce = 16;
/** The server waits for the rest of an incomplete request; a fuzzer need not. */
const listenMs = 150;

/** The conformance case of messages that nobody can parse. A library that answers them as INTERNAL deviates from it. */
const unparsableCase = "RT-0183";
const internalFault = /"internal"|grpc-status 13|HTTP\/1\.1 500/;

/** The signs of a fault of this stack's server: INTERNAL is none where the library answers unparsable messages so. */
async function faultsOf(stackName: string): Promise<AnswerFaults> {
  const { answerFaults } = await loadFuzzedStyle(knownStack(stackName).style);
  if (answerFaults === undefined)
    throw new Error(`${stackName}: its style does not define server faults, so it cannot be fuzzed`);
  const { deviations } = await loadStack(stackName);
  if (!deviations.some(({ caseId }) => caseId === unparsableCase)) return answerFaults;
  return {
    ...answerFaults,
    faultIn(answer) {
      const fault = answerFaults.faultIn(answer);
      return fault !== undefined && internalFault.test(fault) ? undefined : fault;
    },
  };
}

const limits = { ...smallLimits, maxConnections: 1_000 };

interface Failure {
  readonly what: string;
  /** The bytes that caused it, or those of the whole batch. */
  readonly inputs: readonly Buffer[];
}

/** The failure of the server over one batch. */
async function failureOver(
  inputs: readonly Buffer[],
  target: Served,
  faults: AnswerFaults,
  caller: PoliteCaller,
): Promise<Failure | undefined> {
  const answers = await Promise.all(
    inputs.map((input) =>
      exchange({ url: target.url, pieces: [input], pauseMs: 0, listenMs, isComplete: faults.isComplete }),
    ),
  );
  for (const [index, { bytes }] of answers.entries()) {
    const fault = faults.faultIn(bytes);
    if (fault !== undefined) return { what: `it answered ${fault}`, inputs: inputs.slice(index, index + 1) };
  }
  try {
    await caller.nextAnswer();
  } catch (thrown) {
    return { what: target.end() ?? `a polite call failed: ${String(thrown)}`, inputs };
  }
  return undefined;
}

function writeInputs(inputs: readonly Buffer[]): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), "roundtrip-fuzz-"));
  return inputs.map((input, index) => {
    const file = join(folder, `${index}.bin`);
    writeFileSync(file, input);
    return file;
  });
}

/** Sends calls of the stack's client as they are, then broken. Rejects for a stack whose style does not define faults of a server. */
export async function fuzzBytes(options: FuzzOptions): Promise<FuzzResult> {
  const { stackName, seed, limitMs, first = [] } = options;
  const faults = await faultsOf(stackName);
  const mutated = faults.framing === "http/2" ? mutatedHttp2 : mutatedHttp;
  const random = randomFrom(seed);
  const target = await served(stackName, { limits });
  const caller = await PoliteCaller.of(stackName, target.url);
  try {
    const corpus = await capturedCorpus(target, seed);
    const startedAt = Date.now();
    const unchanged = [...first.map((file) => readFileSync(file)), ...corpus];
    let exchanges = 0;
    while (exchanges < options.exchanges && Date.now() - startedAt < limitMs) {
      const inputs = Array.from({ length: atOnce }, (_, index) => {
        return unchanged[exchanges + index] ?? mutated(random.pick(corpus), corpus, random);
      });
      const failure = await failureOver(inputs, target, faults, caller);
      if (failure !== undefined) {
        return { exchanges, failure: { what: failure.what, files: writeInputs(failure.inputs) } };
      }
      exchanges += inputs.length;
    }
    return { exchanges, failure: undefined };
  } finally {
    await caller.close();
    await target.close();
  }
}
