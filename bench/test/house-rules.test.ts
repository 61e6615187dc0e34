// The rules of the house that a machine can see and no linter has.
import { describe, expect, it } from "vitest";
import { sourceFiles } from "./support/source-files.ts";

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
