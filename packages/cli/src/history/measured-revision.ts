// The revision that a run measured: as typed, or the current checkout.
import { CliError } from "../basics/cli-error.ts";
import { GitRepository } from "../basics/git.ts";

export interface RevisionFlags {
  readonly revision?: string;
  readonly branch?: string;
}

export interface MeasuredRevision {
  /** A commit id; outside of repositories any name. */
  readonly revision: string;
  readonly branch: string;
  /** Null for a named revision, which may differ from the work tree. */
  readonly isDirty: boolean | null;
}

function unsaid(why: string, flags: string, cause?: unknown): CliError {
  return new CliError("usage", `${why}; say with ${flags} what was measured`, { cause });
}

async function repositoryAround(folder: string): Promise<GitRepository | CliError> {
  return GitRepository.around(folder).catch((thrown: unknown) => {
    if (thrown instanceof CliError) return thrown;
    throw thrown;
  });
}

async function commitOf(
  repository: GitRepository,
  name: string,
): Promise<{ readonly commit: string; readonly when: string }> {
  return repository.revision(name).catch((cause: unknown) => {
    throw new CliError("usage", `--revision ${name}: there is no such git revision in ${repository.folder}`, { cause });
  });
}

/** Rejects with a usage error for an unknown revision or branch, and for a commit younger than the run. @param startedAt of the run, ISO 8601. */
export async function measuredRevision(
  folder: string,
  { revision, branch }: RevisionFlags,
  startedAt: string,
): Promise<MeasuredRevision> {
  const repository = await repositoryAround(folder);
  if (repository instanceof CliError) {
    if (revision !== undefined && branch !== undefined) return { revision, branch, isDirty: null };
    const why = repository.code === "unavailable" ? "git is not installed" : "there is no git repository here";
    throw unsaid(why, "--revision and --branch", repository);
  }
  const { commit, when } = await commitOf(repository, revision ?? "HEAD");
  if (revision === undefined && Date.parse(when) > Date.parse(startedAt)) {
    throw unsaid(
      `the run was measured before ${commit.slice(0, 10)} was committed, which is checked out`,
      "--revision",
    );
  }
  const checkedOut = branch ?? (await repository.branch());
  if (checkedOut === undefined) throw unsaid("no branch is checked out", "--branch");
  const isDirty = revision === undefined ? await repository.isDirty() : null;
  return { revision: commit, branch: checkedOut, isDirty };
}
