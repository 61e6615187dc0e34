// The earlier contract to compare with: at a path, or at a git revision, whose files are read without touching the work tree or index.
import { CliError } from "../basics/cli-error.ts";
import { GitRepository, requireNoRevision } from "../basics/git.ts";
import { isOutsideRevisions } from "../contract/contract-address.ts";
import { loadContractFrom } from "../contract/contract-source.ts";
import type { Contract } from "@roundtrip/contract";
import { temporaryFolder } from "@roundtrip/runner/lifetime";
import { spaceFault } from "@roundtrip/runs/files";
import { mkdirSync } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { basename, dirname, extname, join, posix, relative, sep } from "node:path";

const insteadOfRevision = "give --against a folder or a descriptor set instead of a revision";

/** The file types that compiling a contract may read. */
const bufFiles = new Set(["buf.yaml", "buf.work.yaml", "buf.lock"]);
const dataExtensions = new Set([".yaml", ".yml", ".json", ".binpb", ".pb"]);

/** The regular files of a commit that a contract at these paths may need. Excludes links, which may lead anywhere. */
async function filesOf(
  repository: GitRepository,
  commit: string,
  paths: readonly string[],
): Promise<readonly string[]> {
  const listed = await repository.git(["ls-tree", "-r", "-z", "--full-tree", commit]);
  // A service configuration may lie beside a contract of one file.
  const places = paths.flatMap((path) => (extname(path) === ".proto" ? [path, posix.dirname(path)] : [path]));
  return listed.split("\0").flatMap((entry) => {
    const [about = "", name = ""] = entry.split("\t");
    if (!about.startsWith("100")) return [];
    const isNear = places.some((place) => place === "" || place === "." || name.startsWith(`${place}/`));
    const isNeeded =
      extname(name) === ".proto" || bufFiles.has(basename(name)) || (isNear && dataExtensions.has(extname(name)));
    return isNeeded || paths.includes(name) ? [name] : [];
  });
}

async function checkOut(
  repository: GitRepository,
  commit: string,
  names: readonly string[],
  workspace: string,
): Promise<string> {
  const tree = join(workspace, "tree");
  mkdirSync(tree);
  const index = { GIT_INDEX_FILE: join(workspace, "index") };
  await repository.git(["read-tree", commit], { env: index });
  try {
    const input = names.map((name) => `${name}\0`).join("");
    await repository.git(["checkout-index", "-z", "--stdin", `--prefix=${tree}${sep}`], { env: index, input });
    return tree;
  } catch (cause) {
    const { message } = cause as Error;
    throw new CliError("unavailable", `git cannot read ${commit}: ${spaceFault(tree, message) ?? message}`, { cause });
  }
}

interface PastPaths {
  /** By current path, the path in the workspace. A path outside the repository, or one that did not exist then, stays unchanged. */
  readonly paths: ReadonlyMap<string, string>;
  /** The root of the repository's files in the workspace. */
  readonly tree: string;
}

async function insideOf(repository: string, path: string): Promise<string> {
  return relative(repository, await realpath(path))
    .split(sep)
    .join("/");
}

function isThere(names: readonly string[], inside: string): boolean {
  return names.some((name) => inside === "" || name === inside || name.startsWith(`${inside}/`));
}

/**
 * Puts the contract's files at a revision into the workspace. Rejects with a CliError: `usage` without a repository, for an unknown revision, or if
 * the path did not exist; `unavailable` without git.
 * @param path of the contract in the work tree.
 * @param others paths that it needs, such as folders of imports.
 */
async function pathsAtRevision(
  path: string,
  others: readonly string[],
  revision: string,
  workspace: string,
): Promise<PastPaths> {
  const place = await realpath(path);
  const folder = (await stat(place)).isDirectory() ? place : dirname(place);
  const repository = await GitRepository.around(folder, insteadOfRevision);
  const unknown = `--against ${revision}: there is no such path, and no such git revision`;
  const commit = await repository.commitOf(revision, unknown);
  const inside = new Map(
    await Promise.all([path, ...others].map(async (one) => [one, await insideOf(repository.folder, one)] as const)),
  );
  const names = await filesOf(repository, commit, [...inside.values()]);
  if (!isThere(names, inside.get(path) ?? "")) {
    throw new CliError(
      "usage",
      `there was no contract at ${path} in ${revision}; say with --contract where it was and is`,
    );
  }
  const tree = await checkOut(repository, commit, names, workspace);
  const paths = [...inside].map(([one, at]) => [one, isThere(names, at) ? join(tree, at) : one] as const);
  return { paths: new Map(paths), tree };
}

/** The same fault, prefixed with its side, and with the user's names for temporary files. */
function onSide(thrown: unknown, against: string, tree: string | undefined): unknown {
  if (!(thrown instanceof CliError)) return thrown;
  const seen = tree === undefined ? thrown.message : thrown.message.replaceAll(`${tree}${sep}`, `${against}:`);
  return new CliError(thrown.code, `before (--against ${against}): ${seen}`, { cause: thrown });
}

async function atRevision([path = "", ...more]: readonly string[], revision: string): Promise<Contract> {
  using folder = temporaryFolder("revision");
  const { paths, tree } = await pathsAtRevision(path, more, revision, folder.path);
  try {
    await using loaded = await loadContractFrom([path, ...more].map((one) => paths.get(one) ?? one));
    return loaded.contract;
  } catch (thrown) {
    throw onSide(thrown, revision, tree);
  }
}

/** Loads the contract at the path `against`, or else the one at these paths at that git revision. Rejects with a usage error for neither, and for both. */
export async function contractBefore(against: string, paths: readonly string[] | undefined): Promise<Contract> {
  const isOutside = isOutsideRevisions(against);
  const isPath =
    isOutside ||
    (await stat(against).then(
      () => true,
      () => false,
    ));
  if (!isPath) {
    if (paths === undefined) {
      throw new CliError("usage", `--against ${against}: name the folder with --contract; there is no ./proto folder`);
    }
    const [path = ""] = paths;
    if (isOutsideRevisions(path)) {
      const what = "give --against a path or an address";
      throw new CliError("usage", `--against ${against}: ${path} has no revisions; ${what}`);
    }
    return atRevision(paths, against);
  }
  if (!isOutside) await requireNoRevision(against, "path");
  try {
    await using loaded = await loadContractFrom([against, ...(paths ?? []).slice(1)]);
    return loaded.contract;
  } catch (thrown) {
    throw onSide(thrown, against, undefined);
  }
}
