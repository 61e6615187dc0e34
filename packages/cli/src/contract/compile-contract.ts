// Compiles .proto files with buf, with bundled copies of commonly imported files.
import { existsSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { loadRuleLibrary, seemsToNeedValidator } from "@roundtrip/contract/service";
import { spaceFault } from "@roundtrip/runs/files";
import {
  gatherProtoFiles,
  isInside,
  type ProtoFile,
  protoFilesIn,
  requireProtoFiles,
  withPlainImports,
} from "./proto-files.ts";
import { CliError } from "../basics/cli-error.ts";
import { fileLimitsMiB, readInput } from "../basics/read-input.ts";
import { mkdir, writeFile } from "node:fs/promises";
import { findPackageJSON } from "node:module";
import { runBuf } from "./run-buf.ts";

export interface BufWorkspace {
  /** The folder of its configuration. */
  readonly root: string;
  /** The folders that import paths begin at, as absolute paths. */
  readonly modules: readonly string[];
  /** The modules of a registry that it imports from, such as `buf.build/googleapis/googleapis`. */
  readonly dependencies: readonly string[];
}

function textsIn(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((item) => typeof item === "string") : [];
}

/** A `buf.yaml` (version 2) or `buf.work.yaml`. Its own folder is the module if it lists none. */
async function readConfiguration(file: string): Promise<BufWorkspace> {
  const folder = dirname(file);
  // buf would wait for the writer of a pipe.
  const text = readInput({ path: file, mostMiB: fileLimitsMiB.bufConfiguration });
  // Loaded for buf's own workspaces only.
  const { parse } = await import("yaml");
  let config: unknown;
  try {
    config = parse(text);
  } catch {
    // buf itself reports what is wrong with it.
  }
  if (typeof config !== "object" || config === null) return { root: folder, modules: [folder], dependencies: [] };
  const { modules, directories, deps } = config as {
    readonly modules?: unknown;
    readonly directories?: unknown;
    readonly deps?: unknown;
  };
  const listed = Array.isArray(modules)
    ? modules.map((module: unknown) => (module as { path?: unknown } | null)?.path)
    : [];
  const paths = [...textsIn(listed), ...textsIn(directories)];
  return {
    root: folder,
    modules: paths.length === 0 ? [folder] : paths.map((path) => join(folder, path)),
    dependencies: textsIn(deps),
  };
}

/** The workspace that this folder belongs to, or contains; undefined without one. Installed packages do not count. */
async function bufWorkspaceOf(path: string): Promise<BufWorkspace | undefined> {
  const folder = resolve(path);
  for (let at = folder; ; at = dirname(at)) {
    const file = ["buf.yaml", "buf.work.yaml"].map((name) => join(at, name)).find((name) => existsSync(name));
    if (file !== undefined) {
      // oxlint-disable-next-line no-await-in-loop -- the first folder that has one is the last
      const workspace = await readConfiguration(file);
      const isPart = workspace.modules.some((module) => isInside(module, folder) || isInside(folder, module));
      return isPart ? workspace : undefined;
    }
    if (basename(at) === "node_modules" || existsSync(join(at, ".git")) || dirname(at) === at) return undefined;
  }
}

interface Compiled {
  readonly compiled: string;
  /** The files in it; empty if buf read the user's own files. */
  readonly files: readonly ProtoFile[];
}

/** Further lines mostly follow from the first ones. */
const mostLines = 10;

const unknownRule = /cannot find message field|unknown extension buf\.validate/;
const isMissingImport = (line: string): boolean => line.includes("imported file does not exist");

const isSyntaxFault = (line: string): boolean => /unexpected |unterminated |unrecognized |syntax error/.test(line);

/** Causes before what follows from them: names are unknown because an import is missing, or the text around their declaration is not read. */
function causeRank(line: string): number {
  if (isSyntaxFault(line)) return 0;
  if (isMissingImport(line)) return 1;
  return /cannot find `.*` in this scope/.test(line) ? 3 : 2;
}

/** `path:line:column: message` with the user's path, or the name of a missing import. */
function shown(line: string, path: string, { compiled, files }: Compiled): string {
  const text = line.trim().replace(/^Failure: /, "");
  const file = files.find(({ name }) => text.startsWith(`${join(compiled, name)}:`));
  const plain =
    file === undefined
      ? text.replaceAll(compiled, path)
      : `${file.path}${text.slice(join(compiled, file.name).length)}`;
  const located = /^(.+?):(\d+):(\d+):\s*(.*)$/s.exec(plain);
  if (located === null) return plain;
  const [, where, row, column, message = ""] = located;
  const missing = isMissingImport(message) && file?.imports.find((site) => site.line === Number(row));
  return `${where}:${row}:${column}: ${message}${missing ? `: ${missing.name}` : ""}`;
}

function advice(fault: string, lines: readonly string[], { files }: Compiled): readonly string[] {
  const advices: string[] = [];
  if (unknownRule.test(fault) && fault.includes("buf.validate.")) {
    advices.push(
      "the rules known here are those of protovalidate 1.2; a buf/validate/validate.proto in the folder itself is used instead",
    );
  }
  if (files.length > 0 && lines.some(isMissingImport)) {
    advices.push("--contract PATH,FOLDER names the folder that the path of an imported file begins at");
  }
  if (/cannot find `google\.api\.http` in this scope/.test(fault)) {
    advices.push('google.api.http takes an import "google/api/annotations.proto"');
  }
  return advices;
}

function compileFault(path: string, fault: string, compiled: Compiled): CliError {
  const lines = [...new Set(fault.split("\n").filter((line) => line.trim() !== ""))];
  const ordered = lines.toSorted((a, b) => causeRank(a) - causeRank(b));
  const [first = "", ...others] = ordered.slice(0, mostLines).map((line) => shown(line, path, compiled));
  const more = lines.length > mostLines ? [`and ${lines.length - mostLines} more`] : [];
  const text = [...others, ...more, ...advice(fault, lines, compiled)].map((line) => `\n  ${line}`).join("");
  return new CliError("usage", `the contract in ${path} does not compile: ${first}${text}`);
}

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
  const full = spaceFault(dirname(imagePath), stderr);
  if (full !== undefined) throw new CliError("unavailable", `cannot compile the contract in ${path}: ${full}`);
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
  const modules = (await bufWorkspaceOf(folder))?.modules ?? [];
  const { files, own } = await gatherProtoFiles(given, { folder, modules, protoPaths, common: commonImports });
  const copy = join(workspace, "proto");
  await mkdir(copy);
  await writeAll(files, copy);
  const imagePath = join(workspace, "contract.binpb");
  const building = build([copy], imagePath, path);
  // What checks rules beyond plain ones is needed next: it is loaded while buf runs.
  if (files.some(({ name, text }) => own.has(name) && seemsToNeedValidator(text))) loadRuleLibrary();
  const fault = await building;
  if (fault !== undefined) throw compileFault(path, fault, { compiled: copy, files });
  const paths = new Map(files.map((file) => [file.name, file.path]));
  return { imagePath, own, pathOf: (name) => paths.get(name) ?? name };
}

/** In a folder that buf compiles, file names are relative to its modules. */
function pathBelow(path: string): CompiledContract["pathOf"] {
  return (name) => protoFilesIn(path).find((file) => file.split(sep).join("/").endsWith(`/${name}`)) ?? name;
}

/** Whether buf lacks a dependency of a buf.yaml: it is not in its cache, or not locked. */
const lacksDependencies = (fault: string): boolean =>
  /remote is unavailable|dial tcp|connection refused|imported file does not exist/.test(fault);

/** buf takes workspaces, modules and files. Of any other folder it takes the workspace, and a filter. */
function bufInput({ path, isFile }: ContractSources, { root, modules }: BufWorkspace): readonly string[] {
  const folder = resolve(path);
  const isPart = !isFile && modules.some((module) => module !== folder && folder.startsWith(module + sep));
  return isPart ? [root, "--path", folder] : [path];
}

/** A fault that also names what buf would need. */
function withDependencies(thrown: unknown, { dependencies }: BufWorkspace): unknown {
  if (!(thrown instanceof CliError) || dependencies.length === 0) return thrown;
  const note = `buf.yaml imports from ${dependencies.join(", ")}, which buf's cache does not have: "buf build" downloads it`;
  return new CliError(thrown.code, `${thrown.message}\n  ${note}`, { cause: thrown });
}

/** Compiles a folder or file into an image in the workspace, by its buf.yaml or with the bundled imports. Rejects with file and line. */
export async function compileContract(sources: ContractSources, workspace: string): Promise<CompiledContract> {
  const { path, isFile, protoPaths } = sources;
  if (!isFile && protoFilesIn(path).length === 0) throw new CliError("usage", `there are no .proto files in ${path}`);
  // A buf.yaml has no folders of imports: named ones replace its configuration.
  const bufWorkspace = await bufWorkspaceOf(isFile ? dirname(path) : path);
  if (protoPaths.length > 0 || bufWorkspace === undefined) return compileGathered(sources, workspace);
  requireProtoFiles(bufWorkspace.modules);
  const imagePath = join(workspace, "contract.binpb");
  const fault = await build(bufInput(sources, bufWorkspace), imagePath, path);
  if (fault === undefined) return { imagePath, own: undefined, pathOf: pathBelow(isFile ? dirname(path) : path) };
  if (!lacksDependencies(fault)) throw compileFault(path, fault, { compiled: path, files: [] });
  return compileGathered(sources, workspace).catch((thrown: unknown) => {
    throw withDependencies(thrown, bufWorkspace);
  });
}
