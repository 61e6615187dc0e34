// Where Node.js keeps compiled code between the rounds of a run and between runs: a round starts eight processes anew, and most of
// what they do until they are ready is compiling the same modules.
import { flushCompileCache } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import { endResolutions } from "./module-resolutions.ts";

/** A folder that only this user writes: compiled code is code. Node.js names what it holds by its own version. */
export function codeCache(): string {
  return join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "roundtrip", "code");
}

/**
 * Writes down what has been compiled so far, and ends what is kept of where modules are; called when a process has loaded and before it makes or
 * answers its first call. What calls load and compile later is never kept, so that the first call of a process meets code as cold as without a cache.
 */
export function keepLoadedModules(): void {
  flushCompileCache();
  endResolutions();
}
