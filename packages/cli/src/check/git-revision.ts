// The files of a contract as they were at a git revision, read without touching work tree or index.
import { execFile, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { basename, dirname, extname, join, posix, relative, sep } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { CliError } from "../basics/cli-error.ts";
import { suggestion } from "@roundtrip/contract/nearest-name";

const timeoutMs = 60_000;
/** What git may list, in bytes. */
const maxOutputBytes = 64 * 1024 * 1024;

/** Of all files of a revision, what compiling a contract may read. */
const bufFiles = new Set(["buf.yaml", "buf.work.yaml", "buf.lock"]);
const dataExtensions = new Set([".yaml", ".yml", ".json", ".binpb", ".pb"]);

interface GitFailure {
  readonly code?: unknown;
  readonly stderr?: string;
  readonly message: string;
}

async function git(cwd: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)("git", args, { cwd, timeout: timeoutMs, maxBuffer: maxOutputBytes });
  return stdout;
}

function isMissing({ code }: GitFailure): boolean {
  return code === "ENOENT";
}

async function repositoryOf(folder: string): Promise<string> {
  try {
    return (await git(folder, ["rev-parse", "--show-toplevel"])).trimEnd();
  } catch (cause) {
    if (isMissing(cause as GitFailure)) {
      throw new CliError("unavailable", "git is not installed; give --against a folder or a descriptor set instead", {
        cause,
      });
    }
    const what = "give --against a folder or a descriptor set instead of a revision";
    throw new CliError("usage", `${folder} is in no git repository; ${what}`, { cause });
  }
}

async function commitOf(repository: string, revision: string): Promise<string> {
  try {
    const wanted = `${revision}^{commit}`;
    return (await git(repository, ["rev-parse", "--verify", "--quiet", "--end-of-options", wanted])).trim();
  } catch (cause) {
    const listed = await git(repository, ["for-each-ref", "--format=%(refname:short)", "--count=1000"]).catch(() => "");
    const nearest = suggestion(
      revision,
      listed.split("\n").filter((name) => name !== ""),
    );
    throw new CliError("usage", `--against ${revision}: there is no such path, and no such git revision${nearest}`, {
      cause,
    });
  }
}

/** The plain files of a commit that a contract at these paths may need: no links, which could lead anywhere. */
async function filesOf(repository: string, commit: string, paths: readonly string[]): Promise<readonly string[]> {
  const listed = await git(repository, ["ls-tree", "-r", "-z", "--full-tree", commit]);
  // A service configuration may lie beside a contract that is one file.
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

/** Writes files of a commit below a folder, by an index of its own. */
async function checkOut(
  repository: string,
  commit: string,
  names: readonly string[],
  workspace: string,
): Promise<string> {
  const tree = join(workspace, "tree");
  mkdirSync(tree);
  const env = { ...process.env, GIT_INDEX_FILE: join(workspace, "index") };
  await promisify(execFile)("git", ["read-tree", commit], { cwd: repository, env, timeout: timeoutMs });
  const child = spawn("git", ["checkout-index", "-z", "--stdin", `--prefix=${tree}${sep}`], {
    cwd: repository,
    env,
    stdio: ["pipe", "ignore", "pipe"],
    timeout: timeoutMs,
  });
  const ended = new Promise<number | null>((done, reject) => child.once("error", reject).once("close", done));
  child.stdin.end(names.map((name) => `${name}\0`).join(""));
  const said = await text(child.stderr);
  if ((await ended) !== 0)
    throw new CliError("unavailable", `git cannot read ${commit}: ${said.trim().split("\n")[0]}`);
  return tree;
}

/** Paths as they were at a revision. */
export interface PastPaths {
  /** Where they are now, below the workspace. A path outside the repository, or that did not exist then, stays as it is. */
  readonly paths: ReadonlyMap<string, string>;
  /** The folder that is the repository's there. */
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
 * Puts the contract's files as of a revision into the workspace. Rejects with a CliError: `usage` when there is no repository, no such revision, or nothing
 * at the path then; `unavailable` without git.
 * @param path of the contract in the work tree.
 * @param others that are read with it, such as folders of imports.
 */
export async function pathsAtRevision(
  path: string,
  others: readonly string[],
  revision: string,
  workspace: string,
): Promise<PastPaths> {
  const place = await realpath(path);
  const repository = await repositoryOf((await stat(place)).isDirectory() ? place : dirname(place));
  const commit = await commitOf(repository, revision);
  const inside = new Map(
    await Promise.all([path, ...others].map(async (one) => [one, await insideOf(repository, one)] as const)),
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
