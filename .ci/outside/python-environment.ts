// Python for suites: a virtual environment in the user's cache directory for each list of requirements, so that the project stays clean.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { cacheFolder } from "../../packages/runner/src/basics/files.ts";

function run(program: string, ...args: string[]): string {
  return execFileSync(program, args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
}

function pythonOf(environment: string): string {
  return join(environment, "bin", "python");
}

/** The path of a Python with the packages of a requirements file. The first call installs them; an aborted installation is never used. */
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
    // An environment can be moved: its Python works anywhere, only its scripts contain the old path.
    if (existsSync(home)) rmSync(unfinished, { recursive: true });
    else renameSync(unfinished, home);
  } catch (thrown) {
    rmSync(unfinished, { recursive: true, force: true });
    throw new Error(`${requirements} could not be installed`, { cause: thrown });
  }
  return pythonOf(home);
}
