// Compiles protobuf source that a test brings along, with the imports that contracts may use.
import { contractFromImage, type Contract } from "@roundtrip/contract";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

/** The contract that this protobuf source declares. */
export function compileContract(source: string): Contract {
  const folder = mkdtempSync(join(tmpdir(), "roundtrip-contract-"));
  try {
    cpSync(join(root, "packages/contract/well-known"), folder, { recursive: true });
    writeFileSync(join(folder, "test.proto"), source);
    const buf = join(root, "node_modules/.bin/buf");
    return contractFromImage(
      execFileSync(buf, ["build", folder, "--as-file-descriptor-set", "-o", "-"], { maxBuffer: 64 * 1024 * 1024 }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}
