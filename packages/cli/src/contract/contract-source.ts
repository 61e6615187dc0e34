// Which contract a command works on: this project's, .proto files, or a compiled descriptor set; with HTTP rules that stand beside it.
import { create, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema, type FileDescriptorSet } from "@bufbuild/protobuf/wkt";
import { builtInContract, contractFromImage, type Contract } from "@roundtrip/contract";
import { descriptorSetFrom, nestingFault, withHttpRules, withOwnServices } from "@roundtrip/contract/foreign";
import { serviceOf } from "@roundtrip/contract/service";
import type { ContractSource } from "@roundtrip/runner";
import { fileFault } from "@roundtrip/runner/files";
import { temporaryFolder } from "@roundtrip/runner/lifetime";
import { readFile, stat, writeFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { CliError } from "../basics/cli-error.ts";
import { protoFilesIn } from "./proto-files.ts";
import type { RulesFile } from "./http-rules-file.ts";

/** What flags say of the contract; see `contractOptions`. */
export interface ContractFlags {
  readonly contract?: string;
  readonly protoPath?: readonly string[];
  readonly httpRules?: string;
}

/** A loaded contract, where processes load it from, and how to clean up after it. */
export interface LoadedContract extends AsyncDisposable {
  readonly contract: Contract;
  readonly source: ContractSource;
  /** Files and folders of the user's that it was read from; a change in one is a change of the contract. */
  readonly inputs: readonly string[];
}

const nothing = async (): Promise<void> => undefined;

/** `name:line:column: ` of a file as it was compiled. */
const placed = /^(\S+\.proto):(?=\d+:\d+: )/;
const placedRule = /^(?:\S+: )?(?=google\.api\.http of (\S+): )/;

/** What is wrong, with the place where the user finds it. */
function whereAndWhy(message: string, files: readonly RulesFile[], pathOf: Given["pathOf"]): string {
  const [, selected = ""] = placedRule.exec(message) ?? [];
  // What is wrong with a rule of a file shows as a method's option. Of several files the last one wins.
  const file = files.findLast(({ config }) => config.rules.some(({ selector }) => selector === selected));
  if (file !== undefined) return message.replace(placedRule, () => `${file.placeOf(selected)}: `);
  return message.replace(placed, (_, name: string) => `${pathOf(name)}:`);
}

function notServed(
  path: string,
  cause: unknown,
  files: readonly RulesFile[] = [],
  pathOf: Given["pathOf"] = (name) => name,
): CliError {
  const { message, cause: deeper } = cause as Error;
  const isMore = deeper instanceof Error && !message.endsWith(deeper.message);
  const why = whereAndWhy(isMore ? `${message}: ${deeper.message}` : message, files, pathOf);
  return new CliError("usage", `${path} is no contract that can be served: ${why.replaceAll("\n", " ")}`, { cause });
}

/** Throws a CliError unless the image is a contract whose rules make sense. */
function parse(image: Uint8Array, path: string, files: readonly RulesFile[], pathOf: Given["pathOf"]): Contract {
  try {
    const contract = contractFromImage(image);
    if (contract.operations.length === 0) throw new Error("it declares no operation");
    const fault = nestingFault(contract);
    if (fault !== undefined) throw new Error(fault);
    // Compiles the validation rules, so that errors in them are reported here rather than by the first server.
    serviceOf(contract, new Map());
    return contract;
  } catch (cause) {
    throw notServed(path, cause, files, pathOf);
  }
}

/** A contract as it was given, before rules from elsewhere. */
interface Given {
  readonly set: FileDescriptorSet;
  readonly own: ReadonlySet<string> | undefined;
  /** The folders that service configurations would be beside it in: its own, and those of its files. */
  readonly folders: readonly string[];
  /** Where a file of the set is, by its name there. */
  readonly pathOf: (name: string) => string;
}

function readSet(bytes: Uint8Array, path: string): FileDescriptorSet {
  try {
    return descriptorSetFrom(bytes);
  } catch (cause) {
    throw notServed(path, cause);
  }
}

async function given(path: string, protoPaths: readonly string[], workspace: string): Promise<Given> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) {
    const what = "give a .proto file, a folder of them, or a descriptor set";
    throw new CliError("usage", `there is no contract at ${path}; ${what}`);
  }
  const isFile = !found.isDirectory();
  const folder = isFile ? dirname(path) : path;
  if (isFile && extname(path) !== ".proto") {
    if (protoPaths.length > 0) {
      throw new CliError("usage", `--proto-path is for .proto files, and ${path} is a descriptor set`);
    }
    const bytes = await readFile(path).catch((cause: unknown) => {
      throw new CliError("usage", `cannot read the contract ${path}: ${fileFault(cause)}`, { cause });
    });
    return { set: readSet(bytes, path), own: undefined, folders: [folder], pathOf: (name) => name };
  }
  const { compileContract } = await import("./compile-contract.ts");
  const { imagePath, own, pathOf } = await compileContract({ path, isFile, protoPaths }, workspace);
  const inside = isFile ? [] : protoFilesIn(path).map((file) => dirname(file));
  return { set: readSet(await readFile(imagePath), path), own, folders: [...new Set([folder, ...inside])], pathOf };
}

function withRules(set: FileDescriptorSet, { path, config, isMeant, placeOf }: RulesFile): FileDescriptorSet {
  try {
    return withHttpRules(set, config, isMeant);
  } catch (cause) {
    const { message } = cause as Error;
    const [, selected] = /^a rule selects "([^"]+)"/.exec(message) ?? [];
    throw new CliError("usage", `${selected === undefined ? path : placeOf(selected)}: ${message}`, { cause });
  }
}

async function load(path: string, flags: ContractFlags, workspace: string): Promise<Omit<LoadedContract, symbol>> {
  const { set, own, folders, pathOf } = await given(path, flags.protoPath ?? [], workspace);
  // Loaded for contracts of others: it reads YAML.
  const { rulesBeside, rulesIn } = await import("./http-rules-file.ts");
  const files =
    flags.httpRules === undefined
      ? (await Promise.all(folders.map((folder) => rulesBeside(folder)))).flat()
      : [await rulesIn(flags.httpRules)];
  const apis = files.flatMap(({ config }) => config.apis);
  const served = files.reduce(withRules, withOwnServices(set, own, apis));
  const image = toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file: served.file }));
  const imagePath = join(workspace, "served.binpb");
  await writeFile(imagePath, image);
  const contract = parse(image, path, files, pathOf);
  const inputs = [path, ...(flags.protoPath ?? []), ...files.map((file) => file.path)];
  return { contract, source: { kind: "image", path: imagePath }, inputs: [...new Set(inputs)] };
}

/**
 * Loads the contract at a path, or this project's own without one. Rejects with a CliError that names file and line.
 * @param flags where imports are, and HTTP rules of a file of their own.
 */
export async function loadContractFrom(path: string | undefined, flags: ContractFlags = {}): Promise<LoadedContract> {
  if (path === undefined) {
    for (const [flag, value] of [
      ["--proto-path", flags.protoPath],
      ["--http-rules", flags.httpRules],
    ] as const) {
      if (value !== undefined) throw new CliError("usage", `${flag} goes with --contract`);
    }
    return { contract: builtInContract(), source: { kind: "built-in" }, inputs: [], [Symbol.asyncDispose]: nothing };
  }
  const folder = temporaryFolder("contract");
  try {
    return {
      ...(await load(path, flags, folder.path)),
      [Symbol.asyncDispose]: async () => folder[Symbol.dispose](),
    };
  } catch (thrown) {
    folder[Symbol.dispose]();
    throw thrown;
  }
}
