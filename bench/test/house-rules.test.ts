// The rules of the house that a machine can see and no linter has.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { factsOf, type FunctionSize } from "./support/file-facts.ts";
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

const maximum = { lines: 60, parameters: 4 };

function isLarge({ lines, parameters }: FunctionSize): boolean {
  return lines > maximum.lines || parameters > maximum.parameters;
}

describe("a function", () => {
  const sources = files.filter(({ path }) => !/(^|\/)test\//.test(path));
  const scripts = globSync("packages/*/src/**/*.js", { cwd: projectRoot }).map((path) => {
    return { path, ...factsOf(path, readFileSync(join(projectRoot, path), "utf8")) };
  });
  const large = [...sources, ...scripts].flatMap(({ path, functions }) =>
    functions
      .filter(isLarge)
      .map(({ line, lines, parameters }) => `${path}:${line}: ${lines} lines, ${parameters} parameters`),
  );

  it.each([
    ["61 lines", `function f() {${"\n".repeat(60)}}`, true],
    ["60 lines", `function f() {${"\n".repeat(59)}}`, false],
    ["5 parameters in a method", "class A { m(a: 1, b: 2, c: 3, d: 4, e: 5) {} }", true],
    ["4 parameters in an arrow", "const f = (a: 1, b: 2, c: 3, ...d: 4[]) => a;", false],
  ])("of %s is judged", (_, text, expected) => {
    expect(factsOf("a.ts", text).functions.some(isLarge)).toBe(expected);
  });

  it("has at most 60 lines and four parameters", () => {
    expect(large).toEqual([]);
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
