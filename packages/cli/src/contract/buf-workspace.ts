// Whether a folder belongs to a buf workspace, which then knows better than we do where its imports come from.
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { parse } from "yaml";

/** Folders of a `buf.yaml` (version 2) or a `buf.work.yaml`; the file's own where it names none. */
function modulesIn(file: string): readonly string[] {
  let config: unknown;
  try {
    config = parse(readFileSync(file, "utf8"));
  } catch {
    // buf itself says what is wrong with it.
    return ["."];
  }
  if (typeof config !== "object" || config === null) return ["."];
  const { modules, directories } = config as { readonly modules?: unknown; readonly directories?: unknown };
  const paths = [
    ...(Array.isArray(modules) ? modules.map((module: unknown) => (module as { path?: unknown } | null)?.path) : []),
    ...(Array.isArray(directories) ? (directories as readonly unknown[]) : []),
  ].filter((path) => typeof path === "string");
  return paths.length === 0 ? ["."] : paths;
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`);
}

/** True when buf compiles this folder as part of a workspace, or a workspace in it. Installed packages do not count. */
export function isInBufWorkspace(path: string): boolean {
  const folder = resolve(path);
  for (let at = folder; ; at = dirname(at)) {
    const file = ["buf.yaml", "buf.work.yaml"].map((name) => join(at, name)).find((name) => existsSync(name));
    if (file !== undefined) {
      return modulesIn(file)
        .map((module) => join(at, module))
        .some((module) => isWithin(module, folder) || isWithin(folder, module));
    }
    if (basename(at) === "node_modules" || existsSync(join(at, ".git")) || dirname(at) === at) return false;
  }
}
