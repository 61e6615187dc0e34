// What the documents refer to: pages that are linked and source files that are named are there, so that who moves one mends the other.
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

const projectRoot = join(import.meta.dirname, "../..");

const documents = [
  "README.md",
  "CONTRIBUTING.md",
  ...globSync("{docs,examples,bench/reference}/**/*.md", { cwd: projectRoot }),
];

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

const fence = /^```[\s\S]*?^```/gm;

/** What a heading is called in links, as the hosting service makes it: letters, digits, hyphens and underscores; the second of a name has a number. */
function anchorsOf(document: string): ReadonlySet<string> {
  const text = readFileSync(join(projectRoot, document), "utf8").replaceAll(fence, "");
  const anchors = new Set<string>();
  for (const [, heading = ""] of text.matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const shown = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const anchor = shown.replaceAll(/[^\p{Letter}\p{Mark}\p{Number}\p{Pc} -]/gu, "").replaceAll(" ", "-");
    let same = 0;
    while (anchors.has(same === 0 ? anchor : `${anchor}-${same}`)) same += 1;
    anchors.add(same === 0 ? anchor : `${anchor}-${same}`);
  }
  return anchors;
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

  it("link to headings that are there", () => {
    const links = references(/\]\(([^):\s]*#[^)\s]+)\)/g).filter(({ to }) => /^$|\.md$/.test(to.split("#")[0] ?? ""));
    expect(links.length).toBeGreaterThan(5);
    const missing = links.filter(({ document, to }) => {
      const [path = "", anchor = ""] = to.split("#");
      const target = path === "" ? document : join(dirname(document), path);
      return !existsSync(join(projectRoot, target)) || !anchorsOf(target).has(anchor);
    });
    expect(missing).toEqual([]);
  });

  it("name source files that are there", () => {
    const paths = references(/`([\w.-]+(?:\/[\w.-]+)+\.ts)`/g);
    expect(paths.length).toBeGreaterThan(58);
    // Capitals stand for a name that the reader chooses.
    expect(paths.filter(({ to }) => !/\b[A-Z]+\b/.test(to) && !named.has(to))).toEqual([]);
  });
});
