// The programs that a link of the kernel is made with: where they are, and how to get those that are not there.
import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

const execFileAsync = promisify(execFile);
const limitMs = 10_000;

/** Where a program is: on the path, or where cargo puts what it installs. */
export function programPath(name: string): string | undefined {
  const folders = (process.env["PATH"] ?? "")
    .split(delimiter)
    .concat(join(homedir(), ".cargo", "bin"), "/usr/sbin", "/sbin");
  return folders
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** Whether a command ends well. */
export async function succeeds(program: string, args: readonly string[]): Promise<boolean> {
  return execFileAsync(program, args, { timeout: limitMs }).then(
    () => true,
    () => false,
  );
}
