// Collects the .proto files of a contract: the given ones and all their imports, each once.
import { stat } from "node:fs/promises";
import { existsSync, globSync } from "node:fs";
import { basename, dirname, extname, join, relative, resolve, sep } from "node:path";
import { CliError } from "../basics/cli-error.ts";
import { fileLimitsMiB, readInput, requireInput } from "../basics/read-input.ts";

export interface ImportSite {
  /** The imported file, without the `./` that some tools accept. */
  readonly name: string;
  /** From 1. */
  readonly line: number;
}

export interface ProtoDeclarations {
  /** Empty without a package. */
  readonly protoPackage: string;
  readonly imports: readonly ImportSite[];
}

// Matches comments and strings as a whole, so that their content is not read as statements. Those without an end, which the compiler refuses, reach to the end
// of the file or line: each character is read once.
const statement =
  /\/\/.*|\/\*[^]*?(?:\*\/|$)|\bpackage\s+([\w.]+)\s*;|\bimport\s+(?:(?:public|weak|option)\s+)?(?:"([^"\n]+)"|'([^'\n]+)')|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?/g;

function withoutDot(name: string): string {
  return name.replace(/^(?:\.\/)+/, "");
}

function declarationsIn(text: string): ProtoDeclarations {
  let protoPackage = "";
  const imports: ImportSite[] = [];
  let line = 1;
  let at = 0;
  for (const match of text.matchAll(statement)) {
    const [, named, double, single] = match;
    if (named !== undefined && protoPackage === "") protoPackage = named;
    const imported = double ?? single;
    if (imported === undefined) continue;
    for (; at < match.index; at += 1) if (text[at] === "\n") line += 1;
    imports.push({ name: withoutDot(imported), line });
  }
  return { protoPackage, imports };
}

/** Replaces `import "./a.proto"` with the equivalent `import "a.proto"`. Keeps line numbers. */
export function withPlainImports(text: string): string {
  return text.replaceAll(/(\bimport\s+(?:(?:public|weak|option)\s+)?["'])(?:\.\/)+/g, "$1");
}

export interface ProtoFile {
  /** The import path, with slashes: `shop/v1/shop.proto`. */
  readonly name: string;
  /** The location, as the user would write it. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly ImportSite[];
}

export interface ProtoFiles {
  /** The given files first, then their imports. */
  readonly files: readonly ProtoFile[];
  /** Names of the given files, which declare the contract. */
  readonly own: ReadonlySet<string>;
}

const mostFiles = 4_000;
const mostBytes = 64 * 1024 * 1024;

/** Whether the compiler includes the file itself. */
const isBuiltIn = (name: string): boolean =>
  /^google\/protobuf\/(?:any|api|compiler\/plugin|cpp_features|descriptor|duration|empty|field_mask|go_features|java_features|source_context|struct|timestamp|type|wrappers)\.proto$/.test(
    name,
  );

function slashed(path: string): string {
  return path.split(sep).join("/");
}

/** Whether a path is in a folder: `../shop` is not; `shop` and `` are. */
export function isInside(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return inside !== ".." && !inside.startsWith(`..${sep}`);
}

/** All .proto files in a folder, without those of installed packages. */
export function protoFilesIn(folder: string): readonly string[] {
  const found = globSync("**/*.proto", {
    cwd: folder,
    exclude: (path) => [".git", "node_modules"].includes(basename(path)),
  });
  if (found.length > mostFiles) {
    throw new CliError(
      "usage",
      `${folder} holds ${found.length} .proto files, more than ${mostFiles}; name one of them`,
    );
  }
  return found.toSorted().map((path) => join(folder, path));
}

/** Throws a usage error for a .proto file in these folders that is no regular file: buf would wait for the writer of a pipe. */
export function requireProtoFiles(folders: readonly string[]): void {
  for (const path of folders.flatMap(protoFilesIn)) requireInput({ path, label: `the contract ${path}` });
}

interface GivenFile {
  readonly path: string;
  readonly text: string;
}

/** The root of import paths that a file's package implies: the folder above `shop/v1` for `package shop.v1`; empty if it lies elsewhere. */
function impliedRoot({ path, text }: GivenFile): string {
  const end = declarationsIn(text).protoPackage.split(".").join("/");
  const directory = slashed(resolve(dirname(path)));
  if (end === "" || !directory.endsWith(`/${end}`)) return "";
  return relative(".", directory.slice(0, -end.length - 1)) || ".";
}

/**
 * The roots that packages imply: one for all files, around the folder, or where files disagree each its own, if there is what they import and not from the
 * folder. A file whose package implies nothing, such as an empty one, follows the only root of the others. Otherwise the folder.
 */
function impliedRoots(folder: string, given: readonly GivenFile[], known: readonly string[]): (path: string) => string {
  const implied = new Map(given.map((file) => [file.path, impliedRoot(file)]));
  const roots = [...new Set(implied.values())].filter((root) => root !== "");
  const [root = ""] = roots;
  if (
    roots.length === 1 &&
    [...implied.values()].every((own) => own === root) &&
    isInside(resolve(root), resolve(folder))
  ) {
    return () => root;
  }
  const missing = given
    .flatMap(({ text }) => declarationsIn(text).imports)
    .filter(({ name }) => !isBuiltIn(name) && ![folder, ...known].some((from) => existsSync(join(from, name))));
  if (!missing.some(({ name }) => roots.some((from) => existsSync(join(from, name))))) return () => folder;
  return (path) => {
    const own = implied.get(path) ?? "";
    if (own !== "") return own;
    return roots.length === 1 && isInside(resolve(root), resolve(path)) ? root : folder;
  };
}

/** The folders of imports among the paths that follow a contract's own; the others are files of HTTP rules. */
export function importsIn(more: readonly string[]): readonly string[] {
  return more.filter((path) => ![".json", ".yaml", ".yml"].includes(extname(path)));
}

/** The folder that a file's import path begins at: a folder of imports around all files, else the file's buf module, else the implied root. */
function importRoots(
  given: readonly GivenFile[],
  { folder, modules, protoPaths, common }: ProtoFolders,
): (path: string) => string {
  const above = protoPaths.find((path) => given.every((file) => isInside(resolve(path), resolve(file.path))));
  if (above !== undefined) return () => above;
  const implied = impliedRoots(folder, given, [...protoPaths, ...common]);
  return (path) => modules.find((module) => isInside(module, resolve(path))) ?? implied(path);
}

function protoText(path: string): string {
  return readInput({ path, mostMiB: fileLimitsMiB.proto, label: `the contract ${path}` });
}

/** Whether there is something other than a folder: what is no regular file is an error when it is read. */
async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === false;
}

export interface ProtoFolders {
  readonly folder: string;
  /** The modules of its buf workspace: the import path of a file in one begins there. */
  readonly modules: readonly string[];
  /** Folders of imported files, in search order. */
  readonly protoPaths: readonly string[];
  /** Folders of commonly imported files, searched last. */
  readonly common: readonly string[];
}

/** Reads files and their imports; the compiler reports missing ones. Rejects with a CliError for unreadable files, and above the limits. */
export async function gatherProtoFiles(paths: readonly string[], folders: ProtoFolders): Promise<ProtoFiles> {
  const { folder, modules, protoPaths, common } = folders;
  const given = paths.map((path) => ({ path, text: protoText(path) }));
  const rootOf = importRoots(given, folders);
  const roots = given.map(({ path }) => rootOf(path));
  const importPaths = [...new Set([...roots, ...modules, folder, ...protoPaths, ...common])];
  const files = new Map<string, ProtoFile>();
  let bytes = 0;
  const add = (name: string, path: string, text: string): ProtoFile => {
    const file = { name, path, text, imports: declarationsIn(text).imports };
    files.set(name, file);
    bytes += text.length;
    if (files.size > mostFiles || bytes > mostBytes) {
      throw new CliError(
        "usage",
        `${folder} and what it imports are more than ${mostFiles} files or ${mostBytes / 2 ** 20} MB`,
      );
    }
    return file;
  };
  const waiting = given.map(({ path, text }) => add(slashed(relative(rootOf(path), path)), path, text));
  const own = new Set(files.keys());
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    for (const { name } of file.imports) {
      if (isBuiltIn(name) || files.has(name)) continue;
      for (const importPath of importPaths) {
        const path = join(importPath, name);
        // oxlint-disable-next-line no-await-in-loop -- the first folder that has it is used
        if (!isInside(resolve(importPath), resolve(path)) || !(await isThere(path))) continue;
        waiting.push(add(name, path, protoText(path)));
        break;
      }
    }
  }
  return { files: [...files.values()], own };
}
