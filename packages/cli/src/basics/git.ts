// Git: revisions by name, and their files in separate folders. Never changes the user's work tree.
import { suggestion } from "@roundtrip/contract/text";
import { spaceFault } from "@roundtrip/runs/files";
import { execFileSync } from "node:child_process";
import { dirname } from "node:path";
import { CliError } from "./cli-error.ts";
import { requireReadableRepository } from "./found-files.ts";
import { gitEnvironment, listSettings } from "./git-settings.ts";
import { programEnd } from "./program-end.ts";

const timeoutMs = 60_000;
/** Long for an entry without files. The program may be about to end, and may have been asked to. */
const forgetMs = 1_000;

interface GitOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly input?: string;
}

/** Git has failed: what it printed, line by line. */
class GitFailure extends Error {
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super(lines.join(" "));
    this.lines = lines;
  }
}

/** Runs git and returns its output. Rejects with a GitFailure, and with a CliError `unavailable` without git or an end. */
async function git(cwd: string, args: readonly string[], { env, input = "" }: GitOptions): Promise<string> {
  const signal = AbortSignal.timeout(timeoutMs);
  const { status, how, stdout, stderr } = await programEnd(["git", ...args], { cwd, env, input, signal });
  if (signal.aborted) {
    throw new CliError("unavailable", `git ${args[0]} in ${cwd} did not end within ${timeoutMs / 1_000} s`);
  }
  if (status === 0) return stdout.toString();
  const lines = stderr.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
  throw new GitFailure(lines.length === 0 ? [`git ${args[0]} ended with ${how}`] : lines);
}

const shallowHint =
  "; this clone is shallow and has few commits: git fetch --unshallow, or fetch-depth: 2 or more where a job checks it out";

function committed(name: string): readonly string[] {
  return ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`];
}

/** Whether a name is a commit in the repository of a folder. False without git or a repository. */
async function isRevision(folder: string, name: string): Promise<boolean> {
  try {
    const repository = await GitRepository.around(folder);
    await repository.git(committed(name));
    return true;
  } catch {
    return false;
  }
}

/**
 * Rejects with a usage error for a path that is also a commit in the repository of the working directory, because either could be meant: a file that
 * is checked in must not choose what is compared. @param what the path is, such as a run directory
 */
export async function requireNoRevision(path: string, what: string): Promise<void> {
  if (!(await isRevision(process.cwd(), path))) return;
  const advice = `write ./${path} for the ${what}, or ${path}^0 for the revision`;
  throw new CliError("usage", `${path} is a ${what} and a git revision: ${advice}`);
}

/** What a change is compared with unless something else is named. */
export const parentCommit = "HEAD^1";

const insteadOfRevisions = "give run directories, dir=FOLDER, cmd=COMMAND or STYLE=URL";

export interface Revision {
  /** As typed by the user. */
  readonly name: string;
  readonly commit: string;
  /** The commit time, in ISO 8601. */
  readonly when: string;
}

export class GitRepository {
  readonly folder: string;
  readonly #env: NodeJS.ProcessEnv;

  private constructor(folder: string, env: NodeJS.ProcessEnv) {
    this.folder = folder;
    this.#env = env;
  }

  /** The repository of a folder, or advice what to give `instead`. Rejects with a CliError: `usage` without a repository that git can read, `unavailable` without git. */
  static async around(folder: string, instead = insteadOfRevisions): Promise<GitRepository> {
    try {
      requireReadableRepository(folder);
      const env = gitEnvironment();
      const top = (await git(folder, ["rev-parse", "--show-toplevel"], { env })).trimEnd();
      return new GitRepository(top, gitEnvironment(await git(top, listSettings, { env })));
    } catch (cause) {
      if (cause instanceof CliError) throw new CliError(cause.code, `${cause.message}; ${instead}`, { cause });
      if (!(cause instanceof GitFailure)) throw cause;
      if (!cause.lines.some((line) => line.includes("not a git repository"))) {
        // For example owned by another user, which git explains in several lines.
        throw new CliError("usage", `git cannot read the repository of ${folder}: ${cause.message}`, { cause });
      }
      throw new CliError("usage", `${folder} is not in a git repository; ${instead}`, { cause });
    }
  }

  /** Runs git in the repository, without the programs that the repository names, and returns its output. Rejects with git's error. */
  git(args: readonly string[], { env = {}, input = "" }: Partial<GitOptions> = {}): Promise<string> {
    return git(this.folder, args, { env: { ...this.#env, ...env }, input });
  }

  /** The id of a commit. Rejects with a usage error: the nearest name, or advice for a shallow clone. @param unknown how that error begins */
  async commitOf(name: string, unknown: string): Promise<string> {
    const id = await this.git(committed(name)).catch(async (cause: unknown) => {
      const listed = await this.git(["for-each-ref", "--format=%(refname:short)", "--count=1000"]).catch(() => "");
      const known = listed.split("\n").filter((one) => one !== "");
      const isShallow = await this.#isShallow();
      if (name === parentCommit && !isShallow) {
        throw new CliError("usage", "there is no commit before HEAD: name the version to compare with", { cause });
      }
      const hint = isShallow ? shallowHint : suggestion(name, known);
      throw new CliError("usage", `${unknown}${hint}`, { cause });
    });
    return id.trim();
  }

  /** Rejects like {@link commitOf}. */
  async revision(name: string): Promise<Revision> {
    const commit = await this.commitOf(name, `${name} is neither a git revision nor a run directory`);
    return { name, commit, when: (await this.git(["show", "-s", "--format=%cI", commit])).trim() };
  }

  /** What people call a commit: the branch or tag as typed; for `HEAD^1` and the like a branch that ends with it, if any. A full id is shortened. */
  async labelOf({ name, commit }: Pick<Revision, "name" | "commit">): Promise<string> {
    const isRef = await this.git(["rev-parse", "--symbolic-full-name", "--verify", "--quiet", name]).then(
      (ref) => /^refs\/(?:heads|tags|remotes)\//.test(ref) && name !== "HEAD",
      () => false,
    );
    if (isRef) return name;
    if ((await this.head()) === commit) {
      const current = await this.branch();
      if (current !== undefined) return current;
    }
    const refs = ["refs/heads", "refs/remotes"];
    const at = await this.git(["for-each-ref", "--format=%(refname:short)", `--points-at=${commit}`, ...refs]);
    const [branch = ""] = at.split("\n").filter((ref) => !ref.endsWith("HEAD"));
    if (branch !== "") return branch;
    return commit.startsWith(name) ? commit.slice(0, 7) : name;
  }

  async #isShallow(): Promise<boolean> {
    return (await this.git(["rev-parse", "--is-shallow-repository"]).catch(() => "")).trim() === "true";
  }

  /** Whether the work tree differs from its commit. */
  async isDirty(): Promise<boolean> {
    const flags = ["--porcelain", "--untracked-files=no", "--ignore-submodules=all"];
    return (await this.git(["status", ...flags])).trim() !== "";
  }

  /** The current branch; undefined for a detached HEAD. */
  async branch(): Promise<string | undefined> {
    const name = await this.git(["symbolic-ref", "--quiet", "--short", "HEAD"]).catch(() => "");
    return name.trim() === "" ? undefined : name.trim();
  }

  async head(): Promise<string> {
    return (await this.git(["rev-parse", "HEAD"])).trim();
  }

  /** Checks out a commit into a new folder, however long its files and filters take. Rejects with a CliError `unavailable`, and on abort. */
  async checkOut(commit: string, folder: string, signal: AbortSignal): Promise<void> {
    const argv = ["git", "worktree", "add", "--detach", "--force", folder, commit];
    const { status, why, stderr } = await programEnd(argv, { cwd: this.folder, env: this.#env, signal });
    signal.throwIfAborted();
    if (status === 0) return;
    const full = spaceFault(dirname(folder), stderr, await this.#bytesOf(commit));
    throw new CliError("unavailable", `git cannot check out ${commit}: ${full ?? why}`);
  }

  async #bytesOf(commit: string): Promise<number | undefined> {
    const listed = await this.git(["ls-tree", "-r", "-l", "--full-tree", commit]).catch(() => undefined);
    return listed?.split("\n").reduce((sum, line) => sum + (Number(/^\S+ blob \S+ +(\d+)\t/.exec(line)?.[1]) || 0), 0);
  }

  /** Makes git forget a folder of {@link checkOut} that is gone: git removes many files slowly, and keeps its entry if stopped. For process exit. */
  forget(folder: string): void {
    try {
      // Twice, because a checkout that was ended is still locked.
      execFileSync("git", ["worktree", "remove", "--force", "--force", folder], {
        cwd: this.folder,
        env: this.#env,
        stdio: "ignore",
        timeout: forgetMs,
      });
    } catch {
      // It never existed.
    }
  }
}
