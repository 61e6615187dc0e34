// Programs that third-party suites need: found here, installed by `.ci/full`. What suites fetch goes into the user's cache directory, so that the project
// stays clean: a virtual environment of Python for each list of requirements, and Go programs at fixed versions, checked against Go's checksum database.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { cacheFolder } from "../../packages/runs/src/files.ts";

export type Tool = "go" | "python";

interface Probe {
  readonly command: readonly [string, ...string[]];
  /** The message if the command fails: what is missing and how to install it. */
  readonly missing: string;
  /** Whether continuous integration must have it. */
  readonly isRequired: boolean;
}

const probes: Readonly<Record<Tool, Probe>> = {
  go: { command: ["go", "version"], missing: "no Go (on Debian: apt-get install golang-go)", isRequired: false },
  python: {
    command: ["python3", "-c", "import ensurepip, sys; sys.exit(sys.version_info < (3, 11))"],
    missing: "no Python 3.11 or newer that makes virtual environments (on Debian: apt-get install python3-venv)",
    isRequired: true,
  },
};

export function isRequired(tool: Tool): boolean {
  return probes[tool].isRequired;
}

export function missingTools(tools: readonly Tool[]): readonly string[] {
  return tools.flatMap((tool) => {
    const {
      command: [program, ...args],
      missing,
    } = probes[tool];
    try {
      execFileSync(program, args, { stdio: "ignore" });
      return [];
    } catch {
      return [missing];
    }
  });
}

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

export interface GoModule {
  /** The module's path, such as `example.com/module`. */
  readonly path: string;
  /** With the `v`. */
  readonly version: string;
}

function go(args: readonly string[], set: Readonly<Record<string, string>> = {}): string {
  // Go older than the module wants fetches the one that the module names.
  const env = { ...process.env, GOFLAGS: "-mod=mod", GOTOOLCHAIN: "auto", ...set };
  return execFileSync("go", args, { cwd: tmpdir(), env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** The folder with the sources of a module. Downloads them if this machine does not have them. */
export function goSources({ path, version }: GoModule): string {
  const { Dir } = JSON.parse(go(["mod", "download", "-json", `${path}@${version}`])) as { readonly Dir: string };
  return Dir;
}

/** The path of a program of a module. The first call builds it, which takes minutes; an aborted build is never used. */
export function goProgram({ path, version }: GoModule, folder: string): string {
  const name = basename(folder);
  const home = join(cacheFolder() ?? tmpdir(), "roundtrip", "outside", `${name}-${version}`);
  const program = join(home, name);
  if (existsSync(program)) return program;

  const unfinished = `${home}.${process.pid}`;
  mkdirSync(dirname(unfinished), { recursive: true });
  try {
    go(["install", `${path}/${folder}@${version}`], { GOBIN: unfinished });
    if (existsSync(home)) rmSync(unfinished, { recursive: true });
    else renameSync(unfinished, home);
  } catch (thrown) {
    rmSync(unfinished, { recursive: true, force: true });
    throw new Error(`${path}/${folder}@${version} could not be built`, { cause: thrown });
  }
  return program;
}
