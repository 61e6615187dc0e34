// Repositories that tests make, by an author whom no configuration of the machine needs to name.
import { execFileSync } from "node:child_process";

const author = { GIT_AUTHOR_NAME: "somebody", GIT_AUTHOR_EMAIL: "somebody@example.com" };
const committer = { GIT_COMMITTER_NAME: "somebody", GIT_COMMITTER_EMAIL: "somebody@example.com" };

export function git(cwd: string, ...words: readonly string[]): string {
  const env = { ...process.env, ...author, ...committer };
  return execFileSync("git", words, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/**
 * Several commands of git, each as a shell reads its words, one after the other until one fails. A process of the tests has much memory, so that it
 * takes long to start another: it starts the shell alone.
 */
export function gitAll(cwd: string, ...commands: readonly string[]): void {
  const env = { ...process.env, ...author, ...committer };
  const script = commands.map((words) => `git ${words}`).join(" && ");
  execFileSync("sh", ["-c", script], { cwd, env, stdio: ["ignore", "ignore", "pipe"] });
}
