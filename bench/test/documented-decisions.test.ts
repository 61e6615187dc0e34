// The pages of docs/decisions: each has a number of its own, and every reference to a decision finds its page.
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it } from "vitest";

const projectRoot = join(import.meta.dirname, "../..");

const folder = "docs/decisions";
const pages = globSync(`${folder}/[0-9]*.md`, { cwd: projectRoot }).map((path) => basename(path));
const numbers = pages.map((page) => page.slice(0, 4));
const textOf = (path: string): string => readFileSync(join(projectRoot, path), "utf8");
const titleOf = (page: string): string | undefined => /^# (.+)\n/.exec(textOf(`${folder}/${page}`))?.[1];

const written = [
  ...globSync("*.{md,yml,yaml,json,jsonc,ts}", { cwd: projectRoot, exclude: ["pnpm-lock.yaml"] }),
  ...globSync("{docs,examples,packages,bench,.ci}/**/*.{md,proto,ts,js,mjs,json,yml,yaml}", {
    cwd: projectRoot,
    exclude: ["**/node_modules/**", "**/dist/**", "**/gen/**"],
  }),
];

it("gives each decision a number of its own, which begins its title", () => {
  expect(new Set(numbers).size).toBe(pages.length);
  expect(pages.filter((page) => titleOf(page)?.startsWith(`${page.slice(0, 4)} `) !== true)).toEqual([]);
});

it("finds a page for every reference to a decision", () => {
  const references = written.flatMap((path) =>
    [
      ...textOf(path).matchAll(/\b(0\d{3}-[a-z][\w-]*\.md)|\bdecisions?[/\s]\s*(?:\*\s*|\/\/\s*)?(0\d{3})\b(?!-)/gi),
    ].map(([, page, number]) => ({ path, to: page ?? number ?? "" })),
  );
  expect(references.length).toBeGreaterThan(32);
  expect(references.filter(({ to }) => !pages.includes(to) && !numbers.includes(to))).toEqual([]);
});
