// Where Node.js keeps what it compiled of this program. Plain JavaScript, as its users are: see roundtrip.js.
import nodeModule from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

/** Only this user writes the folder: compiled code is code. Measured processes have another one (runner/processes/code-cache.ts). */
export function keepCompiledCode() {
  try {
    const folder = process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache");
    nodeModule.enableCompileCache(join(folder, "roundtrip", "program"));
  } catch {
    // A user without a home directory: everything is compiled each time.
  }
}
