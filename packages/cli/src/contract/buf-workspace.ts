// Whether a folder belongs to a buf workspace, whose configuration knows where imports are.
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { parse } from "yaml";

/** The module folders of a `buf.yaml` (version 2) or `buf.work.yaml`; the file's own folder if it lists none. */
function modulesIn(file: string): readonly string[] {
  let config: unknown;
  try {
    config = parse(readFileSync(file, "utf8"));
  } catch {
    // buf itself reports what is wrong with it.
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
  const inside = relative(folder, path);
  return inside !== ".." && !inside.startsWith(`..${sep}`);
}

/** Whether buf compiles this folder as part of a workspace, or contains one. Installed packages do not count. */
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
