// Git as comparing needs it: revisions by name, and their files in folders of their own. It never touches the user's work tree.
import { suggestion } from "@roundtrip/contract/nearest-name";
import { execFile, execFileSync } from "node:child_process";
import { promisify } from "node:util";
import { CliError } from "../cli-error.ts";

const timeoutMs = 60_000;
const mostOutputBytes = 16 * 1024 * 1024;

/** Checking out runs no hooks: they are the user's, and about work trees that somebody works in. */
const noHooks = ["-c", "core.hooksPath=/dev/null"] as const;

async function git(cwd: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)("git", args, { cwd, timeout: timeoutMs, maxBuffer: mostOutputBytes });
  return stdout;
}

/** What git said, in one line. */
function words(thrown: unknown): string {
  const { stderr = "", message = "" } = thrown as { readonly stderr?: string; readonly message?: string };
  return stderr.trim().split("\n").at(-1) ?? message;
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

  /** The repository that a folder is in. Rejects with a CliError: `usage` when there is none, `unavailable` without git. */
  static async around(folder: string): Promise<GitRepository> {
    try {
      return new GitRepository((await git(folder, ["rev-parse", "--show-toplevel"])).trimEnd());
    } catch (cause) {
      if ((cause as { readonly code?: unknown }).code === "ENOENT") {
        throw new CliError("unavailable", "git is not installed; give --base-dir and --head-dir instead", { cause });
      }
      const message = `${folder} is in no git repository; give run directories, --base-dir and --head-dir, or --base-cmd and --head-cmd`;
      throw new CliError("usage", message, { cause });
    }
  }

  /** Rejects with a usage error, with the nearest branch or tag, for a name that is none. */
  async revision(name: string): Promise<Revision> {
    const wanted = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`];
    const commit = await git(this.folder, wanted).catch(async (cause: unknown) => {
      const listed = await git(this.folder, ["for-each-ref", "--format=%(refname:short)", "--count=1000"]).catch(
        () => "",
      );
      const known = listed.split("\n").filter((one) => one !== "");
      const message = `${name} is no git revision, and no run directory${suggestion(name, known)}`;
      throw new CliError("usage", message, { cause });
    });
    const id = commit.trim();
    return { name, commit: id, when: (await git(this.folder, ["show", "-s", "--format=%cI", id])).trim() };
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
