// The .proto files that a contract was written in, with all that they import, for those who are to read it elsewhere.
import { existsSync, realpathSync } from "node:fs";
import { stat } from "node:fs/promises";
import { findPackageJSON } from "node:module";
import { dirname, extname, join } from "node:path";
import { commonImports } from "./compile-contract.ts";
import type { ContractFlags } from "./contract-source.ts";
import { gatherProtoFiles, protoFilesIn, type ProtoFile } from "./proto-files.ts";

/** Roundtrip's own contract: where this is a checkout. */
function builtInFolder(): string | undefined {
  const contract = dirname(realpathSync(findPackageJSON("@roundtrip/contract", import.meta.url) ?? "."));
  const folder = join(contract, "..", "..", "proto");
  return existsSync(join(folder, "roundtrip", "v1")) ? folder : undefined;
}

/** None for a descriptor set, which does not hold them. Rejects with a CliError for a file that cannot be read. */
export async function protoSources(
  contract: string | undefined,
  { protoPath: protoPaths = [] }: Pick<ContractFlags, "protoPath">,
): Promise<readonly ProtoFile[]> {
  const path = contract ?? builtInFolder();
  if (path === undefined) return [];
  const isFolder = (await stat(path)).isDirectory();
  if (!isFolder && extname(path) !== ".proto") return [];
  const folder = isFolder ? path : dirname(path);
  const given = isFolder ? protoFilesIn(path) : [path];
  const { files } = await gatherProtoFiles(given, { folder, protoPaths, common: commonImports });
  return files;
}
