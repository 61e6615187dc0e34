// Which contract a command works on: this project's, a folder of .proto files, or a compiled descriptor set.
import { builtInContract, contractFromImage, type Contract } from "@roundtrip/contract";
import type { ContractSource } from "@roundtrip/runner";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { findPackageJSON } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { CliError } from "./cli-error.ts";

/** A loaded contract, where processes load it from, and how to clean up after it. */
export interface LoadedContract extends AsyncDisposable {
  readonly contract: Contract;
  readonly source: ContractSource;
}

const compileTimeoutMs = 60_000;

function compile(directory: string, imagePath: string): Promise<void> {
  const buf = join(dirname(findPackageJSON("@bufbuild/buf", import.meta.url) ?? "."), "bin", "buf");
  return new Promise((resolve, reject) => {
    const command = [buf, "build", directory, "--output", imagePath, "--error-format", "text"];
    execFile(process.execPath, command, { timeout: compileTimeoutMs }, (error, _stdout, stderr) => {
      if (error === null) resolve();
      else {
        const lines = stderr.trim() === "" ? error.message : stderr.trim();
        reject(new CliError("usage", `The contract in ${directory} does not compile:\n${lines}`));
      }
    });
  });
}

function parse(image: Uint8Array, path: string): Contract {
  try {
    return contractFromImage(image);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CliError("usage", `${path} is not a contract: ${why}`, { cause });
  }
}

/** Loads the contract at a path, or this project's own without one. Rejects with a CliError that names file and line. */
export async function loadContractFrom(path: string | undefined): Promise<LoadedContract> {
  if (path === undefined) {
    return {
      contract: builtInContract(),
      source: { kind: "built-in" },
      [Symbol.asyncDispose]: async () => undefined,
    };
  }
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new CliError("usage", `There is no contract at ${path}.`);
  if (found.isFile()) {
    return {
      contract: parse(await readFile(path), path),
      source: { kind: "image", path },
      [Symbol.asyncDispose]: async () => undefined,
    };
  }
  const room = await mkdtemp(join(tmpdir(), "roundtrip-contract-"));
  const imagePath = join(room, "contract.binpb");
  try {
    await compile(path, imagePath);
    return {
      contract: parse(await readFile(imagePath), path),
      source: { kind: "image", path: imagePath },
      [Symbol.asyncDispose]: () => rm(room, { recursive: true, force: true }),
    };
  } catch (thrown) {
    await rm(room, { recursive: true, force: true });
    throw thrown;
  }
}
