// Reads the contract of a fake. A file of its own, because it is read while the rest of the program is loaded.
import type { Contract } from "@roundtrip/contract";
import { type ContractFlags, loadContractFrom } from "../contract/contract-source.ts";

export interface ReadContract {
  readonly contract: Contract;
  readonly inputs: readonly string[];
}

/** Rejects with a CliError with file and line. */
export async function readContract(flags: ContractFlags): Promise<ReadContract> {
  await using loaded = await loadContractFrom(flags.contract);
  return { contract: loaded.contract, inputs: loaded.inputs };
}
