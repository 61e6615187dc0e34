// Where the sources of a public contract are, as flags of the commands: in packages that the ordinary clients of their registries fetch into the user's cache
// directory.
import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { cacheFolder } from "../../packages/runs/src/files.ts";
import { goSources } from "../outside/tools.ts";
import type { PublicContract, PublicPackage } from "./public-contracts.ts";

/** A package takes seconds; after this many milliseconds its registry cannot be reached. */
const longestMs = 240_000;

function run(program: string, args: readonly string[], cwd: string): string {
  // Clients read no configuration of the folder that they run in.
  return execFileSync(program, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], timeout: longestMs });
}

function fromNpm(name: string, version: string, folder: string): void {
  run("npm", ["pack", "--silent", "--ignore-scripts", `${name}@${version}`], folder);
  const [archive = ""] = globSync("*.tgz", { cwd: folder });
  run("tar", ["-xzf", archive, "--strip-components=1"], folder);
  rmSync(join(folder, archive));
}

/** Wheels and jars are zip files; only their .proto files are kept. */
function unpacked(archive: string, folder: string): void {
  const script =
    "import sys, zipfile\n" +
    "with zipfile.ZipFile(sys.argv[1]) as archive:\n" +
    "    archive.extractall('.', [name for name in archive.namelist() if name.endswith('.proto')])\n";
  run("python3", ["-c", script, archive], folder);
  rmSync(join(folder, archive));
}

function fromPypi(name: string, version: string, folder: string): void {
  const flags = ["--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary", ":all:"];
  run("python3", ["-m", "pip", "download", ...flags, "--dest", ".", `${name}==${version}`], folder);
  unpacked(readdirSync(folder)[0] ?? "", folder);
}

function fromMaven(name: string, version: string, folder: string): void {
  const artifact = `${name}:${version}`;
  run(
    "mvn",
    ["-q", "-B", "dependency:copy", `-Dartifact=${artifact}`, "-DoutputDirectory=.", "-Dmdep.useBaseVersion=true"],
    folder,
  );
  unpacked(globSync("*.jar", { cwd: folder })[0] ?? "", folder);
}

const clients = { npm: fromNpm, pypi: fromPypi, maven: fromMaven } as const;

/** The folder of a package that this project depends on; undefined for others. */
function installedFolder({ from, name, version }: PublicPackage): string | undefined {
  if (from !== "npm") return undefined;
  try {
    const path = createRequire(join(import.meta.dirname, "../../bench/index.ts")).resolve(`${name}/package.json`);
    const installed = createRequire(path)(path) as { readonly version: string };
    return installed.version === version ? dirname(path) : undefined;
  } catch {
    return undefined;
  }
}

/** The folder of a package. An aborted download is never used. Throws an Error if the client is missing or cannot get it. */
function fetchPackage(wanted: PublicPackage): string {
  const { from, name, version } = wanted;
  if (from === "go") return goSources({ path: name, version });
  const installed = installedFolder(wanted);
  if (installed !== undefined) return installed;
  const home = join(cacheFolder() ?? tmpdir(), "roundtrip", "contracts");
  const folder = join(home, `${name.replaceAll(/[^\w.-]/g, "_")}-${version}`);
  if (existsSync(folder)) return folder;
  mkdirSync(home, { recursive: true });
  const unfinished = mkdtempSync(`${folder}.`);
  try {
    clients[from](name, version, unfinished);
    if (!existsSync(folder)) renameSync(unfinished, folder);
    return folder;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

export interface LocatedContract {
  readonly path: string;
  readonly protoPaths: readonly string[];
}

/** Fetches its packages. @param directory for import paths that no package has. Throws an Error for what cannot be fetched. */
export function locateContract(
  { packages, path, imports = [], mounted = {} }: PublicContract,
  directory: string,
): LocatedContract {
  const folders = packages.map(fetchPackage);
  const folderOf = (index: number): string => folders[index] ?? "";
  const mounts = join(directory, "imports");
  for (const [name, index] of Object.entries(mounted)) {
    const link = join(mounts, name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(folderOf(index), link);
  }
  const [mount] = Object.entries(mounted).find(([, index]) => index === 0) ?? [];
  const protoPaths = imports.map((place) => {
    const [index = "", folder = ""] = place.split(":");
    return join(folderOf(Number(index)), folder);
  });
  return {
    path: mount === undefined ? join(folderOf(0), path) : join(mounts, mount, path),
    protoPaths: [...(mount === undefined ? [] : [mounts]), ...protoPaths],
  };
}

export function contractFlags({ path, protoPaths }: LocatedContract): readonly string[] {
  return ["--contract", [path, ...protoPaths].join(",")];
}
