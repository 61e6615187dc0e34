// The rules of the house that a machine can see and no linter has.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot, sourceFiles } from "./support/source-files.ts";

const files = sourceFiles();

function paths(breaks: (file: (typeof files)[number]) => boolean): string[] {
  return files.filter(breaks).map(({ path }) => path);
}

describe("every file", () => {
  it("is found by these rules", () => {
    expect(files.length).toBeGreaterThan(30);
  });

  it("opens with a comment that says what it is for, unless its sentences do", () => {
    expect(paths(({ path, opensWithComment }) => !path.endsWith(".test.ts") && !opensWithComment)).toEqual([]);
  });

  it("names what it exports, one by one", () => {
    expect(paths(({ hasStarExport }) => hasStarExport)).toEqual([]);
  });
});

interface Manifest {
  /** Undefined for a program. */
  readonly exports?: Readonly<Record<string, string>>;
  readonly publishConfig: {
    readonly exports: Readonly<Record<string, { readonly types: string; readonly default: string }>>;
  };
}

describe("a package", () => {
  it.each(globSync("packages/*/package.json", { cwd: projectRoot }))("publishes what it exports: %s", (path) => {
    const { exports = {}, publishConfig } = JSON.parse(readFileSync(join(projectRoot, path), "utf8")) as Manifest;
    const published = Object.entries(exports).map(([name, source]) => {
      const file = source.replace("./src/", "./dist/").replace(/\.ts$/, "");
      return [name, { types: `${file}.d.ts`, default: `${file}.js` }];
    });
    expect(publishConfig.exports ?? {}).toEqual(Object.fromEntries(published));
  });
});
