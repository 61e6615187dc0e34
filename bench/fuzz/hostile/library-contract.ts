// The contract of the fake that is attacked. Apart from attacks: a server must not load what they need, a hundred megabytes, while its memory is measured.
import type { Contract } from "@roundtrip/contract";
import { join } from "node:path";
import { loadContractFrom } from "../../../packages/cli/src/contract/contract-source.ts";

let library: Promise<Contract> | undefined;

async function loadLibrary(): Promise<Contract> {
  await using loaded = await loadContractFrom([join(import.meta.dirname, "proto")]);
  return loaded.contract;
}

/** For every process that serves or calls the fake. */
export function libraryContract(): Promise<Contract> {
  return (library ??= loadLibrary());
}
