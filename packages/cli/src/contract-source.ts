// Which contract a command works on: this project's, a folder of .proto files, or a compiled descriptor set.
import { builtInContract, contractFromImage, type Contract } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { fileFault, type ContractSource } from "@roundtrip/runner";
import { rmSync } from "node:fs";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CliError } from "./cli-error.ts";
import { compileContract } from "./compile-contract.ts";

/** A loaded contract, where processes load it from, and how to clean up after it. */
export interface LoadedContract extends AsyncDisposable {
  readonly contract: Contract;
  readonly source: ContractSource;
}

const nothing = async (): Promise<void> => undefined;

/** Throws a CliError unless the image is a contract whose rules make sense. */
function parse(image: Uint8Array, path: string): Contract {
  try {
    const contract = contractFromImage(image);
    if (contract.operations.length === 0) throw new Error("it declares no operation");
    // Compiles the validation rules: what is wrong with them is told here, not by the first server.
    serviceOf(contract, new Map());
    return contract;
  } catch (cause) {
    const { message, cause: deeper } = cause as Error;
    const why = deeper instanceof Error ? `${message}: ${deeper.message}` : message;
    throw new CliError("usage", `${path} is no contract that can be served: ${why.replaceAll("\n", " ")}`, { cause });
  }
}

async function fromFile(path: string): Promise<LoadedContract> {
  const image = await readFile(path).catch((cause: unknown) => {
    throw new CliError("usage", `cannot read the contract ${path}: ${fileFault(cause)}`, { cause });
  });
  return { contract: parse(image, path), source: { kind: "image", path }, [Symbol.asyncDispose]: nothing };
}

async function fromFolder(path: string): Promise<LoadedContract> {
  const room = await mkdtemp(join(tmpdir(), "roundtrip-contract-"));
  // Ctrl-C ends a program that is compiling without coming back here.
  const onExit = (): void => rmSync(room, { recursive: true, force: true });
  process.once("exit", onExit);
  const leave = async (): Promise<void> => {
    await rm(room, { recursive: true, force: true });
    process.off("exit", onExit);
  };
  try {
    const imagePath = await compileContract(path, room);
    const contract = parse(await readFile(imagePath), path);
    return { contract, source: { kind: "image", path: imagePath }, [Symbol.asyncDispose]: leave };
  } catch (thrown) {
    await leave();
    throw thrown;
  }
}

/** Loads the contract at a path, or this project's own without one. Rejects with a CliError that names file and line. */
export async function loadContractFrom(path: string | undefined): Promise<LoadedContract> {
  if (path === undefined) {
    return { contract: builtInContract(), source: { kind: "built-in" }, [Symbol.asyncDispose]: nothing };
  }
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) {
    throw new CliError("usage", `there is no contract at ${path}; give a folder of .proto files, or a descriptor set`);
  }
  return found.isDirectory() ? fromFolder(path) : fromFile(path);
}
