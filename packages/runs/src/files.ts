// Files and folders: messages about what went wrong, directories, and the folders of this user. `@roundtrip/runs/files` loads nothing else.
import { accessSync, closeSync, constants, mkdirSync, openSync, statfsSync, statSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";

const words: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EAGAIN: "reading it would wait",
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
  ENXIO: "it is a socket, or a pipe that nothing reads",
  EPERM: "the system does not permit it",
  EROFS: "the file system is read-only",
};

/** A short message for any error of a file operation. */
export function fileFault(thrown: unknown): string {
  const { code } = (thrown ?? {}) as { readonly code?: unknown };
  const known = typeof code === "string" ? words[code] : undefined;
  return known ?? (thrown instanceof Error ? thrown.message : String(thrown));
}

/** The space that any program needs to write at all. */
const leastFreeBytes = 65_536;

function isFull(folder: string, neededBytes: number): boolean {
  try {
    const { bavail, bsize, files, ffree } = statfsSync(folder);
    return bavail * bsize < neededBytes || (files > 0 && ffree === 0);
  } catch {
    return false;
  }
}

/**
 * Why another program could not write to a folder, if its disk is full; otherwise undefined.
 * @param printed what it printed
 * @param neededBytes what it had to write, if it has removed all of it since
 */
export function spaceFault(folder: string, printed: string, neededBytes: number = leastFreeBytes): string | undefined {
  const isReported = /no space left on device|disk quota exceeded|\bENOSPC\b|\bEDQUOT\b/i.test(printed);
  return isReported || isFull(folder, neededBytes) ? `no space is left on the disk of ${folder}` : undefined;
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

/** Throws for anything but a regular file: libraries would wait for a pipe or device. Other packages have `@roundtrip/contract/files`. */
export function requireFile(path: string): void {
  if (!statSync(path).isFile()) throw Object.assign(new Error("it is not a file"), { code: "ENOTFILE" });
}

/** Throws for a pipe that nothing reads: opening it would wait for ever. */
function requireReader(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isFIFO() !== true) return;
  closeSync(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK));
}

/** Writes a file, or removes what could be written of it, so that no part looks like the whole. Rejects with the system's error. */
export async function writeWholeFile(path: string, content: string | Uint8Array): Promise<void> {
  requireReader(path);
  await using file = await open(path, "w");
  try {
    await file.writeFile(content);
  } catch (thrown) {
    // Not a device.
    if ((await file.stat()).isFile()) await rm(path, { force: true });
    throw thrown;
  }
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

/** The user's cache folder, if any. Ignores a relative XDG_CACHE_HOME, as specified. `cli/bin/compile-cache.js` does the same in JavaScript. */
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
