// The .proto files that a contract is made of: those that were given, and all that they import, each found once.
import { readFile, stat } from "node:fs/promises";
import { globSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { fileFault } from "@roundtrip/runner/files";
import { CliError } from "../basics/cli-error.ts";
import { declarationsIn, type ImportSite } from "./proto-declarations.ts";

/** One file of a contract. */
export interface ProtoFile {
  /** What others import it as, with slashes: `shop/v1/shop.proto`. */
  readonly name: string;
  /** Where it was found, as the user would write it. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly ImportSite[];
}

/** What a contract is made of. */
export interface ProtoFiles {
  /** Those that were given first, then those that they import. */
  readonly files: readonly ProtoFile[];
  /** Names of the given ones: what they declare is the contract, what is imported serves it. */
  readonly own: ReadonlySet<string>;
}

const mostFiles = 4_000;
const mostBytes = 64 * 1024 * 1024;

/** What the compiler brings itself. */
const isBuiltIn = (name: string): boolean =>
  /^google\/protobuf\/(?:any|api|compiler\/plugin|cpp_features|descriptor|duration|empty|field_mask|go_features|java_features|source_context|struct|timestamp|type|wrappers)\.proto$/.test(
    name,
  );

function slashed(path: string): string {
  return path.split(sep).join("/");
}

/** `../shop` is outside, `shop` and `` are inside. */
function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`);
}

/** All .proto files of a folder, without those of installed packages inside it. */
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

/**
 * The folder that import paths begin at: a --proto-path that the files are below, else the one that their packages say (`shop/v1` for
 * `package shop.v1`), else the folder itself.
 */
function importRoot(
  folder: string,
  given: readonly { readonly path: string; readonly text: string }[],
  protoPaths: readonly string[],
): string {
  const above = protoPaths.find((path) => given.every((file) => isInside(resolve(path), resolve(file.path))));
  if (above !== undefined) return above;
  const roots = new Set(
    given.map(({ path, text }) => {
      const end = declarationsIn(text).protoPackage.split(".").join("/");
      const place = slashed(resolve(dirname(path)));
      return end !== "" && place.endsWith(`/${end}`) ? place.slice(0, -end.length - 1) : "";
    }),
  );
  const [root = ""] = roots;
  return roots.size === 1 && root !== "" && isInside(root, resolve(folder)) ? relative(".", root) || "." : folder;
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new CliError("usage", `cannot read the contract ${path}: ${fileFault(cause)}`, { cause });
  }
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() === true;
}

/** Where to look for files. */
export interface ProtoPlaces {
  /** The folder that was given, or the one that a given file is in. */
  readonly folder: string;
  /** Folders of imported files, in the order in which they are searched. */
  readonly protoPaths: readonly string[];
  /** Folders of files that are commonly imported, searched last. */
  readonly common: readonly string[];
}

/**
 * Reads the given files and whatever they import. An import that is nowhere is left to the compiler to complain about. Rejects with a
 * CliError for a file that cannot be read, and for more than anyone would want to compile.
 */
export async function gatherProtoFiles(
  paths: readonly string[],
  { folder, protoPaths, common }: ProtoPlaces,
): Promise<ProtoFiles> {
  const given = await Promise.all(paths.map(async (path) => ({ path, text: await readText(path) })));
  const root = importRoot(folder, given, protoPaths);
  const places = [...new Set([root, folder, ...protoPaths, ...common])];
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
  const waiting = given.map(({ path, text }) => add(slashed(relative(root, path)), path, text));
  const own = new Set(files.keys());
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    for (const { name } of file.imports) {
      if (isBuiltIn(name) || files.has(name)) continue;
      for (const place of places) {
        const path = join(place, name);
        // oxlint-disable-next-line no-await-in-loop -- the first place that has it is the one
        if (!isInside(resolve(place), resolve(path)) || !(await isFile(path))) continue;
        // oxlint-disable-next-line no-await-in-loop
        waiting.push(add(name, path, await readText(path)));
        break;
      }
    }
  }
  return { files: [...files.values()], own };
}
