// Git: revisions by name, and their files in folders of their own. It never touches the user's work tree.
import { suggestion } from "@roundtrip/contract/nearest-name";
import { execFile, execFileSync } from "node:child_process";
import { promisify } from "node:util";
import { CliError } from "./cli-error.ts";

const timeoutMs = 60_000;
const mostOutputBytes = 64 * 1024 * 1024;

/** Checking out runs no hooks: they are the user's, and about work trees that somebody works in. */
const noHooks = ["-c", "core.hooksPath=/dev/null"] as const;

/** What git says is in English, wherever it is read. */
async function git(cwd: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const how = { cwd, timeout: timeoutMs, maxBuffer: mostOutputBytes, env: { ...process.env, LC_ALL: "C", ...env } };
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

/** What to give where git cannot be used. */
export interface Instead {
  /** Git is not installed. */
  readonly withoutGit: string;
  /** The folder is in no repository. */
  readonly outside: string;
}

const insteadOfRevisions: Instead = {
  withoutGit: "give --base-dir and --head-dir instead",
  outside: "give run directories, --base-dir and --head-dir, or --base-cmd and --head-cmd",
};

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
  static async around(folder: string, instead: Instead = insteadOfRevisions): Promise<GitRepository> {
    try {
      return new GitRepository((await git(folder, ["rev-parse", "--show-toplevel"])).trimEnd());
    } catch (cause) {
      if ((cause as { readonly code?: unknown }).code === "ENOENT") {
        throw new CliError("unavailable", `git is not installed; ${instead.withoutGit}`, { cause });
      }
      const said = lines(cause);
      if (!said.some((line) => line.includes("not a git repository"))) {
        // Owned by somebody else, say: git has more to say than one line.
        throw new CliError("usage", `git does not read the repository of ${folder}: ${said.join(" ")}`, { cause });
      }
      throw new CliError("usage", `${folder} is in no git repository; ${instead.outside}`, { cause });
    }
  }

  /** What git prints. Rejects with its failure. */
  git(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
    return git(this.folder, args, env);
  }

  /** The id of a commit. Rejects with a usage error for an unknown one, with the nearest branch or tag, or with what the clone lacks. @param unknown begins its message. */
  async commitOf(name: string, unknown: string): Promise<string> {
    const id = await this.git(committed(name)).catch(async (cause: unknown) => {
      const listed = await this.git(["for-each-ref", "--format=%(refname:short)", "--count=1000"]).catch(() => "");
      const known = listed.split("\n").filter((one) => one !== "");
      const hint = (await this.#isShallow()) ? shallowHint : suggestion(name, known);
      throw new CliError("usage", `${unknown}${hint}`, { cause });
    });
    return id.trim();
  }

  /** Rejects as {@link commitOf} does. */
  async revision(name: string): Promise<Revision> {
    const commit = await this.commitOf(name, `${name} is no git revision, and no run directory`);
    return { name, commit, when: (await this.git(["show", "-s", "--format=%cI", commit])).trim() };
  }

  async #isShallow(): Promise<boolean> {
    return (await this.git(["rev-parse", "--is-shallow-repository"]).catch(() => "")).trim() === "true";
  }

  /** Whether the work tree holds what its last commit does not. */
  async isDirty(): Promise<boolean> {
    return (await this.git(["status", "--porcelain", "--untracked-files=no"])).trim() !== "";
  }

  /** The branch that is checked out; undefined where a commit is, without one. */
  async branch(): Promise<string | undefined> {
    const name = await this.git(["symbolic-ref", "--quiet", "--short", "HEAD"]).catch(() => "");
    return name.trim() === "" ? undefined : name.trim();
  }

  /** The commit that is checked out. */
  async head(): Promise<string> {
    return (await this.git(["rev-parse", "HEAD"])).trim();
  }

  /** Puts a commit's files into a folder that is not there yet. Rejects with a CliError `unavailable`. */
  async checkOut(commit: string, folder: string): Promise<void> {
    try {
      await this.git([...noHooks, "worktree", "add", "--detach", "--force", folder, commit]);
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
