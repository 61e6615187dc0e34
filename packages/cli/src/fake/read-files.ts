// Reads the files of a fake: all at the start, and changed ones later.
import { noFaults, readFaultPlan, readStubs, type FaultPlan, type Stub } from "@roundtrip/fakes";
import type { FakeFiles, FakePart } from "@roundtrip/fakes/standalone";
import type { Contract } from "@roundtrip/contract";
import { loadContractFrom } from "../contract/contract-source.ts";
import type { FakeFlags } from "./fake-flags.ts";
import { measuredLatency } from "./measured-latency.ts";

interface ReadContract {
  readonly contract: Contract;
  readonly inputs: readonly string[];
}

async function readContract(flags: FakeFlags): Promise<ReadContract> {
  await using loaded = await loadContractFrom(flags.contract, flags);
  return { contract: loaded.contract, inputs: loaded.inputs };
}

async function stubsFor(contract: Contract, { stubs }: FakeFlags): Promise<readonly Stub[]> {
  return stubs === undefined ? [] : readStubs(stubs, contract);
}

async function faultsFor(contract: Contract, { faults }: FakeFlags): Promise<FaultPlan> {
  return faults === undefined ? noFaults : readFaultPlan(faults, contract, measuredLatency);
}

export interface FilesAtStart {
  readonly files: FakeFiles;
  readonly inputs: readonly string[];
}

/** Reads all files. Rejects with a CliError or a FakeError with file and line. */
export async function readFiles(flags: FakeFlags): Promise<FilesAtStart> {
  const { contract, inputs } = await readContract(flags);
  const [stubs, faults] = await Promise.all([stubsFor(contract, flags), faultsFor(contract, flags)]);
  return { files: { contract, stubs, faults }, inputs };
}

export interface ChangedFiles {
  readonly change: Partial<FakeFiles>;
  /** Empty if the contract was not read. */
  readonly inputs: readonly string[];
}

/** Reads changed files. With a new contract it reads stubs and faults again, to check them against it. */
export async function readChanged(
  parts: ReadonlySet<FakePart>,
  current: Contract,
  flags: FakeFlags,
): Promise<ChangedFiles> {
  if (parts.has("contract")) {
    const { files, inputs } = await readFiles(flags);
    return { change: files, inputs };
  }
  const [stubs, faults] = await Promise.all([
    parts.has("stubs") ? stubsFor(current, flags) : undefined,
    parts.has("faults") ? faultsFor(current, flags) : undefined,
  ]);
  return { change: { ...(stubs && { stubs }), ...(faults && { faults }) }, inputs: [] };
}
