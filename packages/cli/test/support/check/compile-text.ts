// A contract from text, compiled by the same code as a user's folder.
import { mkdtempSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Contract } from "@roundtrip/contract";
import { loadContractFrom } from "../../../src/contract/contract-source.ts";

/** Compiles files, by their names, into a contract. */
export async function compileFiles(files: Readonly<Record<string, string>>): Promise<Contract> {
  const folder = mkdtempSync(join(tmpdir(), "roundtrip-check-test-"));
  try {
    await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)));
    await using loaded = await loadContractFrom(folder);
    return loaded.contract;
  } finally {
    await rm(folder, { recursive: true });
  }
}
