// Warns about differences between two checkouts beside their sources: the requested runtime, which is not compared, and library versions.
import { readTextNow } from "@roundtrip/contract/text";
import { listed } from "@roundtrip/analysis";
import type { Warning } from "@roundtrip/runs";
import { existsSync } from "node:fs";
import { join } from "node:path";

const stacksPackage = "packages/stacks";

interface Manifest {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** Empty if there is no readable manifest: a broken checkout is reported when it starts. */
function manifestIn(...folders: readonly string[]): Manifest {
  const path = join(...folders, "package.json");
  if (!existsSync(path)) return {};
  try {
    return (JSON.parse(readTextNow(path)) ?? {}) as Manifest;
  } catch {
    return {};
  }
}

function runtimeWarnings(base: string, head: string): readonly Warning[] {
  const [ofBase, ofHead] = [base, head].map((folder) => manifestIn(folder).devDependencies?.["node"]);
  if (ofBase === ofHead) return [];
  const pins = `base asks for Node.js ${ofBase ?? "of any version"} and head for ${ofHead ?? "any"}`;
  const message = `${pins}: both ran on ${process.version.slice(1)}, so what another runtime costs is not in this comparison`;
  return [{ code: "runtime-not-compared", message }];
}

function libraryVersions(folder: string): ReadonlyMap<string, string> {
  const names = Object.keys(manifestIn(folder, stacksPackage).dependencies ?? {});
  return new Map(
    names.flatMap((name) => {
      const { version } = manifestIn(folder, stacksPackage, "node_modules", name);
      return version === undefined ? [] : [[name, version]];
    }),
  );
}

function libraryWarnings(base: string, head: string): readonly Warning[] {
  const [ofBase, ofHead] = [libraryVersions(base), libraryVersions(head)];
  const changed = [...ofHead].flatMap(([name, version]) => {
    const before = ofBase.get(name);
    return before === undefined || before === version ? [] : [`${name} ${before} became ${version}`];
  });
  if (changed.length === 0) return [];
  return [{ code: "libraries-differ", message: `libraries are part of what was compared: ${listed(changed)}` }];
}

/** @param base @param head folders with a built checkout of this project. */
export function checkoutWarnings(base: string, head: string): readonly Warning[] {
  return [...runtimeWarnings(base, head), ...libraryWarnings(base, head)];
}
