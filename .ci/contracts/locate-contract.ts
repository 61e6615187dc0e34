// Where the sources of a public contract are, as flags of the commands.
import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fetchPackage } from "./fetch-package.ts";
import type { PublicContract } from "./public-contracts.ts";

export interface LocatedContract {
  readonly path: string;
  readonly protoPaths: readonly string[];
}

/** Fetches its packages. @param directory for import paths that no package has. Throws an Error for what cannot be fetched. */
export function locateContract(
  { packages, path, imports, mounted }: PublicContract,
  directory: string,
): LocatedContract {
  const folders = packages.map((one) => fetchPackage(one));
  const folderOf = (index: number): string => folders[index] ?? "";
  const mounts = join(directory, "imports");
  for (const [name, index] of Object.entries(mounted)) {
    const link = join(mounts, name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(folderOf(index), link);
  }
  const [mount] = Object.entries(mounted).find(([, index]) => index === 0) ?? [];
  const protoPaths = imports.map((one) => {
    const [index = "", folder = ""] = one.split(":");
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
