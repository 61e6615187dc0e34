// The service for requests without a stub: generated answers, a recorded target, or a replayed recording.
import {
  RecordingFile,
  generatedService,
  readStubs,
  recordTarget,
  replaying,
  requireReachable,
} from "@roundtrip/fakes";
import type { FakeOptions } from "@roundtrip/fakes";
import type { Contract } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { connectDefaults, loadConnect, loadStack } from "@roundtrip/stacks";
import { CliError } from "../basics/cli-error.ts";
import { requireNewFiles } from "../output/output-file.ts";
import { knownTargets } from "../targets/known-targets.ts";
import { type FakeFlags, printLeftOut, printUnsaved } from "./fake-words.ts";

export interface Fallback {
  readonly answer: FakeOptions["behind"];
  /** Whether it can answer for a changed contract. */
  readonly followsContract: boolean;
  /** Ends it after the last call. Returns the text to print. */
  end(): Promise<string>;
}

const saysNothing = (): Promise<string> => Promise.resolve("");

/** Throws a usage error for contradictory flags. */
export function checkFallbackFlags({ record, out, replay }: FakeFlags): void {
  if (record !== undefined && replay !== undefined)
    throw new CliError("usage", "--record and --replay: give one of them");
  if ((record?.targets.length ?? 1) > 1) throw new CliError("usage", "--record takes one target");
  if (record?.access.tokenEnv !== undefined) throw new CliError("usage", "--record takes no token-env");
  if ((record === undefined) !== (out === undefined)) {
    throw new CliError("usage", "--record says what is recorded, and --out where it is kept: give both");
  }
  if (out !== undefined) requireNewFiles([out]);
}

/** To a target whose calls wait for each other on a connection: one that it does not answer keeps no others waiting. */
const manyConnections = 128;

async function recorded(contract: Contract, out: string, flags: FakeFlags): Promise<Fallback> {
  const [target] = await knownTargets(flags.record);
  if (target === undefined) throw new CliError("usage", "--record requires a target");
  await requireReachable(target.url);
  const connect = await loadConnect(target.stack);
  const { callsAtOnce } = await loadStack(target.stack);
  const connections = callsAtOnce === "side-by-side" ? 1 : manyConnections;
  const client = await connect(contract, { ...connectDefaults, connections, url: target.url, ca: target.ca });
  const service = recordTarget(client, printLeftOut);
  const file = await RecordingFile.follow(out, service.recording, printUnsaved).catch(async (thrown: unknown) => {
    await client.close();
    throw thrown;
  });
  return {
    answer: () => service,
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
  if (flags.replay === undefined) return { answer: generatedService, followsContract: true, end: saysNothing };
  const replay = replaying(contract, await readStubs(flags.replay, contract));
  return { answer: () => replay(serviceOf(contract, new Map())), followsContract: false, end: saysNothing };
}
