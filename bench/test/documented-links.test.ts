// What the documents refer to: pages that are linked and source files that are named are there, so that who moves one mends the other.
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot } from "./support/source-files.ts";

const documents = ["README.md", "CONTRIBUTING.md", ...globSync("{docs,bench/reference}/**/*.md", { cwd: projectRoot })];

const sources = globSync("{packages,bench,.ci}/**/*.{ts,json}", {
  cwd: projectRoot,
  exclude: ["**/node_modules/**", "**/dist/**"],
});

/** As documents name them: whole, or from their package or folder on without `packages` and `src`. */
const named = new Set(
  sources.flatMap((path) => {
    const short = path.replace(/^packages\//, "").replace("/src/", "/");
    return [path, short].flatMap((whole) => {
      const parts = whole.split("/");
      return parts.map((_, first) => parts.slice(first).join("/"));
    });
  }),
);

interface Reference {
  readonly document: string;
  readonly to: string;
}

/** What the first group of a pattern finds in each document. */
function references(pattern: RegExp): readonly Reference[] {
  return documents.flatMap((document) => {
    const text = readFileSync(join(projectRoot, document), "utf8");
    return [...text.matchAll(pattern)].map(([, to = ""]) => ({ document, to }));
  });
}

describe("the documents", () => {
  it("link to pages and pictures that are there", () => {
    const links = references(/\]\(([^)#:\s]+)(?:#[^)\s]*)?\)/g);
    expect(links.length).toBeGreaterThan(100);
    expect(links.filter(({ document, to }) => !existsSync(join(projectRoot, dirname(document), to)))).toEqual([]);
  });

  it("name source files that are there", () => {
    const paths = references(/`([\w.-]+(?:\/[\w.-]+)+\.ts)`/g);
    expect(paths.length).toBeGreaterThan(50);
    // Capitals stand for a name that the reader chooses.
    expect(paths.filter(({ to }) => !/\b[A-Z]+\b/.test(to) && !named.has(to))).toEqual([]);
  });
});
