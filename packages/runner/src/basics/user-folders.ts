// The folders of this user. A process in a container may run as a user without a home directory.
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

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
  const given = env["XDG_CACHE_HOME"] ?? "";
  if (isAbsolute(given)) return given;
  const home = homeFolder();
  return home === undefined ? undefined : join(home, ".cache");
}
