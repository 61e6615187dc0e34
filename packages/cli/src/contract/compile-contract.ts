// Compiles .proto files with buf, together with the files that contracts commonly import and few keep a copy of.
import { mkdir, writeFile, stat } from "node:fs/promises";
import { findPackageJSON } from "node:module";
import { dirname, join, sep, extname } from "node:path";
import { CliError } from "../basics/cli-error.ts";
import { isInBufWorkspace } from "./buf-workspace.ts";
import { compileFault } from "./compile-fault.ts";
import { runBuf } from "./run-buf.ts";
import { gatherProtoFiles, protoFilesIn, type ProtoFile } from "./proto-files.ts";
import { withPlainImports } from "./proto-declarations.ts";
import { existsSync, realpathSync } from "node:fs";

const contractFolder = dirname(findPackageJSON("@roundtrip/contract", import.meta.url) ?? ".");

/** Searched after all that the user named. The rules of buf.validate are all of them, not the few that our own contract uses. */
const commonImports = ["complete-rules", "well-known", "common-imports"].map((name) => join(contractFolder, name));

/** What to compile. */
export interface ContractSources {
  /** A folder of .proto files, or one of them. */
  readonly path: string;
  readonly isFile: boolean;
  /** More folders with imported files. */
  readonly protoPaths: readonly string[];
}

/** A compiled contract. */
export interface CompiledContract {
  /** Where its descriptor set is. */
  readonly imagePath: string;
  /** The files whose services are the contract's, by their names in the set; undefined where the set itself says which are imported. */
  readonly own: ReadonlySet<string> | undefined;
  /** Where a file is, as the user would write it, by its name in the set; its name where that is not known. */
  readonly pathOf: (name: string) => string;
}

/** What is wrong with the files, in buf's words; undefined when they compile. */
async function build(input: string, imagePath: string, path = input): Promise<string | undefined> {
  const { status, how, stderr } = await runBuf(["build", input, "--output", imagePath, "--error-format", "text"], path);
  if (status === 0) return undefined;
  return stderr.trim() === "" ? `it ended with ${how}` : stderr;
}

async function writeAll(files: readonly ProtoFile[], folder: string): Promise<void> {
  await Promise.all(
    files.map(async ({ name, text }) => {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), withPlainImports(text));
    }),
  );
}

async function compileGathered(
  { path, isFile, protoPaths }: ContractSources,
  workspace: string,
): Promise<CompiledContract> {
  const given = isFile ? [path] : protoFilesIn(path);
  const folder = isFile ? dirname(path) : path;
  const { files, own } = await gatherProtoFiles(given, { folder, protoPaths, common: commonImports });
  const copy = join(workspace, "proto");
  await mkdir(copy);
  await writeAll(files, copy);
  const imagePath = join(workspace, "contract.binpb");
  const fault = await build(copy, imagePath, path);
  if (fault !== undefined) throw compileFault(path, fault, { compiled: copy, files });
  const paths = new Map(files.map((file) => [file.name, file.path]));
  return { imagePath, own, pathOf: (name) => paths.get(name) ?? name };
}

/** In a folder that buf compiles, names begin at its modules. */
function pathBelow(path: string): CompiledContract["pathOf"] {
  return (name) => protoFilesIn(path).find((file) => file.split(sep).join("/").endsWith(`/${name}`)) ?? name;
}

/** What buf says when it has not got what a buf.yaml depends on: from the registry, or because nobody has locked it. */
const lacksDependencies = (fault: string): boolean =>
  /remote is unavailable|no such host|dial tcp|connection refused|imported file does not exist/.test(fault);

/**
 * Compiles a folder, or a file with what it imports, into an image inside the workspace. A folder with a buf.yaml is compiled as that says; where its
 * dependencies cannot be had, with those that are here. Rejects with a CliError that names file and line.
 */
export async function compileContract(sources: ContractSources, workspace: string): Promise<CompiledContract> {
  const { path, isFile, protoPaths } = sources;
  if (!isFile && protoFilesIn(path).length === 0) throw new CliError("usage", `there are no .proto files in ${path}`);
  // Folders of imports are no part of a buf.yaml: who names them says where imports are.
  if (protoPaths.length > 0 || !isInBufWorkspace(isFile ? dirname(path) : path))
    return compileGathered(sources, workspace);
  const imagePath = join(workspace, "contract.binpb");
  const fault = await build(path, imagePath);
  if (fault === undefined) return { imagePath, own: undefined, pathOf: pathBelow(isFile ? dirname(path) : path) };
  const reported = compileFault(path, fault, { compiled: path, files: [] });
  if (!lacksDependencies(fault)) throw reported;
  return compileGathered(sources, workspace).catch(() => {
    throw reported;
  });
}

/** Roundtrip's own contract: where this is a checkout. */
function builtInFolder(): string | undefined {
  const contract = dirname(realpathSync(findPackageJSON("@roundtrip/contract", import.meta.url) ?? "."));
  const folder = join(contract, "..", "..", "proto");
  return existsSync(join(folder, "roundtrip", "v1")) ? folder : undefined;
}

/** None for a descriptor set, which does not hold them. Rejects with a CliError for a file that cannot be read. */
export async function protoSources(
  contract: string | undefined,
  { protoPath: protoPaths = [] }: { readonly protoPath?: readonly string[] },
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
