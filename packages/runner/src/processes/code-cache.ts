// Where Node.js keeps compiled code between the rounds of a run and between runs: a round starts eight processes anew, and most of
// what they do until they are ready is compiling the same modules.
import { flushCompileCache } from "node:module";
import { join } from "node:path";
import { cacheFolder } from "../basics/user-folders.ts";
import { endResolutions } from "./module-resolutions.ts";

/**
 * What of its environment makes a process keep compiled code: a folder that only this user writes, since compiled code is code. Node.js names what is in it
 * by its own version. Empty for a user without a folder for caches: then everything is compiled each time.
 */
export function codeCacheEnvironment(): NodeJS.ProcessEnv {
  const folder = cacheFolder();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: join(folder, "roundtrip", "code") };
}

/**
 * Writes down what has been compiled so far, and ends what is kept of where modules are; called when a process has loaded and before it makes or
 * answers its first call. What calls load and compile later is never kept, so that the first call of a process meets code as cold as without a cache.
 */
export function keepLoadedModules(): void {
  flushCompileCache();
  endResolutions();
}
