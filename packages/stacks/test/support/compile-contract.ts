// Compiles protobuf source that a test brings along, with the imports that contracts may use: once in a run of the tests.
import { contractFromImage, type Contract } from "@roundtrip/contract";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findBuf } from "../../../cli/src/contract/run-buf.ts";

const contractFolder = fileURLToPath(new URL("../../../contract/", import.meta.url));

/** What may be imported: google.api, and all rules of buf.validate in the place of the few that our own contract uses. */
const importFolders = ["well-known", "common-imports", "complete-rules"].map((name) => join(contractFolder, name));

function compile(source: string, imagePath: string): void {
  const folder = mkdtempSync(join(tmpdir(), "roundtrip-contract-"));
  try {
    const proto = join(folder, "proto");
    for (const imports of importFolders) cpSync(imports, proto, { recursive: true });
    writeFileSync(join(proto, "test.proto"), source);
    const [program, ...args] = findBuf();
    const image = join(folder, "image.binpb");
    execFileSync(program, [...args, "build", proto, "--path", join(proto, "test.proto"), "--output", image]);
    // Another process may look for it meanwhile: it is there as a whole or not at all.
    renameSync(image, imagePath);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The contract that this protobuf source declares. */
export function compileContract(source: string): Contract {
  // All processes of the tests share this directory, which no other run of them has: what is imported does not change meanwhile.
  const images = join(tmpdir(), "compiled-contracts");
  mkdirSync(images, { recursive: true });
  const imagePath = join(images, `${createHash("sha256").update(source).digest("hex")}.binpb`);
  if (!existsSync(imagePath)) compile(source, imagePath);
  return contractFromImage(readFileSync(imagePath));
}
