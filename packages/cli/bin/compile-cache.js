// Where Node.js keeps what it compiled of this program, and how much memory it takes. Plain JavaScript, as its users are: see roundtrip.js.
import nodeModule from "node:module";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import v8 from "node:v8";

/**
 * Only this user writes the folder: what is kept there is run. As `cacheFolder` of the runner, which is TypeScript. Throws for a user without a home
 * directory.
 */
export function cacheFolder() {
  const given = process.env["XDG_CACHE_HOME"] ?? "";
  const usual = isAbsolute(given) ? given : join(homedir(), ".cache");
  if (!isAbsolute(usual)) throw new Error("this user has no home directory");
  return join(usual, "roundtrip");
}

/** Measured processes have another folder (runner/processes/code-cache.ts). */
export function keepCompiledCode() {
  try {
    nodeModule.enableCompileCache(join(cacheFolder(), "program"));
  } catch {
    // A user without a home directory: everything is compiled each time.
  }
}

/** For a fake, which mostly waits: a quarter less memory, while nobody measures its speed. */
export function preferSmallMemory() {
  v8.setFlagsFromString("--optimize-for-size");
}
