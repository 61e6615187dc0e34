// Go programs for suites: built at a fixed version into the user's cache directory, so that the project stays clean. Go checks what it downloads
// against its checksum database.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { cacheFolder } from "../../packages/runner/src/basics/files.ts";

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
