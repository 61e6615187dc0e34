// The cache of compiled code between rounds and runs: a round starts eight processes anew, which spend most of their start on compiling the same
// modules.
import { flushCompileCache } from "node:module";
import { join } from "node:path";
import { cacheFolder } from "../basics/files.ts";
import { endResolutions } from "./module-resolutions.ts";

/**
 * The environment that makes a process cache compiled code: in a folder that only this user can write, because the cache is executable. Node.js
 * separates its versions in it. Empty for a user without a cache folder: then everything is compiled each time.
 */
export function codeCacheEnvironment(): NodeJS.ProcessEnv {
  const folder = cacheFolder();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: join(folder, "roundtrip", "code") };
}

/**
 * Saves what has been compiled so far, and ends the recording of module paths. Called when a process has loaded, before its first call. Code that
 * calls load and compile later is never cached, so that the first call of a process finds it as cold as without a cache.
 */
export function keepLoadedModules(): void {
  flushCompileCache();
  endResolutions();
}
