// Loads the contract of a command: the built-in one, .proto files, a descriptor set, or what a server or URL gives; with HTTP rules from separate files.
import { create, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema, type FileDescriptorSet } from "@bufbuild/protobuf/wkt";
import { builtInContract, contractFromImage, type Contract } from "@roundtrip/contract";
import {
  descriptorSetFrom,
  nestingFault,
  type ReadSet,
  withComments,
  withHttpRules,
  withOwnServices,
} from "@roundtrip/contract/foreign";
import { serviceOf } from "@roundtrip/contract/service";
import type { ContractSource } from "@roundtrip/runner";
import { temporaryFolder } from "@roundtrip/runner/lifetime";
import { spaceFault } from "@roundtrip/runs/files";
import { readFile, stat, writeFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { CliError } from "../basics/cli-error.ts";
import { fileLimitsMiB, readInputBytes } from "../basics/read-input.ts";
import { importsIn, protoFilesIn } from "./proto-files.ts";
import { addressedContract, isAddress, withoutNpm } from "./contract-address.ts";
import type { RulesFile } from "./http-rules-file.ts";

export interface ContractFlags {
  /** The contract's own path, address or `npm:PACKAGE`, then folders of imports and files of HTTP rules. */
  readonly contract?: readonly string[];
}

export interface LoadedContract extends AsyncDisposable {
  readonly contract: Contract;
  readonly source: ContractSource;
  /** The user's files and folders that it was read from; a change in one may change the contract. */
  readonly inputs: readonly string[];
}

const nothing = async (): Promise<void> => undefined;

/** The prefix `name:line:column: ` of a compiled file. */
const protoLocation = /^(\S+\.proto):(?=\d+:\d+: )/;

function notServed(path: string, cause: unknown, pathOf: ContractFiles["pathOf"] = (name) => name): CliError {
  const { message, cause: deeper } = cause as Error;
  const isMore = deeper instanceof Error && !message.endsWith(deeper.message);
  const whole = isMore ? `${message}: ${deeper.message}` : message;
  const why = whole.replace(protoLocation, (_, name: string) => `${pathOf(name)}:`);
  return new CliError("usage", `${path} is not a contract that can be served: ${why.replaceAll("\n", " ")}`, { cause });
}

function parse(image: Uint8Array, path: string, pathOf: ContractFiles["pathOf"]): Contract {
  try {
    const contract = contractFromImage(image);
    if (contract.operations.length === 0) throw new Error("it declares no operation");
    const fault = nestingFault(contract);
    if (fault !== undefined) throw new Error(fault);
    // Compiles the validation rules, to report their errors here instead of in the first server.
    serviceOf(contract, new Map());
    return contract;
  } catch (cause) {
    throw notServed(path, cause, pathOf);
  }
}

/** A contract as it was read, before HTTP rules of other files. */
interface ContractFiles extends ReadSet {
  readonly own: ReadonlySet<string> | undefined;
  /** Folders that may have service configurations: the contract's own, and those of its files. */
  readonly folders: readonly string[];
  readonly pathOf: (name: string) => string;
}

function readSet(bytes: Uint8Array, path: string): ReadSet {
  try {
    return descriptorSetFrom(bytes);
  } catch (cause) {
    // A server without a path: it has a contract by reflection, if at all.
    const hint = /^https?:\/\/[^/]+\/?$/.test(path) ? `; by reflection: ${path.replace("http", "grpc")}` : "";
    const why = (cause as Error).message.replaceAll("\n", " ");
    throw new CliError("usage", `${path} is not a descriptor set: ${why}${hint}`, { cause });
  }
}

function requireNoImports(path: string, protoPaths: readonly string[]): void {
  if (protoPaths.length === 0) return;
  throw new CliError(
    "usage",
    `${path} is a descriptor set, which needs no imports: leave ${protoPaths.join(", ")} out`,
  );
}

async function readContract(path: string, protoPaths: readonly string[], workspace: string): Promise<ContractFiles> {
  if (isAddress(path)) {
    requireNoImports(path, protoPaths);
    const { image, own } = await addressedContract(path);
    return { ...readSet(image, path), own, folders: [], pathOf: (name) => name };
  }
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) {
    const what = "give a .proto file, a folder of them, a descriptor set, or an address";
    throw new CliError("usage", `there is no contract at ${path}; ${what}`);
  }
  const isFile = !found.isDirectory();
  const folder = isFile ? dirname(path) : path;
  if (isFile && extname(path) !== ".proto") {
    requireNoImports(path, protoPaths);
    const bytes = readInputBytes({ path, mostMiB: fileLimitsMiB.descriptorSet, label: `the contract ${path}` });
    return { ...readSet(bytes, path), own: undefined, folders: [folder], pathOf: (name) => name };
  }
  const { compileContract } = await import("./compile-contract.ts");
  const { imagePath, own, pathOf } = await compileContract({ path, isFile, protoPaths }, workspace);
  const inside = isFile ? [] : protoFilesIn(path).map((file) => dirname(file));
  return { ...readSet(await readFile(imagePath), path), own, folders: [...new Set([folder, ...inside])], pathOf };
}

function withRules(set: FileDescriptorSet, { path, config, isMeant, locationOf }: RulesFile): FileDescriptorSet {
  try {
    return withHttpRules(set, config, isMeant);
  } catch (cause) {
    const { message } = cause as Error;
    const [, selected] = /^a rule selects "([^"]+)"/.exec(message) ?? [];
    throw new CliError("usage", `${selected === undefined ? path : locationOf(selected)}: ${message}`, { cause });
  }
}

async function load(path: string, more: readonly string[], workspace: string): Promise<Omit<LoadedContract, symbol>> {
  const protoPaths = importsIn(more);
  const rules = more.filter((one) => !protoPaths.includes(one));
  const { set, comments, own, folders, pathOf } = await readContract(path, protoPaths, workspace);
  const { rulesBeside, rulesIn } = await import("./http-rules-file.ts");
  const files =
    rules.length === 0
      ? (await Promise.all(folders.map((folder) => rulesBeside(folder)))).flat()
      : await Promise.all(rules.map((file) => rulesIn(file)));
  const apis = files.flatMap(({ config }) => config.apis);
  const served = files.reduce(withRules, withOwnServices(set, own, apis));
  const bare = toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file: served.file }));
  const image = withComments(bare, comments);
  const imagePath = join(workspace, "served.binpb");
  await writeFile(imagePath, image);
  const contract = parse(image, path, pathOf);
  const inputs = [...(isAddress(path) ? [] : [path]), ...protoPaths, ...files.map((file) => file.path)];
  return { contract, source: { kind: "image", path: imagePath }, inputs: [...new Set(inputs)] };
}

/** A contract without the files that were made to read it. */
export type ContractOfFake = Pick<LoadedContract, "contract" | "inputs">;

/** Reads the contract of a fake, which runs in this process. Rejects with a CliError with file and line. */
export async function contractOfFake(flags: ContractFlags): Promise<ContractOfFake> {
  await using loaded = await loadContractFrom(flags.contract);
  return { contract: loaded.contract, inputs: loaded.inputs };
}

/** Loads the contract at these paths or addresses, by default the built-in one. Rejects with a CliError with file and line. */
export async function loadContractFrom(paths: readonly string[] = []): Promise<LoadedContract> {
  const [path, ...more] = paths.map(withoutNpm);
  if (path === undefined) {
    return { contract: builtInContract(), source: { kind: "built-in" }, inputs: [], [Symbol.asyncDispose]: nothing };
  }
  const folder = temporaryFolder("contract");
  try {
    return {
      ...(await load(path, more, folder.path)),
      [Symbol.asyncDispose]: async () => folder[Symbol.dispose](),
    };
  } catch (thrown) {
    const { code = "" } = thrown as NodeJS.ErrnoException;
    const full = thrown instanceof CliError ? undefined : spaceFault(folder.path, code);
    folder[Symbol.dispose]();
    if (full === undefined) throw thrown;
    throw new CliError("unavailable", `cannot compile the contract ${path}: ${full}`, { cause: thrown });
  }
}
