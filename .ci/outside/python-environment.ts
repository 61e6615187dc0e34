// Python for suites that are written in it: a virtual environment below the user's cache directory, made once for each list of
// requirements, so that nothing of it lies in the project or among its dependencies.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { cacheFolder } from "../../packages/runner/src/files.ts";

function run(program: string, ...args: string[]): string {
  return execFileSync(program, args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
}

function pythonOf(environment: string): string {
  return join(environment, "bin", "python");
}

/**
 * The path of a Python that has what a requirements file lists, with versions and hashes. The first call installs; a process that is
 * ended meanwhile leaves nothing that looks whole.
 */
export function pythonWith(requirements: string): string {
  const cache = join(cacheFolder() ?? tmpdir(), "roundtrip", "outside");
  const version = run("python3", "-c", "import sys; print(sys.executable, sys.version)");
  const key = createHash("sha256").update(version).update(readFileSync(requirements)).digest("hex").slice(0, 16);
  const home = join(cache, key);
  if (existsSync(pythonOf(home))) return pythonOf(home);

  const unfinished = `${home}.${process.pid}`;
  mkdirSync(dirname(unfinished), { recursive: true });
  try {
    run("python3", "-m", "venv", unfinished);
    const pip = [pythonOf(unfinished), "-m", "pip", "--disable-pip-version-check", "--quiet"] as const;
    run(...pip, "install", "--no-input", "--require-hashes", "--only-binary", ":all:", "--requirement", requirements);
    // An environment moves as a whole: its Python finds itself, only its scripts would name the old place.
    if (existsSync(home)) rmSync(unfinished, { recursive: true });
    else renameSync(unfinished, home);
  } catch (thrown) {
    rmSync(unfinished, { recursive: true, force: true });
    throw new Error(`${requirements} could not be installed`, { cause: thrown });
  }
  return pythonOf(home);
}
