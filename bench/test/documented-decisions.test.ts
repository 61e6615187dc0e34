// The pages of docs/decisions: each is short, has the four parts and one line in the index, and what refers to a decision finds its page.
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot } from "./support/source-files.ts";

const folder = "docs/decisions";
const mostWords = 450;

const pages = globSync(`${folder}/[0-9]*.md`, { cwd: projectRoot }).map((path) => basename(path));
const numbers = pages.map((page) => page.slice(0, 4));

function textOf(path: string): string {
  return readFileSync(join(projectRoot, path), "utf8");
}

function titleOf(page: string): string | undefined {
  return /^# (.+)\n/.exec(textOf(`${folder}/${page}`))?.[1];
}

/** Everything that people write: sources with their comments, scripts, recipes and documents. */
const written = [
  "README.md",
  "CONTRIBUTING.md",
  ...globSync("*.{yml,yaml,json,jsonc,ts}", { cwd: projectRoot, exclude: ["pnpm-lock.yaml"] }),
  ...globSync("{docs,proto,.github}/**/*.{md,proto,yml,yaml}", { cwd: projectRoot }),
  ...globSync("{packages,bench,.ci}/**/*.{ts,js,mjs,md,json,proto,sh,yml,yaml}", {
    cwd: projectRoot,
    exclude: ["**/node_modules/**", "**/dist/**", "**/gen/**"],
  }),
  ...globSync("{Containerfile,.ci/run,.ci/bare-test}", { cwd: projectRoot }),
];

describe("decisions", () => {
  it("have a number of their own, which begins the title", () => {
    expect(new Set(numbers).size).toBe(pages.length);
    expect(pages.filter((page) => titleOf(page)?.startsWith(`${page.slice(0, 4)} `) !== true)).toEqual([]);
  });

  it(`have at most ${mostWords} words`, () => {
    const counts = pages.map((page) => ({ page, words: textOf(`${folder}/${page}`).trim().split(/\s+/).length }));
    expect(counts.filter(({ words }) => words > mostWords)).toEqual([]);
  });

  it("have context, options, decision and consequences, in this order", () => {
    const parts = ["Context", "Options", "Decision", "Consequences"];
    const others = pages.filter((page) => {
      const headings = [...textOf(`${folder}/${page}`).matchAll(/^## (.+)$/gm)].map(([, heading = ""]) => heading);
      return headings.filter((heading) => parts.includes(heading)).join() !== parts.join();
    });
    expect(others).toEqual([]);
  });

  it("are in the index once each, with their title and what was decided", () => {
    const lines = [...textOf(`${folder}/README.md`).matchAll(/^- \[(.+)\]\((\d{4}-[^)]+)\): .+\.$/gm)];
    const listed = lines.map(([, title, page]) => ({ page, title }));
    const expected = pages.map((page) => ({ page, title: titleOf(page) }));
    expect(listed.toSorted((a, b) => (a.page ?? "").localeCompare(b.page ?? ""))).toEqual(
      expected.toSorted((a, b) => a.page.localeCompare(b.page)),
    );
  });

  it("are there wherever something refers to them", () => {
    const references = written.flatMap((path) =>
      [
        ...textOf(path).matchAll(/\b(0\d{3}-[a-z][\w-]*\.md)|\bdecisions?[/\s]\s*(?:\*\s*|\/\/\s*)?(0\d{3})\b(?!-)/gi),
      ].map(([, page, number]) => ({ path, to: page ?? number ?? "" })),
    );
    expect(references.length).toBeGreaterThan(200);
    expect(references.filter(({ to }) => !pages.includes(to) && !numbers.includes(to))).toEqual([]);
  });
});
