// Git as comparing needs it: revisions by name, and their files in folders of their own. It never touches the user's work tree.
import { suggestion } from "@roundtrip/contract/nearest-name";
import { execFile, execFileSync } from "node:child_process";
import { promisify } from "node:util";
import { CliError } from "../basics/cli-error.ts";

const timeoutMs = 60_000;
const mostOutputBytes = 16 * 1024 * 1024;

/** Checking out runs no hooks: they are the user's, and about work trees that somebody works in. */
const noHooks = ["-c", "core.hooksPath=/dev/null"] as const;

/** What git says is in English, wherever it is read. */
async function git(cwd: string, args: readonly string[]): Promise<string> {
  const how = { cwd, timeout: timeoutMs, maxBuffer: mostOutputBytes, env: { ...process.env, LC_ALL: "C" } };
  const { stdout } = await promisify(execFile)("git", args, how);
  return stdout;
}

/** What git said: its lines. */
function lines(thrown: unknown): readonly string[] {
  const { stderr = "", message = "" } = thrown as { readonly stderr?: string; readonly message?: string };
  const said = stderr.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
  return said.length === 0 ? [message] : said;
}

/** The same in one: the last. */
function words(thrown: unknown): string {
  return lines(thrown).at(-1) ?? "";
}

/** What a clone says that has not all commits. */
const shallowHint =
  "; this clone is shallow and has few commits: git fetch --unshallow, or fetch-depth: 2 or more where a job checks it out";

function committed(name: string): readonly string[] {
  return ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`];
}

/** Whether a name is that of a commit, in the repository that a folder is in. Without git or a repository none is. */
export async function isRevision(folder: string, name: string): Promise<boolean> {
  return git(folder, committed(name)).then(
    () => true,
    () => false,
  );
}

export interface Revision {
  /** As it was typed. */
  readonly name: string;
  readonly commit: string;
  /** When it was committed: ISO 8601. */
  readonly when: string;
}

export class GitRepository {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** The repository that a folder is in. Rejects with a CliError: `usage` without a repository that git can read, `unavailable` without git. */
  static async around(folder: string): Promise<GitRepository> {
    try {
      return new GitRepository((await git(folder, ["rev-parse", "--show-toplevel"])).trimEnd());
    } catch (cause) {
      if ((cause as { readonly code?: unknown }).code === "ENOENT") {
        throw new CliError("unavailable", "git is not installed; give --base-dir and --head-dir instead", { cause });
      }
      const said = lines(cause);
      if (!said.some((line) => line.includes("not a git repository"))) {
        // Owned by somebody else, say: git has more to say than one line.
        throw new CliError("usage", `git does not read the repository of ${folder}: ${said.join(" ")}`, { cause });
      }
      const message = `${folder} is in no git repository; give run directories, --base-dir and --head-dir, or --base-cmd and --head-cmd`;
      throw new CliError("usage", message, { cause });
    }
  }

  /** Rejects with a usage error for an unknown revision, with the nearest branch or tag, or with what the clone lacks. */
  async revision(name: string): Promise<Revision> {
    const commit = await git(this.folder, committed(name)).catch(async (cause: unknown) => {
      const listed = await git(this.folder, ["for-each-ref", "--format=%(refname:short)", "--count=1000"]).catch(
        () => "",
      );
      const known = listed.split("\n").filter((one) => one !== "");
      const hint = (await this.#isShallow()) ? shallowHint : suggestion(name, known);
      const message = `${name} is no git revision, and no run directory${hint}`;
      throw new CliError("usage", message, { cause });
    });
    const id = commit.trim();
    return { name, commit: id, when: (await git(this.folder, ["show", "-s", "--format=%cI", id])).trim() };
  }

  async #isShallow(): Promise<boolean> {
    return (await git(this.folder, ["rev-parse", "--is-shallow-repository"]).catch(() => "")).trim() === "true";
  }

  /** Whether the work tree holds what its last commit does not. */
  async isDirty(): Promise<boolean> {
    return (await git(this.folder, ["status", "--porcelain", "--untracked-files=no"])).trim() !== "";
  }

  /** The branch that is checked out; undefined where a commit is, without one. */
  async branch(): Promise<string | undefined> {
    const name = await git(this.folder, ["symbolic-ref", "--quiet", "--short", "HEAD"]).catch(() => "");
    return name.trim() === "" ? undefined : name.trim();
  }

  /** The commit that is checked out. */
  async head(): Promise<string> {
    return (await git(this.folder, ["rev-parse", "HEAD"])).trim();
  }

  /** Puts a commit's files into a folder that is not there yet. Rejects with a CliError `unavailable`. */
  async checkOut(commit: string, folder: string): Promise<void> {
    try {
      await git(this.folder, [...noHooks, "worktree", "add", "--detach", "--force", folder, commit]);
    } catch (cause) {
      throw new CliError("unavailable", `git cannot check out ${commit}: ${words(cause)}`, { cause });
    }
  }

  /** Forgets a folder that {@link checkOut} made, whether or not it is still there. It waits, so that it may be the last thing that is done. */
  forget(folder: string): void {
    try {
      execFileSync("git", ["worktree", "remove", "--force", folder], {
        cwd: this.folder,
        stdio: "ignore",
        timeout: timeoutMs,
      });
    } catch {
      // It was never there, or git prunes it by itself once its folder is gone.
    }
  }
}
