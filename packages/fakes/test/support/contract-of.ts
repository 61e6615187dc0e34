// Contracts in tests, compiled as those of users are.
import { contractFromImage, type Contract } from "@roundtrip/contract";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const contractFolder = new URL("../../../contract/", import.meta.url).pathname;
const buf = new URL("../../../../node_modules/@bufbuild/buf/bin/buf", import.meta.url).pathname;

/** The contract of one file, which may import google.api and all rules of buf.validate. */
export function contractOf(proto: string): Contract {
  const folder = mkdtempSync(join(tmpdir(), "roundtrip-fakes-"));
  try {
    for (const library of ["well-known", "common-imports", "complete-rules"]) {
      cpSync(join(contractFolder, library), folder, { recursive: true });
    }
    writeFileSync(join(folder, "test.proto"), proto);
    const image = execFileSync(
      process.execPath,
      [buf, "build", folder, "--path", join(folder, "test.proto"), "--output", "-#format=binpb"],
      {
        stdio: ["ignore", "pipe", "inherit"],
        maxBuffer: 64 * 1024 * 1024,
      },
    );
    return contractFromImage(image);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
