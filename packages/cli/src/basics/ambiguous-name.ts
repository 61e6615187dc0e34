// Names that may be a path or a git revision.
import { CliError } from "./cli-error.ts";
import { isRevision } from "./git.ts";

/**
 * Rejects with a usage error for a path that is also a commit in the repository of the working directory, because either could be meant: a file that
 * is checked in must not choose what is compared. @param what the path is, such as a run directory
 */
export async function requireNoRevision(path: string, what: string): Promise<void> {
  if (!(await isRevision(process.cwd(), path))) return;
  const advice = `write ./${path} for the ${what}, or ${path}^0 for the revision`;
  throw new CliError("usage", `${path} is a ${what} and a git revision: ${advice}`);
}
