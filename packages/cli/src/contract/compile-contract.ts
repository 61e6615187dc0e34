// Compiles .proto files with buf, with bundled copies of commonly imported files.
import { mkdir, writeFile, stat } from "node:fs/promises";
import { findPackageJSON } from "node:module";
import { dirname, extname, join, resolve, sep } from "node:path";
import { CliError } from "../basics/cli-error.ts";
import { bufWorkspaceOf, type BufWorkspace } from "./buf-workspace.ts";
import { compileFault } from "./compile-fault.ts";
import { runBuf } from "./run-buf.ts";
import { gatherProtoFiles, protoFilesIn, type ProtoFile } from "./proto-files.ts";
import { withPlainImports } from "./proto-declarations.ts";
import { existsSync, realpathSync } from "node:fs";

const contractFolder = dirname(findPackageJSON("@roundtrip/contract", import.meta.url) ?? ".");

/** Searched after the user's paths. Has all rules of buf.validate, not only those that the built-in contract uses. */
const commonImports = ["complete-rules", "well-known", "common-imports"].map((name) => join(contractFolder, name));

export interface ContractSources {
  /** A folder of .proto files, or one file. */
  readonly path: string;
  readonly isFile: boolean;
  readonly protoPaths: readonly string[];
}

export interface CompiledContract {
  readonly imagePath: string;
  /** The files whose services are the contract's, by name in the set; undefined if the set itself marks imports. */
  readonly own: ReadonlySet<string> | undefined;
  /** The path of a file, as the user would write it, by name in the set; the name if unknown. */
  readonly pathOf: (name: string) => string;
}

/** buf's error message; undefined if the files compile. @param input the arguments that name them */
async function build(input: readonly string[], imagePath: string, path: string): Promise<string | undefined> {
  const args = ["build", ...input, "--output", imagePath, "--error-format", "text"];
  const { status, how, stderr } = await runBuf(args, path);
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
  const modules = bufWorkspaceOf(folder)?.modules ?? [];
  const { files, own } = await gatherProtoFiles(given, { folder, modules, protoPaths, common: commonImports });
  const copy = join(workspace, "proto");
  await mkdir(copy);
  await writeAll(files, copy);
  const imagePath = join(workspace, "contract.binpb");
  const fault = await build([copy], imagePath, path);
  if (fault !== undefined) throw compileFault(path, fault, { compiled: copy, files });
  const paths = new Map(files.map((file) => [file.name, file.path]));
  return { imagePath, own, pathOf: (name) => paths.get(name) ?? name };
}

/** In a folder that buf compiles, file names are relative to its modules. */
function pathBelow(path: string): CompiledContract["pathOf"] {
  return (name) => protoFilesIn(path).find((file) => file.split(sep).join("/").endsWith(`/${name}`)) ?? name;
}

/** Whether buf lacks a dependency of a buf.yaml: the registry is unreachable, or the dependency is not locked. */
const lacksDependencies = (fault: string): boolean =>
  /remote is unavailable|no such host|dial tcp|connection refused|imported file does not exist/.test(fault);

/** buf takes workspaces, modules and files. Of any other folder it takes the workspace, and a filter. */
function bufInput({ path, isFile }: ContractSources, { root, modules }: BufWorkspace): readonly string[] {
  const folder = resolve(path);
  const isPart = !isFile && modules.some((module) => module !== folder && folder.startsWith(module + sep));
  return isPart ? [root, "--path", folder] : [path];
}

/** A fault that also names what buf would need. */
function withDependencies(thrown: unknown, { dependencies }: BufWorkspace): unknown {
  if (!(thrown instanceof CliError) || dependencies.length === 0) return thrown;
  const note = `buf.yaml imports from ${dependencies.join(", ")}, which buf does not have on this machine`;
  return new CliError(thrown.code, `${thrown.message}\n  ${note}`, { cause: thrown });
}

/**
 * Compiles a folder, or a file with its imports, into an image in the workspace. Uses a folder's buf.yaml; if its dependencies are unavailable, uses
 * the bundled imports. Rejects with a CliError with file and line.
 */
export async function compileContract(sources: ContractSources, workspace: string): Promise<CompiledContract> {
  const { path, isFile, protoPaths } = sources;
  if (!isFile && protoFilesIn(path).length === 0) throw new CliError("usage", `there are no .proto files in ${path}`);
  // A buf.yaml has no folders of imports: --proto-path replaces its configuration.
  const bufWorkspace = bufWorkspaceOf(isFile ? dirname(path) : path);
  if (protoPaths.length > 0 || bufWorkspace === undefined) return compileGathered(sources, workspace);
  const imagePath = join(workspace, "contract.binpb");
  const fault = await build(bufInput(sources, bufWorkspace), imagePath, path);
  if (fault === undefined) return { imagePath, own: undefined, pathOf: pathBelow(isFile ? dirname(path) : path) };
  if (!lacksDependencies(fault)) throw compileFault(path, fault, { compiled: path, files: [] });
  return compileGathered(sources, workspace).catch((thrown: unknown) => {
    throw withDependencies(thrown, bufWorkspace);
  });
}

function builtInFolder(): string | undefined {
  const contract = dirname(realpathSync(findPackageJSON("@roundtrip/contract", import.meta.url) ?? "."));
  const folder = join(contract, "..", "..", "proto");
  return existsSync(join(folder, "roundtrip", "v1")) ? folder : undefined;
}

/** The .proto files of a contract; empty for a descriptor set, which has none. Rejects with a CliError for an unreadable file. */
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
  const modules = bufWorkspaceOf(folder)?.modules ?? [];
  const { files } = await gatherProtoFiles(given, { folder, modules, protoPaths, common: commonImports });
  return files;
}
