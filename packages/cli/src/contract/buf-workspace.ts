// The buf workspace of a folder, whose configuration knows where imports are.
import { readTextNow } from "@roundtrip/contract/text";
import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { parse } from "yaml";
import { isInside } from "./proto-files.ts";

export interface BufWorkspace {
  /** The folder of its configuration. */
  readonly root: string;
  /** The folders that import paths begin at, as absolute paths. */
  readonly modules: readonly string[];
  /** The modules of a registry that it imports from, such as `buf.build/googleapis/googleapis`. */
  readonly dependencies: readonly string[];
}

function textsIn(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((item) => typeof item === "string") : [];
}

/** A `buf.yaml` (version 2) or `buf.work.yaml`. Its own folder is the module if it lists none. */
function readConfiguration(file: string): BufWorkspace {
  const folder = dirname(file);
  let config: unknown;
  try {
    config = parse(readTextNow(file));
  } catch {
    // buf itself reports what is wrong with it.
  }
  if (typeof config !== "object" || config === null) return { root: folder, modules: [folder], dependencies: [] };
  const { modules, directories, deps } = config as {
    readonly modules?: unknown;
    readonly directories?: unknown;
    readonly deps?: unknown;
  };
  const listed = Array.isArray(modules)
    ? modules.map((module: unknown) => (module as { path?: unknown } | null)?.path)
    : [];
  const paths = [...textsIn(listed), ...textsIn(directories)];
  return {
    root: folder,
    modules: paths.length === 0 ? [folder] : paths.map((path) => join(folder, path)),
    dependencies: textsIn(deps),
  };
}

/** The workspace that this folder belongs to, or contains; undefined without one. Installed packages do not count. */
export function bufWorkspaceOf(path: string): BufWorkspace | undefined {
  const folder = resolve(path);
  for (let at = folder; ; at = dirname(at)) {
    const file = ["buf.yaml", "buf.work.yaml"].map((name) => join(at, name)).find((name) => existsSync(name));
    if (file !== undefined) {
      const workspace = readConfiguration(file);
      const isPart = workspace.modules.some((module) => isInside(module, folder) || isInside(folder, module));
      return isPart ? workspace : undefined;
    }
    if (basename(at) === "node_modules" || existsSync(join(at, ".git")) || dirname(at) === at) return undefined;
  }
}
