// What answers requests without a stub: generated answers, targets behind which they stand, a recorded target, or a replayed recording.
import {
  RecordingFile,
  forwarding,
  generatedService,
  readStubs,
  recordTarget,
  replaying,
  requireReachable,
} from "@roundtrip/fakes";
import type { FakeOptions } from "@roundtrip/fakes";
import type { Client, Contract } from "@roundtrip/contract";
import type { Target } from "@roundtrip/runner";
import { serviceOf } from "@roundtrip/contract/service";
import { connectDefaults, loadConnect, loadStack } from "@roundtrip/stacks";
import { CliError } from "../basics/cli-error.ts";
import { requireNewFiles } from "../output/output-file.ts";
import { type FakeFlags, printLeftOut, printUnsaved } from "./fake-words.ts";

export interface Fallback {
  readonly answer: FakeOptions["behind"];
  readonly forward: FakeOptions["forward"];
  /** Whether it can answer for a changed contract. */
  readonly followsContract: boolean;
  /** Ends it after the last call. Returns the text to print. */
  end(): Promise<string>;
}

const passOn: FakeOptions["forward"] = (service) => service;
const saysNothing = (): Promise<string> => Promise.resolve("");

/** Throws a usage error for contradictory flags. */
export function checkFallbackFlags({ forward, record, out, replay }: FakeFlags): void {
  if ([forward, record, replay].filter((typed) => typed !== undefined).length > 1)
    throw new CliError("usage", "--forward, --record and --replay: give one of them");
  if (forward?.access.tokenEnv !== undefined) throw new CliError("usage", "--forward takes no token-env");
  if ((record?.targets.length ?? 1) > 1) throw new CliError("usage", "--record takes one target");
  if (record?.access.tokenEnv !== undefined) throw new CliError("usage", "--record takes no token-env");
  if ((record === undefined) !== (out === undefined)) {
    throw new CliError("usage", "--record says what is recorded, and --out where it is kept: give both");
  }
  if (out !== undefined) requireNewFiles([out]);
}

/** To a target whose calls wait for each other on a connection: one that it does not answer keeps no others waiting. */
const manyConnections = 128;

async function connectTarget({ stack, url, ca }: Target, contract: Contract): Promise<Client> {
  const connect = await loadConnect(stack);
  const { callsAtOnce } = await loadStack(stack);
  const connections = callsAtOnce === "side-by-side" ? 1 : manyConnections;
  return connect(contract, { ...connectDefaults, connections, url, ca });
}

/** Loaded here: most fakes do without. */
async function targetsOf(typed: FakeFlags["forward"]): Promise<readonly Target[]> {
  const { knownTargets } = await import("../targets/known-targets.ts");
  return knownTargets(typed);
}

async function forwarded(flags: FakeFlags): Promise<Fallback> {
  const targets = await targetsOf(flags.forward);
  const { interceptor, [Symbol.asyncDispose]: close } = forwarding(
    targets.map((target) => ({ url: target.url, connect: (contract) => connectTarget(target, contract) })),
  );
  const end = async (): Promise<string> => {
    await close();
    return "";
  };
  return { answer: generatedService, forward: interceptor, followsContract: true, end };
}

async function recorded(contract: Contract, out: string, flags: FakeFlags): Promise<Fallback> {
  const [target] = await targetsOf(flags.record);
  if (target === undefined) throw new CliError("usage", "--record requires a target");
  await requireReachable(target.url);
  const client = await connectTarget(target, contract);
  const service = recordTarget(client, printLeftOut);
  const file = await RecordingFile.follow(out, service.recording, printUnsaved).catch(async (thrown: unknown) => {
    await client.close();
    throw thrown;
  });
  return {
    answer: () => service,
    forward: passOn,
    followsContract: false,
    async end() {
      await client.close();
      const { stubs, omitted } = service.recording;
      await file.close();
      const lost = omitted === 0 ? "" : `; left out ${omitted} calls that are too large or cannot be written in JSON`;
      return `Recorded ${stubs.length} requests in ${out}${lost}.\n`;
    },
  };
}

/** The service that the flags select. Rejects with a CliError or a FakeError. */
export async function fallbackService(contract: Contract, flags: FakeFlags): Promise<Fallback> {
  if (flags.out !== undefined) return recorded(contract, flags.out, flags);
  if (flags.forward !== undefined) return forwarded(flags);
  const made = { forward: passOn, end: saysNothing };
  if (flags.replay === undefined) return { ...made, answer: generatedService, followsContract: true };
  const replay = replaying(contract, await readStubs(flags.replay, contract));
  return { ...made, answer: () => replay(serviceOf(contract, new Map())), followsContract: false };
}
