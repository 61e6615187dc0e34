// Files and folders: messages about what went wrong, directories, and the folders of this user. `@roundtrip/runs/files` loads nothing else.
import { accessSync, constants, mkdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";

const words: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EDQUOT: "the disk quota is used up",
  EEXIST: "a file of that name is in the way",
  EFBIG: "the file would be larger than the system allows",
  EIO: "the device reports a fault",
  EISDIR: "it is a directory",
  ELOOP: "a symbolic link leads back to itself",
  EMFILE: "too many files are open",
  ENAMETOOLONG: "the name is too long",
  ENOENT: "no such file or directory",
  ENOSPC: "no space is left on the device",
  ENOTDIR: "a file is in the way",
  EPERM: "the system does not permit it",
  EROFS: "the file system is read-only",
};

/** A short message for any error of a file operation. */
export function fileFault(thrown: unknown): string {
  const { code } = (thrown ?? {}) as { readonly code?: unknown };
  const known = typeof code === "string" ? words[code] : undefined;
  return known ?? (thrown instanceof Error ? thrown.message : String(thrown));
}

// Not `mkdirSync(…, { recursive: true })`: Node.js 24 never returns from it where the kernel answers ENOENT to every attempt (/proc).
function make(directory: string): void {
  if (isDirectory(directory)) return;
  const parent = dirname(directory);
  if (parent !== directory) make(parent);
  try {
    mkdirSync(directory);
  } catch (thrown) {
    // Another process may have made it meanwhile.
    if (!isDirectory(directory)) throw thrown;
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Makes the directory if it does not exist. Throws the system's error. */
export function makeDirectory(directory: string): void {
  make(resolve(directory));
}

/** The user's home directory; undefined if neither HOME nor the user database has one. */
export function homeFolder(): string | undefined {
  try {
    const home = homedir();
    return isAbsolute(home) ? home : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The user's cache folder; undefined for a user without one. Ignores a relative XDG_CACHE_HOME, as the XDG base directory specification requires.
 * `cli/bin/compile-cache.js` does the same in plain JavaScript.
 */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const configured = env["XDG_CACHE_HOME"] ?? "";
  if (isAbsolute(configured)) return configured;
  const home = homeFolder();
  return home === undefined ? undefined : join(home, ".cache");
}

/** The path of the first program of this name that this user may run; undefined if none of the folders has one. */
export function programIn(folders: readonly string[], name: string): string | undefined {
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
