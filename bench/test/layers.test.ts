// Which folder of a package may know which: each package's folders in layers, held against what its sources really import.
import { describe, expect, it } from "vitest";
import { sourceFiles } from "./support/source-files.ts";

/** All folders that are not named: one for each style, so that a new style is a new folder and nothing else. They import each other not at all. */
const styleFolders = "*";

/**
 * The folders of a package's sources, from the bottom up: files of a folder import from it and from those before it. Files beside the folders are on
 * top, so no folder imports one. A package that is not here has no layers.
 */
const layers: Readonly<Record<string, readonly string[]>> = {
  analysis: [
    "basics",
    "run",
    "statistics",
    "models",
    "calls",
    "metrics",
    "comparison",
    "libraries",
    "load",
    "distance",
    "anomalies",
    "warnings",
    "claims",
    "analyse",
    "gate",
    "versions",
    "history",
  ],
  cli: [
    "basics",
    "options",
    "output",
    "contract",
    "serving",
    "stacks",
    "targets",
    "tasks",
    "bench",
    "check",
    "compare",
    "conform",
    "describe",
    "export",
    "fake",
    "history",
    "predict",
    "types",
    "actions",
    "commands",
    "program",
  ],
  conformance: ["case", "support", "areas", "any-contract"],
  contract: ["basics", "descriptors", "validation", "calls", "changes", "style-rules"],
  fakes: [
    "basics",
    "files",
    "answers",
    "resources",
    "operations",
    "generated",
    "examples",
    "stubs",
    "faults",
    "overrides",
    "recording",
    "memory",
    "fake",
    "standalone",
  ],
  k6: ["basics", "plan", "results", "instances", "export", "kubernetes", "engine"],
  report: [
    "basics",
    "foreign",
    "view",
    "words",
    "rows",
    "text",
    "marks",
    "tables",
    "plots",
    "claims",
    "registry",
    "html",
    "markdown",
    "comparisons",
    "trends",
    "predictions",
    "comparison-formats",
    "formats",
  ],
  runner: [
    "basics",
    "lifetime",
    "pace",
    "study",
    "measure",
    "evidence",
    "processes",
    "link",
    "pair",
    "target",
    "run-directory",
    "version",
    "rounds",
    "saturation",
  ],
  service: ["matrix"],
  stacks: ["basics", "shared", styleFolders],
  styles: ["basics", "shared", styleFolders],
};

interface Member {
  readonly package: string;
  /** Undefined for a file beside the folders. */
  readonly folder: string | undefined;
}

/** Where a source file of a package stands; undefined for any other path. */
function memberOf(path: string): Member | undefined {
  const [, name, folder] = /^packages\/([^/]+)\/src\/(?:([^/]+)\/)?/.exec(path) ?? [];
  return name === undefined ? undefined : { package: name, folder };
}

/** The layer of a folder. */
function layerOf(folder: string, declared: readonly string[]): string {
  return declared.includes(styleFolders) && !declared.includes(folder) ? styleFolders : folder;
}

/** How far up a member stands; files beside the folders are on top. */
function heightOf({ package: name, folder }: Member): number {
  const declared = layers[name] ?? [];
  return folder === undefined ? Number.POSITIVE_INFINITY : declared.indexOf(layerOf(folder, declared));
}

const sources = sourceFiles().flatMap((file) => {
  const member = memberOf(file.path);
  return member === undefined || layers[member.package] === undefined ? [] : [{ ...file, member }];
});

describe("the folders of a package", () => {
  it.each(Object.entries(layers))("have a layer each: %s", (name, declared) => {
    const folders = sources.flatMap(({ member: { package: owner, folder } }) =>
      owner === name && folder !== undefined ? [layerOf(folder, declared)] : [],
    );
    expect([...new Set(folders)].toSorted()).toEqual(declared.toSorted());
  });

  it("import downwards only", () => {
    const upwards = sources.flatMap(({ path, member, imports }) =>
      imports.flatMap(({ target }) => {
        const other = memberOf(target);
        const isInside = other?.package === member.package && other.folder !== member.folder;
        return isInside && heightOf(other) >= heightOf(member) ? [`${path} → ${target}`] : [];
      }),
    );
    expect(upwards).toEqual([]);
  });
});

/** The first circle of imports that is found from a file on, types included; undefined where there is none. */
function circleFrom(
  path: string,
  importsOf: ReadonlyMap<string, readonly string[]>,
  cleared: Set<string>,
  above: readonly string[] = [],
): readonly string[] | undefined {
  if (cleared.has(path)) return undefined;
  if (above.includes(path)) return [...above.slice(above.indexOf(path)), path];
  for (const target of importsOf.get(path) ?? []) {
    const circle = circleFrom(target, importsOf, cleared, [...above, path]);
    if (circle !== undefined) return circle;
  }
  cleared.add(path);
  return undefined;
}

describe("files", () => {
  it("import each other in no circle", () => {
    const importsOf = new Map(sourceFiles().map(({ path, imports }) => [path, imports.map(({ target }) => target)]));
    const cleared = new Set<string>();
    const circles = [...importsOf.keys()].map((path) => circleFrom(path, importsOf, cleared));
    expect(circles.find((circle) => circle !== undefined)).toBeUndefined();
  });
});
